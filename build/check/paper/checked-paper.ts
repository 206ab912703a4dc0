import type { DiagramFile, PlacedQuestion } from '../../read/bank.ts';

/** What the rules on one paper look at. */
export interface CheckedPaper {
  readonly path: string;
  readonly questions: readonly PlacedQuestion[];
  /** The diagrams of the paper's shift, by file name. */
  readonly diagrams: ReadonlyMap<string, DiagramFile>;
}
