import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Plan } from '../../../build/release/plans.ts';
import {
  calendarOf,
  type Decision,
  decide,
  outcomeOf,
  usageOf,
} from '../../../gateway/limits/decision.ts';

const free: Plan = { perSecond: 2, perMonth: 1000 };
const start = Date.UTC(2026, 10, 21, 12);

/** @param times of the requests, in whole microseconds from the start */
function decideAll(times: readonly number[], plan = free, used = 0): Decision[] {
  const usage = usageOf(calendarOf(start).month, used);
  return times.map((time) => decide(usage, plan, { now: start + time / 1000, microseconds: time }));
}

const milliseconds = (...times: readonly number[]) => times.map((time) => time * 1000);

describe('The rate limit', () => {
  it('returns the remaining requests and the time until the reset', () => {
    const [first, second, third] = decideAll(milliseconds(0, 400, 500));
    assert.deepEqual(first?.rate, { limit: 2, remaining: 1, reset: 1, span: 1 });
    assert.deepEqual(second?.rate, { limit: 2, remaining: 0, reset: 1, span: 1 });
    assert.deepEqual(third?.rate, { limit: 2, remaining: 0, reset: 1, span: 1 });
  });

  const gap = fc.oneof(
    fc.integer({ min: 0, max: 1_200_000 }),
    fc.integer({ min: 0, max: 3000 }),
    fc.constantFrom(999_999, 1_000_000),
  );
  const gaps = fc.array(gap, { maxLength: 200 });
  const rates = fc.integer({ min: 1, max: 5 });

  it('rejects only if it accepted its limit in the second before', () => {
    fc.assert(
      fc.property(gaps, rates, (gaps, perSecond) => {
        const times = moments(gaps);
        const decisions = decideAll(times, { perSecond, perMonth: 1_000_000 });
        const accepted: number[] = [];
        for (const [index, time] of times.entries()) {
          const before = accepted.filter((earlier) => time - earlier < 1_000_000).length;
          assert.equal(decisions[index]?.accepted, before < perSecond);
          if (decisions[index]?.accepted) accepted.push(time);
        }
      }),
    );
  });

  it('waits for the request that makes room in a smaller plan', () => {
    const usage = usageOf(calendarOf(start).month, 0);
    const at = (time: number) => ({ now: start, microseconds: time * 1000 });
    for (const time of [0, 100, 200, 300, 400]) decide(usage, { ...free, perSecond: 5 }, at(time));
    const [rejected, next] = [decide(usage, free, at(500)), decide(usage, free, at(1300))];
    assert.deepEqual(
      [rejected.accepted, rejected.rate.reset, next.accepted, next.rate.reset],
      [false, 1, true, 1],
    );
  });

  it('accepts a request after Retry-After', () => {
    fc.assert(
      fc.property(gaps, rates, (gaps, perSecond) => {
        const plan = { perSecond, perMonth: 1_000_000 };
        const times = moments(gaps);
        const last = decideAll(times, plan).at(-1);
        if (!last || last.accepted) return;
        const retryAt = (times.at(-1) ?? 0) + last.wait * 1_000_000;
        assert.equal(decideAll([...times, retryAt], plan).at(-1)?.accepted, true);
      }),
    );
  });
});

describe('The quota', () => {
  it('accepts the thousandth request of a month and rejects the next', () => {
    const times = Array.from({ length: 1002 }, (_, index) => index * 1_000_000);
    const decisions = decideAll(times);
    assert.equal(decisions.filter((decision) => decision.accepted).length, 1000);
    assert.equal(decisions[999]?.accepted, true);
    assert.equal(decisions[1000]?.accepted, false);
    assert.equal(decisions[1000]?.quota.remaining, 0);
  });

  it('does not count a request that the rate limit rejects', () => {
    assert.deepEqual(
      decideAll(milliseconds(0, 0, 0, 0)).map(({ quota }) => quota.remaining),
      [999, 998, 998, 998],
    );
  });

  it('makes rejected requests wait until the next month, even if the rate is exceeded, too', () => {
    const untilDecember = (9 * 24 + 12) * 3600;
    const [first, second, third] = decideAll(milliseconds(0, 0, 100));
    assert.deepEqual([first?.wait, second?.wait, third?.wait], [0, 1, 1]);
    assert.equal(decideAll(milliseconds(0), free, 1000)[0]?.wait, untilDecember);
    assert.equal(
      decideAll(milliseconds(0, 0), { perSecond: 1, perMonth: 1 }, 0)[1]?.wait,
      untilDecember,
    );
  });

  it('starts again with the calendar month in UTC, also on the 31st', () => {
    const late = Date.UTC(2027, 0, 31, 23, 59, 59, 500);
    const usage = usageOf('2027-01', 1000);
    const rejected = decide(usage, free, { now: late, microseconds: 0 });
    assert.equal(rejected.accepted, false);
    assert.equal(rejected.quota.reset, 1);
    assert.equal(rejected.quota.span, 31 * 86_400);
    const next = decide(usage, free, { now: late + 500, microseconds: 500_000 });
    assert.equal(next.accepted, true);
    assert.equal(next.quota.remaining, 999);
    assert.equal(next.quota.span, 28 * 86_400);
    assert.deepEqual([usage.month, usage.used], ['2027-02', 1]);
  });
});

it('The outcome of a request that both limits reject is that of the quota', () => {
  const outcomes = (plan: Plan) => decideAll([0, 0, 0], plan).map(outcomeOf);
  assert.deepEqual(outcomes(free), ['used', 'used', 'rejectedByRate']);
  assert.deepEqual(outcomes({ perSecond: 1, perMonth: 1 }), [
    'used',
    'rejectedByQuota',
    'rejectedByQuota',
  ]);
});

function moments(gaps: readonly number[]): number[] {
  let time = 0;
  return gaps.map((gap) => {
    time += gap;
    return time;
  });
}
