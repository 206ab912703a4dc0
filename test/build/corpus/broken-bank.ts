import type { Severity } from '../../../build/rules/rule.ts';

/** The clean bank of the corpus with a change. */
export interface ChangedBank {
  /** The change. */
  readonly title: string;
  /** Changes to files. ⟦ and ⟧ mark the place of the diagnostic, ⟪ and ⟫ a related place. */
  readonly edits?: readonly Edit[];
  /** Changes other than text edits. */
  readonly make?: (dir: string) => Promise<void>;
}

/** The clean bank of the corpus with one mistake, and the expected diagnostic. */
export interface BrokenBank extends ChangedBank {
  readonly rule: string;
  /** `error` by default. */
  readonly severity?: Severity;
  /** The file of the diagnostic if no place is marked. The place is then the start of the file. */
  readonly file?: string;
  readonly pointer: string;
  /** A part of the message. */
  readonly message: string;
  readonly suggestion?: string;
  /** Number of related places. Those that are not marked are files without text. */
  readonly related?: number;
}

/** Replaces the first `right` in a file by `wrong`. A missing file is created. */
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
