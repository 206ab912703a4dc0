import { isDeepStrictEqual } from 'node:util';
import { CacheFile } from '../cache.ts';
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

/** The results of earlier runs, found by the stamps of files, or by their digest. */
export class ResultCache {
  readonly validFormulas: Set<number>;
  readonly #file: CacheFile<Float64Array | StoredUnit>;
  #stored: ReadonlyMap<string, StoredResult>;
  #storedFormulas: number;
  /** Of the files as they are now, before any was read. */
  #stamps: ReadonlyMap<string, string | undefined> = new Map();
  #current = new Map<string, StoredResult>();
  #byDigest: ReadonlyMap<string, StoredResult> | undefined;
  #isChanged = false;

  private constructor(
    file: CacheFile<Float64Array | StoredUnit>,
    [formulas = new Float64Array(), ...units]: readonly (Float64Array | StoredUnit)[],
  ) {
    this.#file = file;
    this.#stored = new Map(units as StoredUnit[]);
    this.validFormulas = new Set(formulas as Float64Array);
    this.#storedFormulas = this.validFormulas.size;
  }

  /** @param current the content of the first run; without it, only formulas and digests are found */
  static async open(dataDir: string, current?: CurrentContent): Promise<ResultCache> {
    const file = await CacheFile.open<Float64Array | StoredUnit>(dataDir, 'results');
    const cache = new ResultCache(file, await file.read());
    if (current) cache.begin(current);
    return cache;
  }

  /** Begins a run, which can use the results of all runs before. */
  begin({ content: { exams, shifts }, stamps }: CurrentContent): void {
    this.#stored = new Map([...this.#stored, ...this.#current]);
    this.#byDigest = undefined;
    this.#current = new Map();
    this.#stamps = new Map([
      ...exams.map(({ path }) => [path, stamps.of([path])] as const),
      ...shifts.map((folder) => [shiftPath(folder), stamps.of(pathsOfShift(folder))] as const),
    ]);
  }

  /**
   * The result for a unit whose files have not changed.
   *
   * @param unit path of the exam file or of the shift's folder
   * @param source of the shift's exam or of the bank, if it is known
   */
  find(unit: string, source?: Source): CachedResult | undefined {
    const stamp = this.#stamps.get(unit);
    const result = this.#stored.get(unit);
    if (stamp === undefined || result?.stamp !== stamp || !isDeepStrictEqual(result.source, source)) return undefined;
    this.#current.set(unit, result);
    return result;
  }

  /** The results by the digests of their files, wherever those files were. */
  get byDigest(): ReadonlyMap<string, CachedResult> {
    this.#byDigest ??= new Map([...this.#stored.values()].map((result) => [result.digest, result]));
    return this.#byDigest;
  }

  /** The stored results of units that were changed, moved or removed. */
  unused(): CachedResult[] {
    return [...this.#stored].flatMap(([unit, result]) => (this.#current.has(unit) ? [] : result));
  }

  set(unit: string, result: CachedResult): void {
    const stamp = this.#stamps.get(unit);
    const stored = this.#stored.get(unit);
    this.#current.set(unit, { ...result, stamp });
    if (!isLasting(result.diagnostics)) return;
    if (stored?.digest !== result.digest || stored.stamp !== stamp || stored.published !== result.published)
      this.#isChanged = true;
  }

  /**
   * Stores the results that were found or set.
   *
   * @param isPartial also keeps the results of units that this run did not need
   */
  async save(isPartial = false): Promise<void> {
    const all = isPartial ? new Map([...this.#stored, ...this.#current]) : this.#current;
    let room = mostStored;
    const kept = [...all].filter(([, { diagnostics }]) => {
      const isKept = isLasting(diagnostics) && diagnostics.length <= room;
      if (isKept) room -= diagnostics.length;
      return isKept;
    });
    const isSame = kept.length === this.#stored.size && this.validFormulas.size === this.#storedFormulas;
    if (isSame && !this.#isChanged) return;
    await this.#file.write([Float64Array.from(this.validFormulas), ...kept]);
    this.#storedFormulas = this.validFormulas.size;
    this.#isChanged = false;
  }
}

/** Diagnostics of all units. They have the lines around them: those of a bank full of problems would fill the cache. */
const mostStored = 20_000;

/** Whether the same files have the same diagnostics at any time. */
function isLasting(diagnostics: readonly Diagnostic[]): boolean {
  return !diagnostics.some(({ rule }) => rule === updated.name);
}
