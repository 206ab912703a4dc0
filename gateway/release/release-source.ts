import { setTimeout as delay } from 'node:timers/promises';
import { type ReadPointer, readPointer } from '../../build/release/store/pointer.ts';
import { lastPulled, type PullResult } from '../../build/release/store/pull.ts';
import { openStore, type Store, StoreError } from '../../build/release/store/store.ts';
import { retryDelay } from '../../build/release/waits.ts';
import { type Log, type OutageLog, outageLog } from '../log/logger.ts';
import type { CurrentRelease } from './current-release.ts';
import { publicKeysOf, type ReleaseSourceConfig } from './pull-release.ts';
import { type ReleaseRequest, runRequest } from './release-request.ts';

/** Milliseconds between two reads of the pointer, on average: gateways must not ask at the same time. */
const pollInterval = 1_000;

/** Milliseconds until a release that could not be pulled is tried again, at first and at most. */
const minRetryTime = 2_000;
const maxRetryTime = 60_000;

/** Milliseconds that a gateway without a release waits for the first one. */
const firstTimeout = 60_000;

/**
 * A store of releases that a gateway follows: polls its pointer, and pulls each new release into `dist`, where
 * `CurrentRelease` finds it. While the store is down or its release cannot be used, the last one stays.
 */
export class ReleaseSource {
  readonly #source: ReleaseSourceConfig;
  readonly #distDir: string;
  readonly #log: Log;
  readonly #program: string | undefined;
  readonly #store: Store;
  readonly #end = new AbortController();
  #releases: CurrentRelease | undefined;
  /** The ETag of the pointer that was pulled. */
  #etag: string | undefined;
  /** The pointer whose release could not be pulled. */
  #rejected: { readonly text: string; readonly until: number; readonly attempts: number } | undefined;
  /** When the last pointer that was accepted was pushed: milliseconds since 1970, UTC. */
  #pushedAt: number | undefined;
  readonly #outage: OutageLog;
  /** Of the last check that found nothing wrong: milliseconds since 1970, UTC. 0: none has. */
  checkedAt = 0;
  /** Checks and pulls that failed. */
  failures = 0;
  #following: Promise<void> = Promise.resolve();

  private constructor(
    source: ReleaseSourceConfig,
    distDir: string,
    log: Log,
    program: string | undefined,
    store: Store,
  ) {
    this.#source = source;
    this.#distDir = distDir;
    this.#log = log;
    this.#outage = outageLog(log);
    this.#program = program;
    this.#store = store;
  }

  /** @param program the compiled `release-process.ts`; without it, releases are pulled in this process */
  static async open(
    source: ReleaseSourceConfig,
    distDir: string,
    log: Log,
    program: string | undefined,
  ): Promise<ReleaseSource> {
    // Twice, because the store may close an idle connection just then.
    const store = await openStore(source.location, { attempts: 2 });
    const opened = new ReleaseSource(source, distDir, log, program, store);
    opened.#pushedAt = Date.parse((await lastPulled(distDir, store.name))?.publishedAt ?? '') || undefined;
    return opened;
  }

  /** Whether the last check could read the pointer. */
  get isUp(): boolean {
    return !this.#outage.isOngoing;
  }

  /** Whether the pointer names a release that could not be pulled. */
  get isRejecting(): boolean {
    return this.#rejected !== undefined;
  }

  /** Whether the pointer was not renewed in time: someone may hold back newer ones. */
  get isStale(): boolean {
    const { maxAge = Number.POSITIVE_INFINITY } = this.#source;
    return this.#pushedAt !== undefined && Date.now() - this.#pushedAt > maxAge;
  }

  /**
   * Pulls the release of the store, because `dist` has none that can be served.
   *
   * @throws StoreError when there is none in time
   */
  async pullFirst(): Promise<void> {
    const end = performance.now() + firstTimeout;
    for (;;) {
      const problem = await this.check(true);
      if (problem === undefined) return;
      if (performance.now() > end) {
        await this.close();
        throw new StoreError(
          `${this.#distDir} has no release to serve, and none could be fetched ` +
            `from ${this.#store.name} in ${firstTimeout / 1000} s: ${problem}.`,
        );
      }
      await delay(pollInterval);
    }
  }

  /** Follows the store from now on. */
  follow(releases: CurrentRelease): void {
    this.#releases = releases;
    releases.source = this;
    this.#following = this.#poll();
  }

  async close(): Promise<void> {
    this.#end.abort(new Error('the gateway stops'));
    await this.#following;
    await this.#store.close();
  }

  async #poll(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      await this.check();
      const wait = pollInterval * (0.75 + Math.random() / 2);
      await delay(wait, undefined, { ref: false, signal }).catch(() => {});
    }
  }

  /**
   * Reads the pointer, and pulls its release if it is new.
   *
   * @param isForced also if it was pulled before
   * @returns what is wrong
   */
  async check(isForced = false): Promise<string | undefined> {
    let read: ReadPointer | 'unchanged' | undefined;
    try {
      read = await readPointer(this.#store, publicKeysOf(this.#source), this.#etag);
      if (read === undefined) throw new Error('there is no release. Run pastpaper releases push');
    } catch (error) {
      if (this.#end.signal.aborted) return undefined;
      return this.#fail((error as Error).message, (line) => this.#outage.begin(line, undefined, { level: 'error' }));
    }
    this.#outage.end(`The release source ${this.#store.name} can be read again.`, { level: 'info' });
    if (read !== 'unchanged') {
      const { text } = read;
      const rejected = this.#rejected?.text === text ? this.#rejected : undefined;
      if (rejected && performance.now() < rejected.until) return undefined;
      try {
        const last = await lastPulled(this.#distDir, this.#store.name);
        if (isForced || last?.pointer !== text) await this.#pull(read);
      } catch (error) {
        if (this.#end.signal.aborted) return undefined;
        return this.#fail((error as Error).message, (line) => {
          const attempts = (rejected?.attempts ?? 0) + 1;
          const until = performance.now() + retryDelay(attempts, minRetryTime, maxRetryTime);
          this.#rejected = { text, until, attempts };
          if (!rejected) this.#log(line, undefined, { level: 'error' });
        });
      }
      this.#etag = read.etag;
      this.#pushedAt = Date.parse(read.pointer.publishedAt);
      this.#rejected = undefined;
    }
    this.checkedAt = Date.now();
    return undefined;
  }

  /** Counts a failure. @param report logs it if it is not the same as the last one */
  #fail(message: string, report: (line: string) => void): string {
    this.failures += 1;
    const id = this.#releases?.current.id;
    const serving = id === undefined ? '' : ` The gateway keeps serving ${id}.`;
    report(`The release source ${this.#store.name} cannot be used: ${message}.${serving}`);
    return message;
  }

  async #pull(read: ReadPointer): Promise<void> {
    const request: ReleaseRequest = {
      kind: 'pull',
      source: this.#source,
      distDir: this.#distDir,
      read,
      marks: this.#releases?.marks ?? '',
    };
    const { name, files, bytes } = await runRequest<PullResult>(this.#program, request, this.#end.signal);
    this.#log(`Fetched release ${name}: ${files} new files, ${bytes} bytes.`, undefined, { level: 'info' });
    await this.#releases?.refresh();
  }
}
