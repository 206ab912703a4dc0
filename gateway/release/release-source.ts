import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { type ReadPointer, readPointer } from '../../build/release/store/pointer.ts';
import { isPulled, type PullResult } from '../../build/release/store/pull.ts';
import { openStore, type Store, StoreError } from '../../build/release/store/store.ts';
import type { Log } from '../log/logger.ts';
import type { CurrentRelease } from './current-release.ts';
import { type PullRequest, publicKeyOf, pullRelease, type ReleaseSourceConfig } from './pull-release.ts';
import type { PullerMessage } from './puller.ts';

/** Milliseconds between two reads of the pointer, on average: gateways must not ask at the same time. */
const pollInterval = 1_000;

/** Milliseconds until a release that could not be pulled is tried again, at first and at most. */
const [minRetryTime, maxRetryTime] = [2_000, 60_000];

/** Milliseconds that a gateway without a release waits for the first one. */
const firstTimeout = 60_000;

/** Milliseconds that an ended pull has to remove what it has written. */
const cleanTimeout = 5_000;

/** Lower than that of the gateway, whose requests come first. */
const pullerPriority = 10;

/**
 * A store of releases that a gateway follows: polls its pointer, and pulls each new release into `dist`, where
 * `CurrentRelease` finds it. While the store is down or its release cannot be used, the last one stays.
 */
export class ReleaseSource {
  readonly #source: ReleaseSourceConfig;
  readonly #distDir: string;
  readonly #log: Log;
  readonly #puller: string | undefined;
  readonly #store: Store;
  readonly #end = new AbortController();
  #releases: CurrentRelease | undefined;
  /** The ETag of the pointer that was pulled. */
  #etag: string | undefined;
  /** The pointer whose release could not be pulled. */
  #rejected: { readonly text: string; readonly until: number; readonly wait: number } | undefined;
  #isUp = true;
  /** Of the last check that found nothing wrong: milliseconds since 1970, UTC. 0: none has. */
  checkedAt = 0;
  /** Checks and pulls that failed. */
  failures = 0;
  #following: Promise<void> = Promise.resolve();

  private constructor(
    source: ReleaseSourceConfig,
    distDir: string,
    log: Log,
    puller: string | undefined,
    store: Store,
  ) {
    this.#source = source;
    this.#distDir = distDir;
    this.#log = log;
    this.#puller = puller;
    this.#store = store;
  }

  /** @param puller the compiled `puller.ts`; without it, releases are pulled in this process */
  static async open(
    source: ReleaseSourceConfig,
    distDir: string,
    log: Log,
    puller: string | undefined,
  ): Promise<ReleaseSource> {
    // Twice, because the store may close an idle connection just then.
    const store = await openStore(source.location, { attempts: 2 });
    return new ReleaseSource(source, distDir, log, puller, store);
  }

  /** Whether the last check could read the pointer. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Whether the pointer names a release that could not be pulled. */
  get isRejecting(): boolean {
    return this.#rejected !== undefined;
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
          `${this.#distDir} has no release to serve, and none could be fetched from ${this.#store.name} in ${firstTimeout / 1000} s: ${problem}.`,
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
      read = await readPointer(this.#store, publicKeyOf(this.#source), this.#etag);
      if (read === undefined) throw new Error('there is no release. Run pastpaper releases push');
    } catch (error) {
      if (this.#end.signal.aborted) return undefined;
      return this.#fail((error as Error).message, this.#isUp, () => {
        this.#isUp = false;
      });
    }
    const wasUp = this.#isUp;
    this.#isUp = true;
    if (!wasUp) this.#logInfo(`The release source ${this.#store.name} can be read again.`);
    if (read !== 'unchanged') {
      const { text } = read;
      const rejected = this.#rejected?.text === text ? this.#rejected : undefined;
      if (rejected && performance.now() < rejected.until) return undefined;
      try {
        if (isForced || !(await isPulled(this.#distDir, this.#store.name, text))) await this.#pull(read);
      } catch (error) {
        if (this.#end.signal.aborted) return undefined;
        return this.#fail((error as Error).message, rejected === undefined, () => {
          const wait = Math.min(maxRetryTime, rejected ? rejected.wait * 2 : minRetryTime);
          this.#rejected = { text, until: performance.now() + wait, wait };
        });
      }
      this.#etag = read.etag;
      this.#rejected = undefined;
    }
    this.checkedAt = Date.now();
    return undefined;
  }

  /** Counts a failure, and logs it if it is not the same as the last one. */
  #fail(message: string, isNew: boolean, apply: () => void): string {
    this.failures += 1;
    apply();
    const id = this.#releases?.current.id;
    const serving = id === undefined ? '' : ` The gateway keeps serving ${id}.`;
    if (isNew)
      this.#log(`The release source ${this.#store.name} cannot be used: ${message}.${serving}`, undefined, {
        level: 'error',
      });
    return message;
  }

  async #pull(read: ReadPointer): Promise<void> {
    const request: PullRequest = {
      source: this.#source,
      distDir: this.#distDir,
      read,
      marks: this.#releases?.marks ?? '',
    };
    const { signal } = this.#end;
    const pulling =
      this.#puller === undefined ? pullRelease(request, signal) : pullApart(this.#puller, request, signal);
    const { name, files, bytes } = await pulling;
    this.#logInfo(`Fetched release ${name}: ${files} new files, ${bytes} bytes.`);
    await this.#releases?.refresh();
  }

  #logInfo(message: string): void {
    this.#log(message, undefined, { level: 'info' });
  }
}

/** Pulls a release in a process of its own. @throws Error when it fails */
function pullApart(puller: string, request: PullRequest, signal: AbortSignal): Promise<PullResult> {
  const child = fork(puller, { execArgv: [] });
  const stop = () => {
    if (child.connected) child.disconnect();
    setTimeout(() => child.kill('SIGKILL'), cleanTimeout).unref();
  };
  return new Promise<PullResult>((resolve, reject) => {
    let received: PullerMessage | undefined;
    signal.addEventListener('abort', stop, { once: true });
    child.on('message', (message: PullerMessage) => {
      received = message;
    });
    child.on('error', reject);
    child.on('exit', (status, killedBy) => {
      if (received?.kind === 'pulled') resolve(received.result);
      else
        reject(new Error(received?.message ?? `the process that pulls it ended with ${killedBy ?? status}`));
    });
    child.send(request);
    if (child.pid !== undefined) setPriority(child.pid, pullerPriority);
  }).finally(() => signal.removeEventListener('abort', stop));
}
