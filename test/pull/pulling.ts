import { setImmediate as turn } from 'node:timers/promises';
import { proxyFor } from '../../build/pull/connection.ts';
import { type PullResult, pull } from '../../build/pull/pull.ts';
import { type Clock, systemClock } from '../../build/pull/rate-limit.ts';

/** A clock on which sleeping takes no time. */
export interface InstantClock extends Clock {
  /** Milliseconds of each delay. */
  readonly slept: readonly number[];
}

export function instantClock(): InstantClock {
  const slept: number[] = [];
  let skipped = 0;
  return {
    slept,
    now: () => systemClock.now() + skipped,
    elapsed: () => systemClock.elapsed() + skipped,
    async sleep(milliseconds, signal) {
      signal.throwIfAborted();
      slept.push(milliseconds);
      skipped += milliseconds;
      await turn();
    },
    random: () => 0.5,
  };
}

/** The result of a pull, with its notes and delays. */
export interface PullRun extends PullResult {
  readonly notes: readonly string[];
  readonly slept: readonly number[];
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
  }: {
    readonly key: string;
    readonly timeout?: number;
    readonly environment?: Readonly<Record<string, string>>;
  },
): Promise<PullRun> {
  const clock = instantClock();
  const notes: string[] = [];
  const pulled = await pull({
    ...{ baseUrl, proxy: proxyFor(baseUrl, environment), key, scope, folder, clock },
    ...{ timeout, progress: () => undefined, note: (sentence) => void notes.push(sentence) },
  });
  return { ...pulled, notes, slept: clock.slept };
}

/** @returns the problems of a pull that is incomplete */
export function problemsOf({ end }: PullResult): readonly string[] {
  return end.kind === 'incomplete' ? end.problems : [];
}
