import type { Clock } from '../../../gateway/clock.ts';

/** A clock that only changes when the test sets it. */
export class FakeClock implements Clock {
  #now = Date.UTC(2026, 10, 21);
  /** Whole, so that sums are exact. */
  #microseconds = 0;
  readonly now = () => Math.floor(this.#now);
  readonly elapsed = () => this.#microseconds / 1000;

  advance(milliseconds: number): void {
    this.#now += milliseconds;
    this.#microseconds += Math.round(milliseconds * 1000);
  }

  /** Sets the wall clock back; elapsed time stays. */
  setBack(milliseconds: number): void {
    this.#now -= milliseconds;
  }
}
