import type { KeyObject } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { proxyFor } from '../../build/pull/connection.ts';
import { type PullResult, pull } from '../../build/pull/pull.ts';
import { type Clock, systemClock } from '../../build/pull/rate-limit.ts';

/** A clock whose `sleep` returns immediately. */
export interface InstantClock extends Clock {
  /** Milliseconds of each delay. */
  readonly delays: readonly number[];
}

export function instantClock(): InstantClock {
  const delays: number[] = [];
  let skipped = 0;
  return {
    delays,
    now: () => systemClock.now() + skipped,
    elapsed: () => systemClock.elapsed() + skipped,
    async sleep(milliseconds, signal) {
      signal.throwIfAborted();
      delays.push(milliseconds);
      skipped += milliseconds;
      await turn();
    },
    random: () => 0.5,
  };
}

/** The result of a pull, with its notes and delays. */
export interface PullRun extends PullResult {
  readonly notes: readonly string[];
  readonly delays: readonly number[];
}

/** Pulls in this process, without waiting between attempts. */
export async function pullHere(
  baseUrl: string,
  scope: string,
  folder: string,
  {
    key,
    timeout = 30_000,
    environment = {},
    publicKey,
  }: {
    readonly key: string;
    readonly publicKey?: KeyObject;
    readonly timeout?: number;
    readonly environment?: Readonly<Record<string, string>>;
  },
): Promise<PullRun> {
  const clock = instantClock();
  const notes: string[] = [];
  const pulled = await pull({
    ...{ baseUrl, proxy: proxyFor(baseUrl, environment), key, scope, folder, clock, publicKey },
    ...{ timeout, progress: () => undefined, note: (sentence) => void notes.push(sentence) },
  });
  return { ...pulled, notes, delays: clock.delays };
}

/** @returns the problems of a pull that is incomplete */
export function problemsOf({ end }: PullResult): readonly string[] {
  return end.kind === 'incomplete' ? end.problems : [];
}
