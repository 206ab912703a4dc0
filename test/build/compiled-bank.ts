import assert from 'node:assert/strict';
import { type CompiledExam, compileBank } from '../../build/compile/compile.ts';
import type { QuestionFile, ShiftSummary } from '../../build/compile/resources.ts';
import type { Question } from '../../build/read/content.ts';
import { type Files, makeBank, paperOf, paperPath, shiftPath } from './bank-folder.ts';
import { png, svg } from './image-bytes.ts';
import { validated } from './validated.ts';

export const graph = svg(320, 200);
export const photo = png(13, 7);

/** A question with every field that a question may have, written in another order than it is served in. */
export const everything = {
  dropped: true,
  accepted: ['A', 'B'],
  diagrams: [
    { alt: 'A graph.', file: 'q1-graph.svg' },
    { alt: 'A photograph.', file: 'q1-photo.png' },
  ],
  difficulty: 'hard',
  topic: 'Units',
  answer: 'A',
  options: [
    { value: 'metre', key: 'A' },
    { value: 'second', key: 'B' },
  ],
  question: 'Which is a unit of length?',
  type: 'mcq',
  id: 'q1',
} satisfies Question;

/** The diagrams that it names. */
export const drawings: Files = {
  [`${shiftPath}/diagrams/q1-graph.svg`]: graph,
  [`${shiftPath}/diagrams/q1-photo.png`]: photo,
};

/** The resources of the valid bank with these files beside or instead of its own. */
export async function compileFiles(files: Files): Promise<readonly CompiledExam[]> {
  const { dir } = await makeBank(files);
  const { bank, report } = await validated(dir);
  assert.equal(report.summary.errors, 0, JSON.stringify(report.diagnostics));
  return compileBank(bank);
}

export async function compileExam(files: Files): Promise<CompiledExam> {
  const [exam] = await compileFiles(files);
  assert.ok(exam);
  return exam;
}

/** The question file of the valid bank's paper, when it holds these questions. */
export async function compilePaper(questions: readonly Question[], files: Files = {}): Promise<QuestionFile> {
  const exam = await compileExam({ [paperPath]: paperOf(...questions), ...files });
  const file = exam.years[0]?.shifts[0]?.files[0];
  assert.ok(file);
  return file;
}

export async function shiftsOf(files: Files): Promise<readonly ShiftSummary[]> {
  const exam = await compileExam(files);
  return exam.years.flatMap(({ resource }) => resource.shifts);
}
