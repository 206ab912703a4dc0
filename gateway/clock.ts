import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

/** The time, as a parameter, so that tests can set it. */
export interface Clock {
  /** Wall clock: milliseconds since 1970 in UTC. It may be set back. */
  now(): number;
  /** Milliseconds of a clock that never goes back. */
  elapsed(): number;
}

/** What a process takes from its surroundings, as a parameter, so that tests can set it. */
export interface System extends Clock {
  /** Resolves after a time in milliseconds. */
  wait(milliseconds: number): Promise<void>;
  /** Bytes that nobody can predict, for keys and secrets. */
  randomBytes(size: number): Buffer;
  /** Hashes of passwords that cost nothing, for tests; undefined: better-auth's own, by scrypt. */
  readonly passwords?: {
    hash(password: string): Promise<string>;
    verify(given: { password: string; hash: string }): Promise<boolean>;
  };
}

/** The values of production. */
export const realSystem: System = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  wait: (milliseconds) => delay(milliseconds),
  randomBytes: (size) => randomBytes(size),
};

/** Calls a function that never rejects, at intervals and one call after the other. */
export function repeatEvery(milliseconds: number, work: () => Promise<void>) {
  let working = Promise.resolve();
  const timer = setInterval(() => {
    working = working.then(work);
  }, milliseconds).unref();
  return {
    close(): Promise<void> {
      clearInterval(timer);
      return working;
    },
  };
}
