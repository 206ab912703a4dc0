import { setTimeout as delay } from 'node:timers/promises';

/** Time and chance, handed to whoever needs them so that tests can set them. */
export interface Timing {
  /** Wall clock: milliseconds since 1970 in UTC. It may be set back. */
  now(): number;
  /** Milliseconds since the process began; never goes back. */
  elapsed(): number;
  /** Rejects with the signal's reason when that aborts first. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** From 0 up to, but not including, 1. */
  random(): number;
}

export const systemTiming: Timing = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  async sleep(milliseconds, signal) {
    await delay(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
  },
  random: () => Math.random(),
};
