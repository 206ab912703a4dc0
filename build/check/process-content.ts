import type { PublishedShift } from '../compile/compile-shift.ts';
import { type FoundContent, type ShiftFolder, shiftPath } from '../content/find.ts';
import type { Exam } from '../content/types.ts';
import type { Pool } from '../pool.ts';
import type { ContentTasks, ShiftResult } from './content-tasks.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { PaperFacts } from './process-shift.ts';
import type { CachedResult, ResultCache } from './result-cache.ts';
import type { Scope } from './scope.ts';
import { rememberFormulas } from './text-hash.ts';

export interface ProcessedContent {
  readonly exams: readonly Exam[];
  /** Of the papers that were validated. */
  readonly facts: readonly PaperFacts[];
  /** Of the papers outside the scope. */
  readonly otherFacts: readonly PaperFacts[];
  readonly diagnostics: readonly Diagnostic[];
  /** By the path of the shift's folder. */
  readonly published: ReadonlyMap<string, PublishedShift>;
  readonly timed: readonly TimedShift[];
}

export interface TimedShift {
  /** `<exam>/<year>/<shift>` */
  readonly path: string;
  readonly milliseconds: number;
}

export interface Processing {
  readonly content: FoundContent;
  readonly scope: Scope;
  readonly cache: ResultCache;
  readonly pool: Pick<Pool<ContentTasks, unknown>, 'open' | 'map'>;
  /** Reads what an earlier build published of a shift. */
  readonly publishedOf?: (result: CachedResult) => PublishedShift | undefined;
}

/** Processes the units of content that are not cached, and caches their results. Call `cache.save` afterwards. */
export async function processContent(processing: Processing): Promise<ProcessedContent> {
  const { content, scope, cache, pool, publishedOf } = processing;
  const exams: Exam[] = [];
  const facts: PaperFacts[] = [];
  const diagnostics: Diagnostic[] = [];
  const published = new Map<string, PublishedShift>();
  const timed: TimedShift[] = [];

  const newExams = content.exams.filter(({ path }) => {
    const result = cache.find(path);
    if (result?.exam) addExam(result.exam, result.diagnostics);
    return !result?.exam;
  });
  const newShifts = scope.examined.filter((folder) => !addCached(folder, cache.find(shiftPath(folder))));
  const files = papersOf(newShifts) + papersOf(scope.others);
  if (newExams.length + newShifts.length + scope.others.length > 0) await pool.open(files);
  const [examResults, shiftResults, otherFacts] = await Promise.all([
    pool.map('exams', 'Exams:', newExams),
    pool.map('shifts', 'Shifts:', newShifts),
    pool.map('facts', 'Shifts:', scope.others),
  ]);
  for (const { exam, diagnostics: ofExam, digest } of examResults) {
    addExam(exam, ofExam);
    if (digest !== undefined) cache.set(exam.path, { digest, diagnostics: ofExam, exam });
  }
  for (const [index, folder] of newShifts.entries()) {
    const result = shiftResults[index];
    if (result) addNew(folder, result);
  }
  return { exams, facts, otherFacts: otherFacts.flat(), diagnostics, published, timed };

  function addExam(exam: Exam, ofExam: readonly Diagnostic[]): void {
    exams.push(exam);
    diagnostics.push(...ofExam);
  }

  /** Returns false if the shift has to be processed. */
  function addCached(folder: ShiftFolder, result: CachedResult | undefined): boolean {
    const shift = result && publishedOf?.(result);
    if (!result?.facts || (publishedOf && !shift)) return false;
    if (shift) published.set(shiftPath(folder), shift);
    facts.push(...result.facts);
    diagnostics.push(...result.diagnostics);
    return true;
  }

  function addNew(folder: ShiftFolder, result: ShiftResult): void {
    const path = shiftPath(folder);
    timed.push({ path, milliseconds: result.milliseconds });
    if ('cached' in result) {
      const cached = cache.byDigest.get(result.cached);
      if (!cached || !addCached(folder, cached)) throw new Error(`The cached result of ${path} is missing.`);
      cache.set(path, cached);
      return;
    }
    const { digest, published: shift, newFormulas, facts: ofShift, diagnostics: problems } = result;
    rememberFormulas(cache.validFormulas, newFormulas);
    if (shift) published.set(path, shift);
    facts.push(...ofShift);
    diagnostics.push(...problems);
    if (digest === undefined) return;
    cache.set(path, { digest, diagnostics: problems, facts: ofShift, published: shift && JSON.stringify(shift) });
  }
}

function papersOf(folders: readonly ShiftFolder[]): number {
  return folders.reduce((sum, folder) => sum + folder.papers.length, 0);
}
