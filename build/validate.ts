import { checkContent } from './check/check-content.ts';
import { examineContent } from './check/examine-content.ts';
import type { Examiner } from './check/examiner.ts';
import type { PassedFormulas } from './check/passed-formulas.ts';
import { Recollection } from './check/recollection.ts';
import { scopeOf } from './check/scope.ts';
import type { WorkSetting } from './check/work.ts';
import { findContent, type ShiftFolder } from './content/find.ts';
import type { Report } from './report/diagnostic.ts';
import type { Progress, Threads } from './threads/threads.ts';

// What is needed only where something is to be examined is loaded only then.

/** From so many papers on, threads save more time than it takes to start them. */
export const manyPapers = 200;

const nobodyWatches: Progress = () => undefined;

export interface ValidationSetting {
  readonly contentDir: string;
  /** Keeps what need not be looked at again: files without fault, formulas that KaTeX has set. */
  readonly dataDir: string;
  readonly now: Date;
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
  let threads: Threads | undefined;
  try {
    const examined = await examineContent({
      content,
      scope,
      recollection,
      openFormulas: () => openFormulas(dataDir),
      startExaminer: async (folders, formulas) => {
        const work = workSetting(setting, formulas, recollection.words);
        if (papersOf(folders) < manyPapers) return localExaminer(await work);
        threads = await startThreads(work, onProgress);
        return new (await import('./check/thread-examiner.ts')).ThreadExaminer(threads);
      },
    });
    return await checkContent(contentDir, content, scope, examined);
  } finally {
    await threads?.close();
  }
}

/** How many papers stand in these folders. */
export function papersOf(folders: readonly ShiftFolder[]): number {
  return folders.reduce((sum, folder) => sum + folder.papers.length, 0);
}

export async function openFormulas(dataDir: string): Promise<PassedFormulas> {
  return (await import('./check/passed-formulas.ts')).PassedFormulas.open(dataDir);
}

/** What is needed to examine content, once it is known which formulas KaTeX has set. */
export async function workSetting(
  { contentDir, now }: ValidationSetting,
  formulas: Promise<PassedFormulas>,
  passedFiles: Uint32Array,
): Promise<WorkSetting> {
  const { table } = await formulas;
  return { contentDir, now: now.getTime(), passedFormulas: table.words, passedFiles };
}

async function localExaminer(setting: WorkSetting): Promise<Examiner> {
  const [{ LocalExaminer }, { Work }] = await Promise.all([
    import('./check/local-examiner.ts'),
    import('./check/work.ts'),
  ]);
  return new LocalExaminer(new Work(setting));
}

async function startThreads(setting: Promise<WorkSetting>, onProgress: Progress): Promise<Threads> {
  const { Threads } = await import('./threads/threads.ts');
  return Threads.start('validation-worker', setting, onProgress);
}
