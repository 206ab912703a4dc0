import type { Stray, UnreadableFolder } from '../content/find.ts';
import type { Exam, PaperPlace } from '../content/types.ts';

/** What the rules on the whole bank look at: all that is kept of a file once it has been checked. */
export interface BankFacts {
  readonly exams: readonly Exam[];
  readonly papers: readonly PaperFacts[];
  readonly strays: readonly Stray[];
  readonly unreadable: readonly UnreadableFolder[];
  /** Of each shift folder one file, a paper if it has one. */
  readonly shifts: readonly ShiftFacts[];
  readonly repeatedIds: readonly Repetition[];
  readonly repeatedStems: readonly Repetition[];
}

export interface PaperFacts extends PaperPlace {
  readonly path: string;
}

export interface ShiftFacts {
  readonly exam: string;
  readonly year: string;
  readonly shift: string;
  readonly path: string;
}

/** A text that stands in several questions of the bank: the first of them, then the others. */
export interface Repetition {
  readonly text: string;
  readonly places: readonly TextPlace[];
  /** Of how many places those are, where there are too many to list. */
  readonly total: number;
}

export interface TextPlace {
  readonly path: string;
  /** JSON pointer (RFC 6901) to the text. */
  readonly pointer: string;
}
