import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { RedisClock } from '../../../gateway/limits/redis/redis-limits.ts';

const latency = fc.integer({ min: 0, max: 500_000 });
/** Latency to Redis, latency back, and the pause until the next command, in microseconds. */
const exchange = fc.record({ there: latency, back: latency, pause: latency });
const exchanges = fc.array(exchange, { minLength: 1, maxLength: 20 });
const offset = fc.integer({ min: -1e15, max: 1e15 });

interface Exchange {
  readonly there: number;
  readonly back: number;
  readonly pause: number;
}

/** The local clock, and Redis's, which is ahead of it by `ahead` microseconds. */
class TwoClocks {
  readonly estimate = new RedisClock();
  local = 0;
  ahead: number;

  constructor(ahead: number) {
    this.ahead = ahead;
  }

  send({ there, back, pause }: Exchange): void {
    const [sent, received] = [this.local, this.local + there + back];
    this.estimate.update(sent + there + this.ahead, sent, received);
    this.local = received + pause;
  }

  /** Microseconds by which the estimate is later than Redis's clock. */
  error(): number {
    return this.estimate.at(this.local) - (this.local + this.ahead);
  }
}

describe('RedisClock', () => {
  it('is never ahead of the Redis clock, and behind it by the shortest latency of a reply', () =>
    fc.assert(
      fc.property(offset, exchanges, (ahead, exchanges) => {
        const clocks = new TwoClocks(ahead);
        let shortest = Number.POSITIVE_INFINITY;
        for (const one of exchanges) {
          clocks.send(one);
          shortest = Math.min(shortest, one.back);
          assert.ok(clocks.error() === -shortest);
        }
      }),
    ));

  it('is off by at most one round trip after the first reply since the Redis clock was set', () =>
    fc.assert(
      fc.property(offset, offset, exchanges, exchange, (ahead, step, exchanges, next) => {
        const clocks = new TwoClocks(ahead);
        for (const one of exchanges) clocks.send(one);
        clocks.ahead += step;
        clocks.send(next);
        assert.ok(clocks.error() <= next.there && clocks.error() >= -next.back);
      }),
    ));
});
