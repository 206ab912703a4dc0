import assert from 'node:assert/strict';
import { join } from 'node:path';
import { processExam, processShift } from '../../build/check/process-shift.ts';
import { type CompiledExam, compileExams } from '../../build/compile/exams.ts';
import { findContent, maxJsonBytes, readBytes, readShift } from '../../build/content/file.ts';
import type { Question } from '../../build/content/written.ts';
import type { QuestionFile, ShiftSummary } from '../../build/release/resources.ts';
import { type Files, makeBank, paperOf, paperPath, shiftPath, testNow } from './bank-folder.ts';
import { png, svg } from './image-bytes.ts';
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
interface CompiledBank {
  readonly exams: readonly CompiledExam[];
  /** In the order of their content files. */
  readonly files: readonly QuestionFile[];
}

/** A resource as a client receives it. */
export function received<Resource>(resource: Resource): Resource {
  return JSON.parse(JSON.stringify(resource));
}

/** Compiles the bank of `makeBank` with these files, which must be valid. */
export async function compileFiles(files: Files): Promise<CompiledBank> {
  const { dir } = await makeBank(files);
  const { report } = await validateFolder(dir);
  assert.equal(report.summary.errors, 0, JSON.stringify(report.diagnostics));
  const { exams, shifts } = await findContent(dir);
  const options = { now: testNow, validFormulas: new Set<number>(), compile: true };
  const outputs = await Promise.all(
    shifts.map(
      async (folder) =>
        (await processShift(folder, readShift(dir, folder), options)).outputs ?? assert.fail(),
    ),
  );
  const readExams = exams.map(
    (place) => processExam(place, readBytes(join(dir, place.path), maxJsonBytes)).exam,
  );
  return {
    exams: compileExams(
      readExams,
      outputs.map(({ compiled }) => compiled),
    ),
    files: outputs
      .flatMap(({ responses }) => responses.filter(({ file }) => file.endsWith('.json')))
      .map(({ body }) => JSON.parse(body.toString())),
  };
}

export async function compileExam(files: Files): Promise<CompiledExam> {
  const [exam] = (await compileFiles(files)).exams;
  assert.ok(exam);
  return exam;
}

/** Compiles a paper with these questions. */
export async function compilePaper(
  questions: readonly Question[],
  files: Files = {},
): Promise<QuestionFile> {
  const [file] = (await compileFiles({ [paperPath]: paperOf(...questions), ...files })).files;
  assert.ok(file);
  return file;
}

export async function shiftsOf(files: Files): Promise<readonly ShiftSummary[]> {
  const exam = await compileExam(files);
  return exam.years.flatMap(({ resource }) => resource.shifts);
}
