import { setTimeout as delay } from 'node:timers/promises';
import { retryDelay } from '../../build/release/waits.ts';
import { type ReadPointer, readPointer } from '../../build/store/pointer.ts';
import { lastPulled, type PullResult } from '../../build/store/pull.ts';
import { openStore, StoreError } from '../../build/store/store.ts';
import { type Log, outageLog } from '../log/logger.ts';
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

export type ReleaseSource = Awaited<ReturnType<typeof openReleaseSource>>;

/**
 * A store of releases that a gateway follows: polls its pointer, and pulls each new release into `dist`, where
 * `CurrentRelease` finds it. While the store is down or its release cannot be used, the last one stays.
 *
 * @param program the compiled `release-process.ts`; without it, releases are pulled in this process
 */
export async function openReleaseSource(
  source: ReleaseSourceConfig,
  distDir: string,
  log: Log,
  program: string | undefined,
) {
  const end = new AbortController();
  const outage = outageLog(log);
  // Twice, because the store may close an idle connection just then.
  const store = await openStore(source.location, { attempts: 2 });
  let releases: CurrentRelease | undefined;
  /** The ETag of the pointer that was pulled. */
  let etag: string | undefined;
  /** The pointer whose release could not be pulled. */
  let rejected:
    | { readonly text: string; readonly until: number; readonly attempts: number }
    | undefined;
  /** When the last pointer that was accepted was pushed: milliseconds since 1970, UTC. */
  let pushedAt =
    Date.parse((await lastPulled(distDir, store.name))?.publishedAt ?? '') || undefined;
  let checkedAt = 0;
  let failures = 0;
  let following: Promise<void> = Promise.resolve();

  async function close(): Promise<void> {
    end.abort(new Error('the gateway stops'));
    await following;
    await store.close();
  }

  async function poll(): Promise<void> {
    const { signal } = end;
    while (!signal.aborted) {
      await check();
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
  async function check(isForced = false): Promise<string | undefined> {
    let read: ReadPointer | 'unchanged' | undefined;
    try {
      read = await readPointer(store, publicKeysOf(source), etag);
      if (read === undefined)
        throw new Error('there is no release. Run npx pastpaper releases push');
    } catch (error) {
      if (end.signal.aborted) return undefined;
      return fail((error as Error).message, (line) =>
        outage.begin(line, undefined, { level: 'error' }),
      );
    }
    outage.end(`The release source ${store.name} can be read again.`, { level: 'info' });
    if (read !== 'unchanged') {
      const { text } = read;
      const earlier = rejected?.text === text ? rejected : undefined;
      if (earlier && performance.now() < earlier.until) return undefined;
      try {
        const last = await lastPulled(distDir, store.name);
        if (isForced || last?.pointer !== text) await pullRelease(read);
      } catch (error) {
        if (end.signal.aborted) return undefined;
        return fail((error as Error).message, (line) => {
          const attempts = (earlier?.attempts ?? 0) + 1;
          const until = performance.now() + retryDelay(attempts, minRetryTime, maxRetryTime);
          rejected = { text, until, attempts };
          if (!earlier) log(line, undefined, { level: 'error' });
        });
      }
      etag = read.etag;
      pushedAt = Date.parse(read.pointer.publishedAt);
      rejected = undefined;
    }
    checkedAt = Date.now();
    return undefined;
  }

  /** Counts a failure. @param report logs it if it is not the same as the last one */
  function fail(message: string, report: (line: string) => void): string {
    failures += 1;
    const id = releases?.current.id;
    const serving = id === undefined ? '' : ` The gateway keeps serving ${id}.`;
    report(`The release source ${store.name} cannot be used: ${message}.${serving}`);
    return message;
  }

  async function pullRelease(read: ReadPointer): Promise<void> {
    const request: ReleaseRequest = {
      kind: 'pull',
      source,
      distDir,
      read,
      marks: releases?.marks ?? '',
    };
    const { name, files, bytes } = await runRequest<PullResult>(program, request, end.signal);
    log(`Fetched release ${name}: ${files} new files, ${bytes} bytes.`, undefined, {
      level: 'info',
    });
    await releases?.refresh();
  }

  return {
    check,
    close,

    /** Of the last check that found nothing wrong: milliseconds since 1970, UTC. 0: none has. */
    get checkedAt(): number {
      return checkedAt;
    },

    /** Checks and pulls that failed. */
    get failures(): number {
      return failures;
    },

    /** Whether the last check could read the pointer. */
    get isUp(): boolean {
      return !outage.isOngoing;
    },

    /** Whether the pointer names a release that could not be pulled. */
    get isRejecting(): boolean {
      return rejected !== undefined;
    },

    /** Whether the pointer was not renewed in time: someone may hold back newer ones. */
    get isStale(): boolean {
      const { maxAge = Number.POSITIVE_INFINITY } = source;
      return pushedAt !== undefined && Date.now() - pushedAt > maxAge;
    },

    /**
     * Pulls the release of the store, because `dist` has none that can be served.
     *
     * @throws StoreError when there is none in time
     */
    async pullFirst(): Promise<void> {
      const end = performance.now() + firstTimeout;
      for (;;) {
        const problem = await check(true);
        if (problem === undefined) return;
        if (performance.now() > end)
          throw new StoreError(
            `${distDir} has no release to serve, and none could be fetched ` +
              `from ${store.name} in ${firstTimeout / 1000} s: ${problem}.`,
          );
        await delay(pollInterval);
      }
    },

    /** Follows the store from now on. */
    follow(current: CurrentRelease): void {
      releases = current;
      current.source = this;
      following = poll();
    },
  };
}
