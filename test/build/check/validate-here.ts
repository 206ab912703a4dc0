import { checkContent } from '../../../build/check/check-content.ts';
import type { Report } from '../../../build/check/diagnostic.ts';
import { examineContent } from '../../../build/check/examine-content.ts';
import type { Examiner } from '../../../build/check/examiner.ts';
import { LocalExaminer } from '../../../build/check/local-examiner.ts';
import { PassedFormulas } from '../../../build/check/passed-formulas.ts';
import { scopeOf } from '../../../build/check/scope.ts';
import { Work } from '../../../build/check/work.ts';
import { findContent } from '../../../build/content/find.ts';
import type { ValidationSetting } from '../../../build/validate.ts';

/** Knows of no file. */
const nothing = { exam: () => undefined, shift: () => undefined, save: async () => undefined };

/**
 * Validates in this thread, reading every file. Formulas that KaTeX has set are remembered.
 *
 * @param examinerOf makes the examiner that is used
 */
export async function validateHere(
  { contentDir, dataDir, now }: ValidationSetting,
  examinerOf: (work: Work) => Examiner = (work) => new LocalExaminer(work),
): Promise<Report> {
  const content = await findContent(contentDir);
  const formulas = await PassedFormulas.open(dataDir);
  const work = new Work({
    ...{ contentDir, now: now.getTime() },
    passedFormulas: formulas.table.words,
    passedFiles: new Uint32Array(),
  });
  const scope = scopeOf(content);
  const examined = await examineContent({
    ...{ content, scope, recollection: nothing },
    openFormulas: async () => formulas,
    startExaminer: async () => examinerOf(work),
  });
  return checkContent(contentDir, content, scope, examined);
}
