import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { RedisClock } from '../../../gateway/limits/redis/redis-limits.ts';

const latency = fc.integer({ min: 0, max: 500_000 });
/** The way there, the way back, and the time until the next question, in microseconds. */
const exchange = fc.record({ there: latency, back: latency, pause: latency });
const exchanges = fc.array(exchange, { minLength: 1, maxLength: 20 });
const offset = fc.integer({ min: -1e15, max: 1e15 });

interface Exchange {
  readonly there: number;
  readonly back: number;
  readonly pause: number;
}

/** A clock here, and one in Redis that is ahead by `ahead`. */
class TwoClocks {
  readonly learnt = new RedisClock();
  here = 0;
  ahead: number;

  constructor(ahead: number) {
    this.ahead = ahead;
  }

  ask({ there, back, pause }: Exchange): void {
    const [sent, received] = [this.here, this.here + there + back];
    this.learnt.update(sent + there + this.ahead, sent, received);
    this.here = received + pause;
  }

  /** Microseconds by which Redis's clock is taken to be later than it is. */
  error(): number {
    return this.learnt.at(this.here) - (this.here + this.ahead);
  }
}

describe('What is known of Redis’s clock', () => {
  it('is never later than the clock, and earlier by the shortest way back that was met at most', () =>
    fc.assert(
      fc.property(offset, exchanges, (ahead, exchanges) => {
        const clocks = new TwoClocks(ahead);
        let shortest = Number.POSITIVE_INFINITY;
        for (const one of exchanges) {
          clocks.ask(one);
          shortest = Math.min(shortest, one.back);
          assert.ok(clocks.error() === -shortest);
        }
      }),
    ));

  it('is right again, but for one round trip, with the first answer after the clock was set', () =>
    fc.assert(
      fc.property(offset, offset, exchanges, exchange, (ahead, step, exchanges, next) => {
        const clocks = new TwoClocks(ahead);
        for (const one of exchanges) clocks.ask(one);
        clocks.ahead += step;
        clocks.ask(next);
        assert.ok(clocks.error() <= next.there && clocks.error() >= -next.back);
      }),
    ));
});
