import { setImmediate as turn } from 'node:timers/promises';
import { proxyFor } from '../../build/pull/connection.ts';
import { type PullResult, pull } from '../../build/pull/pull.ts';
import { type Clock, systemClock } from '../../build/pull/rate-limit.ts';

/** A clock on which waiting takes no time. */
export interface InstantClock extends Clock {
  /** Milliseconds that were asked for. */
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

/** A pull that ended, and what it told meanwhile. */
export interface Told extends PullResult {
  readonly notes: readonly string[];
  readonly slept: readonly number[];
}

/** Pulls in this process, without waiting; what it waits for on a network it gives up soon. */
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
): Promise<Told> {
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
