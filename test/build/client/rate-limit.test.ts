import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { PastpaperError } from '../../../build/client/errors.ts';
import {
  type Clock,
  RateLimiter,
  readRateLimit,
  readRetryAfter,
} from '../../../build/client/rate-limit.ts';
import type { Plan } from '../../../build/release/plans.ts';
import { rateLimitFields } from '../../../gateway/access/require-key.ts';
import type { Fields } from '../../../gateway/http.ts';
import { type Decision, decide, usageOf } from '../../../gateway/limits/decision.ts';

describe('The rate limiter', () => {
  it('uses all of a plan without a rejection at any latency, and stops after the last response', async () => {
    const latency = fc.tuple(fc.nat(1500), fc.nat(1500));
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          perSecond: fc.integer({ min: 1, max: 6 }),
          perMonth: fc.oneof(fc.constant(1000), fc.integer({ min: 1, max: 12 })),
        }),
        // Round-trip times in milliseconds.
        fc.array(latency, { minLength: 5, maxLength: 30 }),
        async (plan, latencies) => {
          const { decisions } = await run(plan, latencies);
          assert.deepEqual(
            decisions.map(({ accepted }) => accepted),
            Array(Math.min(plan.perMonth, latencies.length)).fill(true),
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  it('comes close to the rate of the plan on a fast network', async () => {
    for (const perSecond of [1, 2, 5]) {
      const latencies = Array.from({ length: perSecond * 20 }, () => [5, 5] as const);
      const { took } = await run({ perSecond, perMonth: 1000 }, latencies);
      // The requests of twenty seconds.
      assert.ok(took < 21_500, `${took} ms for ${perSecond} a second`);
    }
  });

  it('waits for the reset when another client has used the limit', async () => {
    const time = new VirtualClock();
    const limiter = new RateLimiter(time);
    await time.run(async () => {
      await limiter.wait();
      limiter.count(
        new Headers({ 'ratelimit-policy': '"rate";q=2;w=1', ratelimit: '"rate";r=0;t=40' }),
      );
      const before = time.elapsed();
      await limiter.wait();
      assert.ok(time.elapsed() - before >= 40_000);
    });
  });

  it('stops with the time of the reset when a request exceeds the quota', async () => {
    const time = new VirtualClock(Date.UTC(2026, 10, 21, 12));
    const limiter = new RateLimiter(time);
    await time.run(async () => {
      await limiter.wait();
      limiter.count(
        new Headers({
          'ratelimit-policy': '"quota";q=1000;w=2592000, "rate";q=2;w=1',
          ratelimit: '"quota";r=0;t=820800, "rate";r=1;t=1',
        }),
      );
      await assert.rejects(limiter.wait(), {
        name: 'PastpaperError',
        code: 'quota',
        message:
          'The quota of 1,000 requests is used up. It resets at 2026-12-01 00:00 UTC, in 10 days. Try again then.',
      });
    });
  });
});

/** Sends requests through the rate limiter to the decision of the gateway, with a latency in each direction. */
async function run(plan: Plan, latencies: readonly (readonly [number, number])[]) {
  const time = new VirtualClock();
  const limiter = new RateLimiter(time);
  const decisions: Decision[] = [];
  const usage = usageOf('', 0);
  await time.run(async () => {
    for (const [there, back] of latencies) {
      const isStopped = await limiter.wait().then(() => false, isQuotaSpent);
      if (isStopped) return;
      await time.sleep(there);
      const decision = decide(usage, plan, {
        now: time.now(),
        microseconds: Math.floor(time.elapsed() * 1000),
      });
      decisions.push(decision);
      await time.sleep(back);
      limiter.count(received(rateLimitFields(decision)));
    }
  });
  return { decisions, took: time.elapsed() };
}

/** Header fields as a client gets them. */
function received(fields: Fields): Headers {
  const names = fields.filter((_, index) => index % 2 === 0);
  return new Headers(names.map((name, index) => [name, fields[2 * index + 1] ?? '']));
}

/** The error that ends a pull. @throws any other error */
function isQuotaSpent(error: unknown): true {
  if (error instanceof PastpaperError) return true;
  throw error;
}

/** A clock that jumps to the next timer as soon as all other work is done. */
class VirtualClock implements Clock {
  readonly #start: number;
  #elapsed = 0;
  #waiting: { readonly at: number; readonly wake: () => void }[] = [];

  constructor(start = Date.UTC(2026, 10, 21)) {
    this.#start = start;
  }

  now(): number {
    return Math.floor(this.#start + this.#elapsed);
  }

  elapsed(): number {
    return this.#elapsed;
  }

  random(): number {
    return 0;
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ at: this.#elapsed + milliseconds, wake: resolve });
    });
  }

  /** Advances time until the work is done. */
  async run(work: () => Promise<unknown>): Promise<void> {
    let isDone = false;
    const done = work().finally(() => {
      isDone = true;
    });
    while (!isDone) {
      // Pending promises run first.
      await new Promise(setImmediate);
      const next = this.#waiting.sort((a, b) => a.at - b.at).shift();
      if (!next) continue;
      this.#elapsed = Math.max(this.#elapsed, next.at);
      next.wake();
    }
    await done;
  }
}

it('RateLimit fields are ignored if they are missing, of an older draft, or invalid', () => {
  for (const field of ['', 'limit=2, remaining=1, reset=1', '"rate";r=', '"rate', ';', '(('])
    assert.deepEqual(
      readRateLimit(new Headers({ 'ratelimit-policy': field, ratelimit: field })),
      [],
    );
  assert.deepEqual(readRateLimit(new Headers()), []);
});

it('Retry-After is a number of seconds, and ignored otherwise', () => {
  for (const [field, wait] of Object.entries({ '120': 120_000, soon: 0, '-5': 0, '1e400': 0 }))
    assert.equal(readRetryAfter(new Headers({ 'retry-after': field })), wait, field);
});
