import type { Clock } from '../../../gateway/clock.ts';

/** A clock that only changes when the test sets it. */
export class FakeClock implements Clock {
  #now = Date.UTC(2026, 10, 21);
  #elapsed = 0;
  readonly now = () => Math.floor(this.#now);
  readonly elapsed = () => this.#elapsed;

  advance(milliseconds: number): void {
    this.#now += milliseconds;
    this.#elapsed += Math.round(milliseconds * 1000);
  }

  /** Sets the wall clock back; elapsed time stays. */
  setBack(milliseconds: number): void {
    this.#now -= milliseconds;
  }
}
