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
  /** Only a shift has facts. */
  readonly facts?: readonly PaperFacts[];
  /** A `PublishedShift` as JSON, if a build has compiled the shift. */
  readonly published?: string | undefined;
  /** The source of a shift's exam or of the bank. The digest covers it. */
  readonly source?: Source | undefined;
  /** Only an exam file has an exam. */
  readonly exam?: Exam;
}

interface StoredResult extends CachedResult {
  /** The stamp of the files when they were read; undefined if they had been written just before. */
  readonly stamp: string | undefined;
}

/** The path of an exam file or of a shift's folder, and its result. */
type StoredUnit = readonly [unit: string, result: StoredResult];

/** The content of a run, and the stamps of its files before any was read. */
interface CurrentContent {
  readonly content: FoundContent;
  readonly stamps: FileStamps;
}

export interface ResultCache {
  /** Hashes of formulas that KaTeX accepts. */
  readonly validFormulas: Set<number>;
  /** Begins a run, which can use the results of all runs before. */
  readonly begin: (current: CurrentContent) => void;
  /**
   * The result for a unit whose files have not changed.
   *
   * @param unit path of the exam file or of the shift's folder
   * @param source of the shift's exam or of the bank, if it is known
   */
  readonly find: (unit: string, source?: Source) => CachedResult | undefined;
  /** The results by the digests of their files, wherever those files were. */
  readonly byDigest: ReadonlyMap<string, CachedResult>;
  /** Returns the stored results of units that were changed, moved or removed. */
  readonly unused: () => CachedResult[];
  readonly set: (unit: string, result: CachedResult) => void;
  /** Stores the results that were found or set. @param isPartial also those of units that this run did not need */
  readonly save: (isPartial?: boolean) => Promise<void>;
}

/**
 * Opens the results of earlier runs, which are found by the stamps of files, or by their digest.
 *
 * @param current the content of the first run; without it, only formulas and digests are found
 */
export async function openResultCache(
  dataDir: string,
  current?: CurrentContent,
): Promise<ResultCache> {
  const file = await openCache<Float64Array | StoredUnit>(dataDir, 'results');
  const [formulas = new Float64Array(), ...units] = await file.read();
  const validFormulas = new Set(formulas as Float64Array);
  let storedFormulas = validFormulas.size;
  let stored: ReadonlyMap<string, StoredResult> = new Map(units as StoredUnit[]);
  /** The stamps of the files as they are now, before any was read. */
  let stamps: ReadonlyMap<string, string | undefined> = new Map();
  let found = new Map<string, StoredResult>();
  let byDigest: ReadonlyMap<string, StoredResult> | undefined;
  let isChanged = false;

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

    find(unit, source) {
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

    get byDigest() {
      byDigest ??= new Map([...stored.values()].map((result) => [result.digest, result]));
      return byDigest;
    },

    unused() {
      return [...stored].flatMap(([unit, result]) => (found.has(unit) ? [] : result));
    },

    set(unit, result) {
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

    async save(isPartial = false) {
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
