import { isDeepStrictEqual } from 'node:util';
import { openCache } from '../cache.ts';
import { type FoundContent, pathsOfShift, shiftPath } from '../content/find.ts';
import type { FileStamps } from '../content/stamps.ts';
import type { Exam } from '../content/types.ts';
import type { Source } from '../release/resources.ts';
import { updated } from '../rules/paper.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { PaperFacts } from './process-shift.ts';

/** What is stored of a processed unit: a shift or an exam file. It depends on the bytes of the unit's files alone. */
export interface CachedResult {
  /** SHA-256 of the paths and bytes of the files. */
  readonly digest: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Of a shift. */
  readonly facts?: readonly PaperFacts[];
  /** A `PublishedShift` as JSON, if a build has compiled the shift. */
  readonly published?: string | undefined;
  /** Of a shift: that of its exam or of the bank. The digest covers it. */
  readonly source?: Source | undefined;
  /** Of an exam file. */
  readonly exam?: Exam;
}

interface StoredResult extends CachedResult {
  /** Of the files when they were read; undefined if they had been written just before. */
  readonly stamp: string | undefined;
}

/** The path of an exam file or of a shift's folder, and its result. */
type StoredUnit = readonly [unit: string, result: StoredResult];

/** The content of a run, and the stamps of its files before any was read. */
interface CurrentContent {
  readonly content: FoundContent;
  readonly stamps: FileStamps;
}

export type ResultCache = Awaited<ReturnType<typeof openResultCache>>;

/**
 * Opens the results of earlier runs, which are found by the stamps of files, or by their digest.
 *
 * @param current the content of the first run; without it, only formulas and digests are found
 */
export async function openResultCache(dataDir: string, current?: CurrentContent) {
  const file = await openCache<Float64Array | StoredUnit>(dataDir, 'results');
  const [formulas = new Float64Array(), ...units] = await file.read();
  const validFormulas = new Set(formulas as Float64Array);
  let storedFormulas = validFormulas.size;
  let stored: ReadonlyMap<string, StoredResult> = new Map(units as StoredUnit[]);
  /** Of the files as they are now, before any was read. */
  let stamps: ReadonlyMap<string, string | undefined> = new Map();
  let found = new Map<string, StoredResult>();
  let byDigest: ReadonlyMap<string, StoredResult> | undefined;
  let isChanged = false;

  /** Begins a run, which can use the results of all runs before. */
  function begin({ content: { exams, shifts }, stamps: all }: CurrentContent): void {
    stored = new Map([...stored, ...found]);
    byDigest = undefined;
    found = new Map();
    stamps = new Map([
      ...exams.map(({ path }) => [path, all.of([path])] as const),
      ...shifts.map((folder) => [shiftPath(folder), all.of(pathsOfShift(folder))] as const),
    ]);
  }

  if (current) begin(current);
  return {
    validFormulas,
    begin,

    /**
     * The result for a unit whose files have not changed.
     *
     * @param unit path of the exam file or of the shift's folder
     * @param source of the shift's exam or of the bank, if it is known
     */
    find(unit: string, source?: Source): CachedResult | undefined {
      const stamp = stamps.get(unit);
      const result = stored.get(unit);
      if (
        stamp === undefined ||
        result?.stamp !== stamp ||
        !isDeepStrictEqual(result.source, source)
      )
        return undefined;
      found.set(unit, result);
      return result;
    },

    /** The results by the digests of their files, wherever those files were. */
    get byDigest(): ReadonlyMap<string, CachedResult> {
      byDigest ??= new Map([...stored.values()].map((result) => [result.digest, result]));
      return byDigest;
    },

    /** The stored results of units that were changed, moved or removed. */
    unused(): CachedResult[] {
      return [...stored].flatMap(([unit, result]) => (found.has(unit) ? [] : result));
    },

    set(unit: string, result: CachedResult): void {
      const stamp = stamps.get(unit);
      const before = stored.get(unit);
      found.set(unit, { ...result, stamp });
      if (!isLasting(result.diagnostics)) return;
      if (
        before?.digest !== result.digest ||
        before.stamp !== stamp ||
        before.published !== result.published
      )
        isChanged = true;
    },

    /** Stores the results that were found or set. @param isPartial also those of units that this run did not need */
    async save(isPartial = false): Promise<void> {
      const all = isPartial ? new Map([...stored, ...found]) : found;
      let room = mostStored;
      const kept = [...all].filter(([, { diagnostics }]) => {
        const isKept = isLasting(diagnostics) && diagnostics.length <= room;
        if (isKept) room -= diagnostics.length;
        return isKept;
      });
      if (kept.length === stored.size && validFormulas.size === storedFormulas && !isChanged)
        return;
      await file.write([Float64Array.from(validFormulas), ...kept]);
      storedFormulas = validFormulas.size;
      isChanged = false;
    },
  };
}

/** Diagnostics of all units. They have the lines around them: those of a bank full of problems would fill the cache. */
const mostStored = 20_000;

/** Whether the same files have the same diagnostics at any time. */
function isLasting(diagnostics: readonly Diagnostic[]): boolean {
  return !diagnostics.some(({ rule }) => rule === updated.name);
}
