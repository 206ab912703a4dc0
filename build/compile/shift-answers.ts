import type { DiagramFile, Paper } from '../content/bank.ts';
import { questionFile } from './question-file.ts';
import type { QuestionFile } from './resources.ts';

/** What a shift answers with a key. */
export interface ShiftAnswers {
  /** In the order of the papers. */
  readonly files: readonly QuestionFile[];
  /** Those that a question names. */
  readonly diagrams: readonly DiagramFile[];
}

/**
 * The question files and diagrams of a shift that passed its checks.
 *
 * @param papers of one shift
 * @param diagrams all that stand in its folder
 */
export function shiftAnswers(papers: readonly Paper[], diagrams: readonly DiagramFile[]): ShiftAnswers {
  const byName = new Map(diagrams.map((diagram) => [diagram.file, diagram]));
  const files = papers.map((paper) => {
    if (!paper.content) throw new Error(`The checks let ${paper.path} pass, which broke its schema.`);
    return questionFile(paper, paper.content, byName);
  });
  const named = new Set<string>();
  for (const { questions } of files)
    for (const question of questions) for (const { file } of question.diagrams) named.add(file);
  return { files, diagrams: diagrams.filter(({ file }) => named.has(file)) };
}
