import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { retryDelay } from '../../../build/release/waits.ts';
import { type Decision, decide, usageOf } from '../../../gateway/limits/decision.ts';
import {
  type Answer,
  answer,
  type Counters,
  decisionsOf,
  type Question,
  runsOf,
} from '../../../gateway/workers/decisions.ts';
import { remoteLimits } from '../../../gateway/workers/remote-limits.ts';

const plans = { free: { perSecond: 2, perMonth: 1000 } };
const now = Date.UTC(2026, 0, 31, 12);
const month = '2026-01';

describe('Runs of decisions', () => {
  it('are expanded to the decisions that were joined', () => {
    const plan = fc.record({
      perSecond: fc.integer({ min: 1, max: 5 }),
      perMonth: fc.integer({ min: 1, max: 9 }),
    });
    const gaps = fc.array(fc.constantFrom(0, 1, 400_000, 1_000_000), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(plan, gaps, (limits, times) => {
        const usage = usageOf(month, 0);
        let microseconds = 0;
        const decisions = times.map((gap) => {
          microseconds += gap;
          return decide(usage, limits, { now, microseconds });
        });
        assert.deepEqual(decisionsOf(runsOf(decisions)), decisions);
      }),
    );
  });

  it('are two for requests of one moment beyond the limit: the accepted ones and the rejected ones', () => {
    const usage = usageOf(month, 0);
    const decisions = Array.from({ length: 9 }, () =>
      decide(usage, plans.free, { now, microseconds: 5 }),
    );
    assert.deepEqual(
      runsOf(decisions).map(({ first, count }) => [first.accepted, count]),
      [
        [true, 2],
        [false, 7],
      ],
    );
  });
});

/** Limits in this process that a `RemoteLimits` asks. `load` is an account that is read from a database first. */
function setUp() {
  const usage = usageOf(month, 0);
  const sent: (readonly Question[])[] = [];
  const answers: (readonly Answer[])[] = [];
  let failed = 0;
  let finishLoading = (_decision: Decision | undefined) => {};
  const loading = new Promise<Decision>((resolve, reject) => {
    finishLoading = (decision) => (decision ? resolve(decision) : reject(new Error('no database')));
  });
  const counters: Counters = {
    take: (account) =>
      account === 'load' ? loading : decide(usage, plans.free, { now, microseconds: 5 }),
    countFailedKey() {
      failed += 1;
      return { totalHits: failed, resetTime: now };
    },
  };
  const limits = remoteLimits((questions) => {
    sent.push(questions);
    // As JSON, like between processes.
    answer(JSON.parse(JSON.stringify(questions)), counters, (found) => {
      answers.push(found);
      limits.receive(JSON.parse(JSON.stringify(found)));
    });
  });
  return { limits, sent, answers, finishLoading: (decision?: Decision) => finishLoading(decision) };
}

describe('Remote limits', () => {
  it('ask about all requests of one turn of the event loop in one message', async () => {
    const { limits, sent } = setUp();
    const taken = await Promise.all([
      limits.take('a', plans.free, 'one'),
      limits.take('a', plans.free, 'one'),
      limits.countFailedKey('10.0.0.1'),
      limits.take('a', plans.free, 'one'),
      limits.countFailedKey('10.0.0.1'),
    ]);
    await limits.close();
    assert.deepEqual(sent, [
      [
        { id: 1, count: 3, account: 'a', plan: plans.free, key: 'one' },
        { id: 2, count: 2, address: '10.0.0.1' },
      ],
    ]);
    const summary = taken.map((each) =>
      'accepted' in each ? each.rate.remaining : each.totalHits,
    );
    assert.deepEqual(summary, [1, 0, 1, 0, 2]);
    assert.deepEqual(
      taken.flatMap((each) => ('accepted' in each ? each.accepted : each.resetTime)),
      [true, true, now, false, now],
    );
  });

  it('send one message at a time: what requests ask meanwhile is in the next one', async () => {
    const sent: (readonly Question[])[] = [];
    const limits = remoteLimits((questions) => void sent.push(questions));
    // Nobody answers: after ten seconds, each is rejected.
    const ask = (account = '', key = '') =>
      void limits.take(account, plans.free, key).catch(() => {});
    ask('a');
    await turn();
    for (const [account, key] of ['a1', 'b3', 'a2', 'a1']) ask(account, key);
    await turn();
    assert.equal(sent.length, 1);
    limits.receive([]);
    await turn();
    await limits.close();
    assert.deepEqual(sent[1], [
      { id: 2, count: 2, account: 'a', plan: plans.free, key: '1' },
      { id: 3, count: 1, account: 'b', plan: plans.free, key: '3' },
      { id: 4, count: 1, account: 'a', plan: plans.free, key: '2' },
    ]);
  });

  it('answer other accounts while one is read from the database', async () => {
    const { limits, finishLoading, answers } = setUp();
    const slow = limits.take('load', plans.free);
    const decision = await limits.take('a', plans.free);
    assert.equal(answers.length, 1);
    finishLoading(decision);
    assert.deepEqual(await slow, decision);
    await limits.close();
  });

  it('reject a request that the primary process cannot decide', async () => {
    const { limits, finishLoading } = setUp();
    const slow = limits.take('load', plans.free);
    await limits.take('a', plans.free);
    finishLoading();
    await assert.rejects(slow, /could not decide/);
    await limits.close();
  });
});

it('The delay before another attempt doubles up to the longest one', () => {
  const delays = [1, 2, 3, 20].map((failures) => retryDelay(failures, 100, 30_000));
  assert.deepEqual(delays, [100, 200, 400, 30_000]);
});
