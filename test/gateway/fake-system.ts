import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { System } from '../../gateway/clock.ts';

let time = Date.UTC(2026, 10, 21, 12);

/**
 * Libraries that take no clock, such as better-auth, read `Date`. The dates of `mock.timers` are no instances of it.
 */
export const FakeDate = new Proxy(Date, {
  construct: (date, args, target) =>
    Reflect.construct(date, args.length === 0 ? [time] : args, target),
  get: (date, name) => (name === 'now' ? now : Reflect.get(date, name)),
});

/** Sets `Date` to the time of this process. */
export function fixDate(): void {
  globalThis.Date = FakeDate;
}

/** The time of this process: milliseconds since 1970, UTC. */
export function now(): number {
  return time;
}

let systems = 0;

/** Time that only tests move, random numbers that repeat from run to run, and password hashes that cost nothing. */
export class FakeSystem implements System {
  /** Real milliseconds that a password hash takes. */
  passwordTime = 0;
  readonly passwords = {
    hash: async (password: string) => {
      if (this.passwordTime > 0) await delay(this.passwordTime);
      return createHash('sha256').update(password).digest('hex');
    },
    verify: async (given: { password: string; hash: string }) =>
      (await this.passwords.hash(given.password)) === given.hash,
  };
  /** The waits that were asked for, in milliseconds. */
  readonly waits: number[] = [];
  readonly #seed = `system ${systems++}`;
  #drawn = 0;

  constructor() {
    fixDate();
  }

  now = now;

  elapsed = (): number => time;

  wait = async (milliseconds: number): Promise<void> => {
    this.waits.push(milliseconds);
    advance(milliseconds);
  };

  randomBytes = (size: number): Buffer => {
    const bytes = createHash('shake256', { outputLength: size });
    return bytes.update(`${this.#seed} ${this.#drawn++}`).digest();
  };
}

/** Lets time pass, for all systems of this process and for `Date`. */
export function advance(milliseconds: number): void {
  time += milliseconds;
}
