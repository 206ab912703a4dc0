/** The behaviour of every limit store, wherever it keeps usage. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { calendarOf, decide, microsecondsOf, usageOf } from '../../../gateway/limits/decision.ts';
import { storeKind } from './stores.ts';

const unlimitedRate = { perSecond: 1_000_000, perMonth: 1000 };
const free = { perSecond: 2, perMonth: 1000 };
const day = 86_400_000;

const { name, createFixture } = storeKind;

describe(`Limits ${name}`, async () => {
  const { clock, usage, open, advance, flush, remove } = await createFixture();
  after(remove);

  /** Waits until this count is stored: it may be written in the background. */
  async function assertStored(
    account: string,
    expected: number,
    month = calendarOf(clock.now()).month,
  ) {
    await flush();
    while ((await usage.read(account, month)) < expected) await nextTurn();
    assert.equal(await usage.read(account, month), expected);
  }

  it('decide on concurrent requests one after the other', async () => {
    const store = await open();
    const decisions = await Promise.all(
      Array.from({ length: 50 }, () => store.take('at-once', free)),
    );
    assert.equal(decisions.filter(({ accepted }) => accepted).length, 2);
    await assertStored('at-once', 2);
  });

  it('accept any characters in the name of an account', async () => {
    const store = await open();
    const accounts = [
      '',
      '}',
      '{}',
      '{a}:2026-11',
      'a b',
      'a\r\nFLUSHALL',
      'é',
      '__proto__',
      "'); --",
    ];
    for (const account of accounts) {
      assert.equal((await store.take(account, free)).rate.remaining, 1, account);
    }
    for (const account of accounts) await assertStored(account, 1);
  });

  it('accept exactly the quota, across restarts too', async () => {
    let accepted = 0;
    for (let start = 0; start < 6; start += 1) {
      const store = await open();
      const decisions = await Promise.all(
        Array.from({ length: 300 }, () => store.take('restarting', unlimitedRate)),
      );
      accepted += decisions.filter((decision) => decision.accepted).length;
    }
    assert.equal(accepted, 1000);
    await assertStored('restarting', 1000);
  });

  it('store counts by month, and by day, key and outcome', async () => {
    const store = await open();
    const { month, day: today } = calendarOf(clock.now());
    const plan = { perSecond: 2, perMonth: 3 };
    for (const key of ['one', 'two words', 'one']) await store.take('kept', plan, key);
    await advance(1000);
    for (const key of ['one', 'one']) await store.take('kept', plan, key);
    await assertStored('kept', 3);
    assert.deepEqual(await usage.readMonth('kept', month), {
      days: [{ day: today, used: 3, rejectedByRate: 1, rejectedByQuota: 1 }],
      keys: [
        { key: 'one', used: 2, rejectedByRate: 1, rejectedByQuota: 1 },
        { key: 'two words', used: 1, rejectedByRate: 0, rejectedByQuota: 0 },
      ],
      hasMore: false,
    });
    assert.equal(await usage.read('none', month), 0);
    assert.deepEqual(await usage.readMonth('none', month), {
      days: [],
      keys: [],
      hasMore: false,
    });
  });

  it('apply a new plan from the next request on', async () => {
    const store = await open();
    for (let request = 0; request < 5; request += 1) {
      assert.ok((await store.take('moved', { perSecond: 5, perMonth: 10 })).accepted);
    }
    const less = await store.take('moved', free);
    assert.deepEqual([less.accepted, less.rate.remaining, less.rate.reset], [false, 0, 1]);
    const more = await store.take('moved', { perSecond: 10, perMonth: 6 });
    assert.deepEqual([more.accepted, more.rate.remaining, more.quota.remaining], [true, 4, 0]);
  });

  it('start a new month at zero, and continue the old one if the clock is set back', async () => {
    const store = await open();
    const { month } = calendarOf(clock.now());
    await store.take('month', unlimitedRate);
    await advance(30 * day);
    assert.equal((await store.take('month', unlimitedRate)).quota.remaining, 999);
    await assertStored('month', 1);
    clock.setBack(30 * day);
    assert.equal((await store.take('month', unlimitedRate)).quota.remaining, 998);
    await assertStored('month', 2, month);
  });

  it('limit the rate across the end of a month', async () => {
    const store = await open();
    const now = clock.now();
    await advance(calendarOf(now).monthEnd - now - 100);
    await store.take('turning', free);
    await store.take('turning', free);
    await advance(200);
    const { accepted, quota } = await store.take('turning', free);
    assert.deepEqual([accepted, quota.remaining], [false, 1000]);
  });

  it('limit the rate when the wall clock is set back', async () => {
    const store = await open();
    await store.take('set-back', free);
    await store.take('set-back', free);
    clock.setBack(3_600_000);
    assert.equal((await store.take('set-back', free)).accepted, false);
    await advance(1000);
    assert.equal((await store.take('set-back', free)).accepted, true);
  });

  it('decide as `decide` does on any sequence of requests', async () => {
    const store = await open();
    let accounts = 0;
    const gap = fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 0, max: 3000 }) },
      { weight: 8, arbitrary: fc.integer({ min: 0, max: 1_200_000 }) },
      { weight: 2, arbitrary: fc.constantFrom(999_999, 1_000_000) },
      { weight: 1, arbitrary: fc.constant(20 * day * 1000) },
    );
    const plans = fc.record({
      perSecond: fc.integer({ min: 1, max: 5 }),
      perMonth: fc.integer({ min: 1, max: 30 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(gap, { maxLength: 60 }), plans, async (gaps, plan) => {
        accounts += 1;
        const usage = usageOf(calendarOf(clock.now()).month, 0);
        for (const microseconds of gaps) {
          await advance(microseconds / 1000);
          const moment = { now: clock.now(), microseconds: microsecondsOf(clock) };
          assert.deepEqual(await store.take(`any-${accounts}`, plan), decide(usage, plan, moment));
        }
      }),
    );
  });
});
