import { join } from 'node:path';
import { checkBank, type Scope } from '../check/check-bank.ts';
import type { Diagnostic, Report } from '../check/diagnostic.ts';
import type { PaperFacts, ProcessedExam } from '../check/process-shift.ts';
import type { CompiledShift } from '../compile/compile-shift.ts';
import {
  type ExamPlace,
  type FoundContent,
  maxJsonBytes,
  pathsOfShift,
  readBytes,
  type ShiftFolder,
  shiftPath,
} from '../content/file.ts';
import { rememberFormulas } from '../content/formulas.ts';
import type { FileStamps } from '../content/stamps.ts';
import type { Exam } from '../content/types.ts';
import type { Bank } from '../release/config.ts';
import type { Cache, CachedResult } from './cache.ts';
import type { IsStored } from './open-build.ts';
import type { Pool } from './pool.ts';
import type { ShiftResult, ShiftToProcess, StoredShift } from './worker.ts';

export interface CheckedContent {
  readonly report: Report;
  readonly exams: readonly Exam[];
  readonly facts: readonly PaperFacts[];
  /** Compiled shifts in the order of the content, without those that could not be compiled. */
  readonly compiled: readonly CompiledShift[];
  /** Shifts that were processed and stored, by their paths. All others are in the last release. */
  readonly processed: ReadonlyMap<string, StoredShift>;
}

export interface CheckSetting {
  readonly contentDir: string;
  readonly content: FoundContent;
  /** The stamps of the files before any was read; undefined if they have not been scanned. */
  readonly stamps: FileStamps | undefined;
  readonly cache: Pick<Cache, 'validFormulas' | 'get' | 'set'>;
  readonly pool: Pick<Pool, 'shifts'>;
  readonly bank: Bank;
  /** Which problems are reported; by default all. */
  readonly scope?: Scope;
  /** Whether the last release has the files of a shift, if this is a build. */
  readonly isStored?: IsStored;
}

/**
 * The one loop over the content, for all commands: processes its exam files and shifts, except those that are cached, and
 * caches their results, which `cache.save` stores. Then it checks the bank as a whole.
 */
export async function checkContent(setting: CheckSetting): Promise<CheckedContent> {
  const { contentDir, content, stamps, cache, pool, bank, scope, isStored } = setting;
  const exams: Exam[] = [];
  const facts: PaperFacts[] = [];
  const diagnostics: Diagnostic[] = [];
  const compiled = new Map<string, CompiledShift>();
  const processed = new Map<string, StoredShift>();

  for (const place of content.exams) {
    const { exam, diagnostics: ofExam } = await processedExam(setting, place);
    exams.push(exam);
    diagnostics.push(...ofExam);
  }
  const sources = new Map(exams.map(({ code, content }) => [code, content?.source]));
  const waiting: WaitingShift[] = [];
  for (const found of content.shifts) {
    const folder = { ...found, source: sources.get(found.exam) ?? bank.source };
    const cached = fromCache(shiftPath(folder));
    const stamp = stampOf(folder);
    if (cached && stamp !== undefined && cached.stamp === stamp) add(folder, cached);
    else waiting.push({ folder, stamp, cached: cached?.digest });
  }
  const results = await pool.shifts(waiting);
  for (const [index, shift] of waiting.entries()) {
    const result = results[index];
    if (result) addProcessed(shift, result);
  }
  const report = await checkBank(contentDir, content, { exams, facts, diagnostics }, bank, scope);
  const inOrder = content.shifts.flatMap((folder) => {
    const shift = compiled.get(shiftPath(folder));
    if (!shift && isStored && folder.papers.length > 0 && report.summary.errors === 0)
      throw new Error(`${shiftPath(folder)} passed the checks but has no outputs.`);
    return shift ?? [];
  });
  return { report, exams, facts, compiled: inOrder, processed };

  /** The stamp of a shift's files and source; undefined if one of its files was changed just now. */
  function stampOf(folder: ShiftFolder): string | undefined {
    const stamp = stamps?.of(pathsOfShift(folder));
    return stamp && `${stamp} ${JSON.stringify(folder.source)}`;
  }

  /** The cached result of a shift. A build uses it only if the last release has what was published of it. */
  function fromCache(unit: string): UsableResult | undefined {
    const result = cache.get(unit);
    if (!isStored) return result;
    const { published } = result ?? {};
    if (!result || !published || !isStored(unit, published.files)) return undefined;
    return { ...result, compiled: JSON.parse(published.compiled) };
  }

  function add(folder: ShiftFolder, result: Omit<UsableResult, 'digest' | 'stamp'>): void {
    facts.push(...(result.facts ?? []));
    diagnostics.push(...result.diagnostics);
    if (result.compiled) compiled.set(shiftPath(folder), result.compiled);
  }

  function addProcessed({ folder, stamp }: WaitingShift, result: ShiftResult): void {
    const unit = shiftPath(folder);
    if (result.isCached) {
      const cached = fromCache(unit);
      if (!cached) throw new Error(`The cached result of ${unit} is missing.`);
      add(folder, cached);
      const { compiled: _, ...stored } = cached;
      cache.set(unit, { ...stored, stamp });
      return;
    }
    const { digest, published: stored, newFormulas, facts, diagnostics } = result;
    rememberFormulas(cache.validFormulas, newFormulas);
    add(folder, { facts, diagnostics, compiled: stored?.compiled });
    if (stored) processed.set(unit, stored);
    const published = stored && {
      compiled: JSON.stringify(stored.compiled),
      files: stored.digest,
    };
    if (digest !== undefined) cache.set(unit, { digest, stamp, diagnostics, facts, published });
  }
}

interface WaitingShift extends ShiftToProcess {
  readonly stamp: string | undefined;
}

interface UsableResult extends CachedResult {
  readonly compiled?: CompiledShift | undefined;
}

/** The rules are loaded only for an exam file that has changed. */
async function processedExam(
  { contentDir, stamps, cache }: CheckSetting,
  place: ExamPlace,
): Promise<ProcessedExam> {
  const stamp = stamps?.of([place.path]);
  const cached = cache.get(place.path);
  if (cached?.exam && stamp !== undefined && cached.stamp === stamp)
    return { exam: cached.exam, diagnostics: cached.diagnostics };
  const { processExam } = await import('../check/process-shift.ts');
  const bytes = readBytes(join(contentDir, place.path), maxJsonBytes);
  const processed = processExam(place, bytes);
  if (!('fault' in bytes)) cache.set(place.path, { stamp, ...processed });
  return processed;
}
