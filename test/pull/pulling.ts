import { setImmediate as turn } from 'node:timers/promises';
import { wayTo } from '../../build/pull/connection.ts';
import { parseScope } from '../../build/pull/paths.ts';
import { type Pulled, pull } from '../../build/pull/pull.ts';
import { systemTiming, type Timing } from '../../build/pull/rate-limit.ts';

/** A clock on which waiting takes no time. */
export interface HastyTiming extends Timing {
  /** Milliseconds that were asked for. */
  readonly slept: readonly number[];
}

export function hastyTiming(): HastyTiming {
  const slept: number[] = [];
  let skipped = 0;
  return {
    slept,
    now: () => systemTiming.now() + skipped,
    elapsed: () => systemTiming.elapsed() + skipped,
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
export interface Told extends Pulled {
  readonly notes: readonly string[];
  readonly slept: readonly number[];
}

/** Pulls in this process, without waiting; what it waits for on a network it gives up soon. */
export async function pullHere(
  baseUrl: string,
  what: string,
  folder: string,
  {
    key,
    answer = 30_000,
    environment = {},
  }: {
    readonly key: string;
    readonly answer?: number;
    readonly environment?: Readonly<Record<string, string>>;
  },
): Promise<Told> {
  const scope = parseScope(what);
  if (!scope) throw new Error(`${what} is nothing to pull`);
  const timing = hastyTiming();
  const notes: string[] = [];
  const pulled = await pull(
    { baseUrl, way: wayTo(baseUrl, environment), key, scope, folder },
    {
      timing,
      timeLimits: { connect: 5000, answer },
      watcher: { standing: () => undefined, note: (sentence) => void notes.push(sentence) },
    },
  );
  return { ...pulled, notes, slept: timing.slept };
}

/** @returns the problems of a pull that did not end whole */
export function problemsOf({ end }: Pulled): readonly string[] {
  return end.kind === 'not whole' ? end.problems : [];
}
