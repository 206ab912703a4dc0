/** What a change of the content changes for those who use the API. Every list is in the order of its paths. */
export interface ContentChanges {
  readonly papers: { readonly added: readonly string[]; readonly removed: readonly string[] };
  readonly added: readonly QuestionPlace[];
  readonly removed: readonly QuestionPlace[];
  readonly renumbered: readonly Renumbering[];
  readonly moved: readonly Move[];
  readonly answers: readonly AnswerChange[];
  readonly edits: readonly Edit[];
  /** Papers whose questions stand in another order. */
  readonly reordered: readonly string[];
  readonly stale: readonly StalePaper[];
  /** Diagrams under the same path with other bytes. */
  readonly diagrams: readonly string[];
  readonly exams: readonly ExamChange[];
  readonly incomparable: readonly Incomparable[];
}

/** The changes since a commit. */
export interface ChangeReport extends ContentChanges {
  /** As it was asked for. */
  readonly ref: string;
  /** The commit that it names, in hex. */
  readonly commit: string;
}

export interface QuestionPlace {
  readonly id: string;
  /** Of its paper, inside the content folder, with `/` between its parts; so are all paths here. */
  readonly path: string;
}

/** A question that stayed what it is, under another id. */
export interface Renumbering {
  readonly before: QuestionPlace;
  readonly after: QuestionPlace;
  /** Another question has the old id now. */
  readonly reused: boolean;
}

/** A question that went to another paper and kept its id. */
export interface Move {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** A question for which other people score now. Its place is that after the change. */
export interface AnswerChange extends QuestionPlace {
  readonly before: Scoring;
  readonly after: Scoring;
}

/** What decides who scores. */
export interface Scoring {
  readonly answer: string;
  /** The texts of the options that the answer names; none of a numerical question. */
  readonly texts: readonly string[];
  /** Empty where only the answer scores. */
  readonly accepted: readonly string[];
  readonly dropped: boolean;
}

/** A question whose content is another, whoever scores. Its place is that after the change. */
export interface Edit extends QuestionPlace {
  readonly fields: readonly Field[];
}

/** By their names in a subject file; of `accepted` the order only, the rest of it decides who scores. */
export type Field = 'type' | 'question' | 'options' | 'topic' | 'difficulty' | 'diagrams' | 'accepted';

/** A paper that tells the time of its last change wrongly. */
export interface StalePaper {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** The content changed and the time did not, or the time went backwards. */
  readonly fault: 'same' | 'earlier';
}

export interface ExamChange {
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
}

/** What the report knows nothing of, and why. */
export interface Incomparable {
  readonly path: string;
  readonly side: Side;
  /** A sentence. */
  readonly reason: string;
}

/** At the ref, or in the working tree. */
export type Side = 'before' | 'after';
