import type { DiagramFile } from '../../read/bank.ts';
import type { Question, SubjectFile } from '../../read/content.ts';

/** What the rules on one paper look at. */
export interface CheckedPaper {
  readonly path: string;
  readonly content: SubjectFile;
  /** The diagrams of the paper's shift, by file name. */
  readonly diagrams: ReadonlyMap<string, DiagramFile>;
}

/** The questions of a paper, each with the JSON pointer to it. */
export function* questionsOf({ content }: CheckedPaper): Generator<readonly [Question, string]> {
  for (const [index, question] of content.questions.entries()) yield [question, `/questions/${index}`];
}
