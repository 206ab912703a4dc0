import type { PublishedShift } from '../compile/compile-shift.ts';
import {
  baselinePath,
  exceptionsPath,
  type FoundContent,
  placeOf,
  type ShiftFolder,
  shiftPath,
} from '../content/find.ts';
import type { Exam } from '../content/types.ts';
import type { Pool } from '../pool.ts';
import type { Source } from '../release/resources.ts';
import type { ContentTasks, ShiftResult } from './content-tasks.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { PaperFacts } from './process-shift.ts';
import type { CachedResult, ResultCache } from './result-cache.ts';
import { rememberFormulas } from './text-hash.ts';

/** Which part of the content is validated. Of the rest only the ids and texts of questions are read. */
export interface Scope {
  readonly examined: readonly ShiftFolder[];
  readonly others: readonly ShiftFolder[];
  /** Whether problems of a file itself are reported. */
  readonly concerns: (path: string) => boolean;
  /** Whether problems between a file and the rest of the bank are reported. */
  readonly concernsInBank: (path: string) => boolean;
}

/**
 * @param changed paths inside the content folder, including those of deleted files. Everything is validated if it is left
 * out, or if the exceptions changed
 */
export function scopeOf({ shifts }: FoundContent, changed?: ReadonlySet<string>): Scope {
  if (!changed || changed.has(exceptionsPath) || changed.has(baselinePath)) {
    const all = () => true;
    return { examined: shifts, others: [], concerns: all, concernsInBank: all };
  }
  const places = [...changed].map(placeOf);
  const exams = new Set(places.flatMap((place) => (place.kind === 'exam' ? [place.code] : [])));
  const touched = new Set(places.flatMap((place) => ('shift' in place ? [shiftPath(place)] : [])));
  const redrawn = new Set(
    places.flatMap((place) => (place.kind === 'diagram' ? [shiftPath(place)] : [])),
  );
  const concerns = (path: string) => {
    const place = placeOf(path);
    if (changed.has(path)) return true;
    if (place.kind === 'translation')
      return changed.has(`${shiftPath(place)}/${place.subject}.json`);
    return place.kind === 'paper' && redrawn.has(shiftPath(place));
  };
  return {
    examined: shifts.filter((shift) => touched.has(shiftPath(shift))),
    others: shifts.filter((shift) => !touched.has(shiftPath(shift))),
    concerns,
    concernsInBank: (path) => concerns(path) || path === '' || exams.has(path.split('/')[0] ?? ''),
  };
}

export interface ProcessedContent {
  readonly exams: readonly Exam[];
  /** The facts of the papers that were validated. */
  readonly facts: readonly PaperFacts[];
  /** The facts of the papers outside the scope. */
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
  /** The source of the bank. */
  readonly source?: Source | undefined;
}

/** Processes the units of content that are not cached, and caches their results. Call `cache.save` afterwards. */
export async function processContent(processing: Processing): Promise<ProcessedContent> {
  const { content, scope, cache, pool, publishedOf, source } = processing;
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
  const changed = withSources().filter((folder) => !cache.find(shiftPath(folder), folder.source));
  const others = papersOf(scope.others);
  if (newExams.length + changed.length + others > 0) await pool.open(papersOf(changed) + others);
  for (const { exam, diagnostics: ofExam, digest } of await pool.map('exams', 'Exams:', newExams)) {
    addExam(exam, ofExam);
    if (digest !== undefined) cache.set(exam.path, { digest, diagnostics: ofExam, exam });
  }
  const newShifts = withSources().filter(
    (folder) => !addCached(folder, cache.find(shiftPath(folder), folder.source)),
  );
  if (newShifts.length > 0) await pool.open(papersOf(newShifts) + others);
  const [shiftResults, otherFacts] = await Promise.all([
    pool.map('shifts', 'Shifts:', newShifts),
    pool.map('facts', 'Shifts:', scope.others),
  ]);
  for (const [index, folder] of newShifts.entries()) {
    const result = shiftResults[index];
    if (result) addNew(folder, result);
  }
  return { exams, facts, otherFacts: otherFacts.flat(), diagnostics, published, timed };

  /** The shifts with the source of their exam, which their responses have, as far as exams are known. */
  function withSources(): ShiftFolder[] {
    const sources = new Map(exams.map(({ code, content }) => [code, content?.source]));
    return scope.examined.map((folder) => ({
      ...folder,
      source: sources.get(folder.exam) ?? source,
    }));
  }

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
      if (!cached || !addCached(folder, cached))
        throw new Error(`The cached result of ${path} is missing.`);
      cache.set(path, cached);
      return;
    }
    const { digest, published: shift, newFormulas, facts: ofShift, diagnostics: problems } = result;
    rememberFormulas(cache.validFormulas, newFormulas);
    if (shift) published.set(path, shift);
    facts.push(...ofShift);
    diagnostics.push(...problems);
    if (digest === undefined) return;
    const ofFolder = { source: folder.source, published: shift && JSON.stringify(shift) };
    cache.set(path, { digest, diagnostics: problems, facts: ofShift, ...ofFolder });
  }
}

function papersOf(folders: readonly ShiftFolder[]): number {
  return folders.reduce((sum, folder) => sum + folder.papers.length, 0);
}
