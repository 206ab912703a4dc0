import { setTimeout as delay } from 'node:timers/promises';
import { prune, releaseNames } from '../release/releases.ts';
import type { PublicKeys } from '../release/signature.ts';
import { retryDelay } from '../release/waits.ts';
import type { StoreLocation } from './location.ts';
import { readPointer } from './pointer.ts';
import { lastPulled, pull } from './pull.ts';
import { openStore } from './store.ts';

/** Milliseconds between two reads of the pointer, on average: many machines must not ask at the same time. */
const pollInterval = 500;

/** Milliseconds until a release that could not be pulled is tried again, at first and at most. */
const minRetryTime = 2_000;
const maxRetryTime = 60_000;

/** When this many releases are in `dist`, all but some to roll back to are removed. */
const mostReleases = 10;
const keptReleases = 5;

export interface FollowOptions {
  readonly distDir: string;
  /** Who must have signed the releases; undefined: anyone. */
  readonly publicKeys: PublicKeys | undefined;
  /** The name of the bank whose signed releases are accepted; undefined: of any bank. */
  readonly bank: string | undefined;
  /** Milliseconds within which the pointer must be renewed; undefined: it need not be. */
  readonly maxAge: number | undefined;
  /** Are passed sentences for the log. */
  readonly say: (line: string) => void;
  readonly warn: (line: string) => void;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * Keeps a dist folder current: polls the pointer of a store, and pulls each new release. While the store is down or its
 * release cannot be used, the last one stays, and the same problem is reported once.
 */
export async function followStore(location: StoreLocation, options: FollowOptions): Promise<void> {
  const { distDir, publicKeys, bank, maxAge, say, warn, signal } = options;
  // Twice, because the store may close an idle connection just then.
  const store = await openStore(location, { attempts: 2, signal });
  let etag: string | undefined;
  let problem: string | undefined;
  let failures = 0;
  /** The first pull also replaces damaged objects of a release that is current already. */
  let isFirst = true;

  async function check(): Promise<void> {
    const read = await readPointer(store, publicKeys, etag);
    if (read === undefined) throw new Error('there is no release. Run npx pastpaper releases push');
    if (read === 'unchanged') return;
    const last = await lastPulled(distDir, store.name);
    if (isFirst || last?.pointer !== read.text) {
      const now = new Date();
      const accepted = { publicKeys, bank };
      const { name, files, bytes } = await pull(store, { distDir, read, ...accepted, now });
      say(`Release ${name} is current: ${files} new files, ${bytes} bytes.`);
      isFirst = false;
    }
    etag = read.etag;
  }

  /** Someone may hold back newer releases. */
  async function checkAge(): Promise<void> {
    const { publishedAt } = (await lastPulled(distDir, store.name)) ?? {};
    if (maxAge === undefined || publishedAt === undefined) return;
    if (Date.now() - Date.parse(publishedAt) > maxAge)
      throw new Error(`the release was last pushed at ${publishedAt}, which is too long ago`);
  }

  while (!signal.aborted) {
    let wait = pollInterval * (0.75 + Math.random() / 2);
    try {
      await check();
      failures = 0;
      await checkAge();
      if (problem !== undefined) say(`${store.name} can be used again.`);
      problem = undefined;
    } catch (error) {
      if (signal.aborted) break;
      const { message } = error as Error;
      if (message !== problem) warn(`${store.name} cannot be used: ${message}.`);
      problem = message;
      failures += 1;
      wait = retryDelay(failures, minRetryTime, maxRetryTime) * (0.75 + Math.random() / 2);
    }
    // After the switch: it takes as long as the bank is large.
    if ((await releaseNames(distDir)).length > mostReleases)
      await prune(distDir, keptReleases, new Date());
    await delay(wait, undefined, { signal }).catch(() => {});
  }
}
