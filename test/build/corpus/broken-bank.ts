import type { Severity } from '../../../build/rules/rule.ts';

/** The clean bank of the corpus with one mistake in it, and what is told of it. */
export interface BrokenBank {
  /** The mistake, as a sentence. */
  readonly shows: string;
  readonly rule: string;
  /** An error, unless it is said to be a warning. */
  readonly severity?: Severity;
  /**
   * Changes to its files. What is told is marked with ⟦ and ⟧ in one of them, another place that it names
   * with ⟪ and ⟫.
   */
  readonly edits?: readonly Edit[];
  /** Changes that are no text. */
  readonly make?: (dir: string) => Promise<void>;
  /** Where nothing is marked: a file that has no text to point into, at its start. */
  readonly file?: string;
  readonly pointer: string;
  /** A piece of the message. */
  readonly says: string;
  readonly suggestion?: string;
  /** How many other places are named; those that are not marked have no text. */
  readonly related?: number;
}

/** The first `right` of a file is replaced by `wrong`; a file that is not there is written. */
export interface Edit {
  readonly file: string;
  readonly right: string;
  readonly wrong: string;
}

export const files = {
  neet: 'neet/exam.json',
  jeemain: 'jeemain/exam.json',
  physics: 'neet/2024/2024-05-05-s1/physics.json',
  biology: 'neet/2024/2024-05-05-s1/biology.json',
  laterBiology: 'neet/2025/2025-05-04-s1/biology.json',
  mathematics: 'jeemain/2025/2025-01-22-s1/mathematics.json',
  circuit: 'neet/2024/2024-05-05-s1/diagrams/neet-2024-05-05-s1-physics-02-circuit.svg',
  line: 'jeemain/2025/2025-01-22-s1/diagrams/jeemain-2025-01-22-s1-mathematics-02.png',
  exceptions: 'exceptions.json',
} as const;

/** One change to one file. */
export function edit(file: keyof typeof files, right: string, wrong: string): Edit {
  return { file: files[file], right, wrong };
}
