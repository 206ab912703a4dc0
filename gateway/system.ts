import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, systemClock } from './clock.ts';

/** What a process takes from its surroundings, as a parameter, so that tests can set it. */
export interface System extends Clock {
  /** Resolves after a time in milliseconds. */
  wait(milliseconds: number): Promise<void>;
  /** Bytes that nobody can predict, for keys and secrets. */
  randomBytes(size: number): Buffer;
  /** scrypt's parameter N (RFC 7914, 2) of password hashes: a power of two. */
  readonly passwordCost: number;
}

/** The values of production: a password hash takes 32 MiB and about 100 ms. */
export const realSystem: System = {
  ...systemClock,
  wait: (milliseconds) => delay(milliseconds),
  randomBytes: (size) => randomBytes(size),
  passwordCost: 2 ** 14,
};
