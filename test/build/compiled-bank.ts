import assert from 'node:assert/strict';
import { join } from 'node:path';
import { processExam, processShift } from '../../build/check/process-shift.ts';
import { compileExams } from '../../build/compile/exams.ts';
import { findContent, maxJsonBytes, readBytes, readShift } from '../../build/content/file.ts';
import type { QuestionFile } from '../../build/release/resources.ts';
import { type Files, makeBank, testNow } from './bank-folder.ts';
import { validateFolder } from './validate-folder.ts';

/** A resource as a client receives it. */
export function received<Resource>(resource: Resource): Resource {
  return JSON.parse(JSON.stringify(resource));
}

/** Compiles the bank of `makeBank` with these files, which must be valid, into responses in the order of its files. */
export async function compileFiles(files: Files) {
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
      .map(({ body }): QuestionFile => JSON.parse(body.toString())),
  };
}
