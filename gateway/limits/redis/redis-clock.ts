/**
 * Redis's clock, as far as its answers tell: how far it is ahead of one here that never goes back. A command is sent
 * with a deadline on Redis's clock, past which it does nothing there: one that waited in a Redis that hung, or on its
 * way, is not counted when no one waits for it any more.
 */
export class RedisClock {
  /** Microseconds; no more than it is, by the shortest way that an answer has taken lately. */
  #ahead = Number.NEGATIVE_INFINITY;

  /**
   * Takes in what an answer tells.
   *
   * @param time Redis's, when it answered; like the others whole microseconds
   * @param sent when it was asked, by the clock here
   * @param received when its answer was here
   */
  learn(time: number, sent: number, received: number): void {
    // It was asked in between. Past the latest that can be, its clock was set back.
    this.#ahead = Math.min(Math.max(this.#ahead, time - received), time - sent);
  }

  /** What Redis's clock shows when the one here shows `moment`, or a little less. */
  at(moment: number): number {
    return this.#ahead + moment;
  }
}
