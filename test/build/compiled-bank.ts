import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { compileShift } from '../../build/compile/compile-shift.ts';
import { type CompiledExam, compileExams } from '../../build/compile/exams.ts';
import { groupBy } from '../../build/content/groups.ts';
import type { Question } from '../../build/content/types.ts';
import type { QuestionFile, ShiftSummary } from '../../build/release/resources.ts';
import { type Files, makeBank, paperOf, paperPath, shiftPath } from './bank-folder.ts';
import { png, svg } from './image-bytes.ts';
import { type Bank, readBank } from './read-bank.ts';
import { validateFolder } from './validate-folder.ts';

export const graph = svg(320, 200);
export const photo = png(13, 7);

/** A question with every field, in another order than that of the response. */
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

/** The responses of a release. */
export interface CompiledBank {
  readonly exams: readonly CompiledExam[];
  /** In the order of their content files. */
  readonly files: readonly QuestionFile[];
}

/** A resource as a client receives it. */
export function received<Resource>(resource: Resource): Resource {
  return JSON.parse(JSON.stringify(resource));
}

/** Compiles a valid bank. */
export function compileBank({ exams, details, papers, diagrams }: Bank): CompiledBank {
  const shifts = [...groupBy(papers, ({ path }) => dirname(path))].map(([folder, ofShift]) => {
    const [place] = ofShift;
    assert.ok(place);
    const drawn = diagrams.filter(({ path }) => path.startsWith(`${folder}/`));
    const written = details.find(({ path }) => dirname(path) === folder)?.content;
    return compileShift({ ...place, details: written }, ofShift, [], drawn, {
      diagrams: drawn.map(() => Buffer.alloc(0)),
    });
  });
  const responses = shifts.flatMap((shift) => shift.responses.filter(({ path }) => path.endsWith('.json')));
  return {
    exams: compileExams(
      exams,
      shifts.map(({ compiled }) => compiled),
    ),
    files: responses.map(({ body }) => JSON.parse(body.toString())),
  };
}

/** Compiles the bank of `makeBank` with these files. */
export async function compileFiles(files: Files): Promise<CompiledBank> {
  const { dir } = await makeBank(files);
  const { report } = await validateFolder(dir);
  assert.equal(report.summary.errors, 0, JSON.stringify(report.diagnostics));
  return compileBank(await readBank(dir));
}

export async function compileExam(files: Files): Promise<CompiledExam> {
  const [exam] = (await compileFiles(files)).exams;
  assert.ok(exam);
  return exam;
}

/** Compiles a paper with these questions. */
export async function compilePaper(questions: readonly Question[], files: Files = {}): Promise<QuestionFile> {
  const [file] = (await compileFiles({ [paperPath]: paperOf(...questions), ...files })).files;
  assert.ok(file);
  return file;
}

export async function shiftsOf(files: Files): Promise<readonly ShiftSummary[]> {
  const exam = await compileExam(files);
  return exam.years.flatMap(({ resource }) => resource.shifts);
}
