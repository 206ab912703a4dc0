import type { Bank } from './read/bank.ts';
import { findContent, type ShiftFolder } from './read/find.ts';
import type { Report } from './report/diagnostic.ts';
import { checkContent } from './validate/check-content.ts';
import { examineContent } from './validate/examine-content.ts';
import type { Examiner, Progress } from './validate/examiner.ts';
import type { PassedFormulas } from './validate/passed-formulas.ts';
import { Recollection } from './validate/recollection.ts';
import { scopeOf } from './validate/scope.ts';
import type { WorkSetting } from './validate/work.ts';

// What is needed only where something is to be examined is loaded only then.

/** From so many papers on, threads save more time than it takes to start them. */
const manyPapers = 200;

const nobodyWatches: Progress = () => undefined;

export interface ValidationSetting {
  readonly contentDir: string;
  /** Keeps what need not be looked at again: files without fault, formulas that KaTeX has set. */
  readonly dataDir: string;
  readonly now: Date;
}

/** Content that was read whole and held against every rule. */
export interface Validation {
  readonly bank: Bank;
  readonly report: Report;
}

/**
 * Reads the content, keeps it, and holds it against the schemas and all rules.
 *
 * @throws NoContent when the content folder does not exist.
 */
export async function validateBank(setting: ValidationSetting): Promise<Validation> {
  const { contentDir, dataDir } = setting;
  const content = await findContent(contentDir);
  const scope = scopeOf(content);
  const { LocalExaminer } = await import('./validate/local-examiner.ts');
  const opening = openFormulas(dataDir);
  const examiner = new LocalExaminer(await workSetting(setting, opening), 'keeping');
  const examined = await examineContent({
    content,
    scope,
    recollection: undefined,
    openFormulas: () => opening,
    startExaminer: async () => examiner,
  });
  return { bank: examiner.bank, report: await checkContent(contentDir, content, scope, examined) };
}

/**
 * Holds the content against the schemas and all rules, on all cores when it is large, and keeps nothing of it.
 * Files that have not changed since they passed are not read again.
 *
 * @param changed the paths that changed: only these are validated, the others as far as they must agree with them
 * @param onProgress is told how far the work is, where it is long
 * @throws NoContent when the content folder does not exist.
 */
export async function validateContent(
  setting: ValidationSetting,
  changed?: ReadonlySet<string>,
  onProgress: Progress = nobodyWatches,
): Promise<Report> {
  const { contentDir, dataDir, now } = setting;
  const content = await findContent(contentDir);
  const scope = scopeOf(content, changed);
  const recollection = await Recollection.open(contentDir, dataDir, content, now);
  const examined = await examineContent({
    content,
    scope,
    recollection,
    openFormulas: () => openFormulas(dataDir),
    startExaminer: (folders, formulas) =>
      startExaminer(folders, workSetting(setting, formulas, recollection.words), onProgress),
  });
  return checkContent(contentDir, content, scope, examined);
}

async function openFormulas(dataDir: string): Promise<PassedFormulas> {
  return (await import('./validate/passed-formulas.ts')).PassedFormulas.open(dataDir);
}

async function workSetting(
  { contentDir, now }: ValidationSetting,
  formulas: Promise<PassedFormulas>,
  passedFiles: Uint32Array = new Uint32Array(),
): Promise<WorkSetting> {
  const { readSchemas } = await import('./validate/schemas.ts');
  const [schemas, { table }] = await Promise.all([readSchemas(), formulas]);
  return { contentDir, schemas, now: now.getTime(), passedFormulas: table.words, passedFiles };
}

async function startExaminer(
  folders: readonly ShiftFolder[],
  work: Promise<WorkSetting>,
  onProgress: Progress,
): Promise<Examiner> {
  const papers = folders.reduce((sum, folder) => sum + folder.papers.length, 0);
  if (papers < manyPapers)
    return new (await import('./validate/local-examiner.ts')).LocalExaminer(await work);
  return (await import('./validate/thread-examiner.ts')).ThreadExaminer.start(work, onProgress);
}
