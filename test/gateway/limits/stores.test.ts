/** What every store of limits does, wherever it keeps usage. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { calendarOf } from '../../../gateway/clock.ts';
import { decide, usageOf } from '../../../gateway/limits/decision.ts';
import { storeKinds } from './stores.ts';

const roomy = { perSecond: 1_000_000, perMonth: 1000 };
const free = { perSecond: 2, perMonth: 1000 };
const day = 86_400_000;

for (const { name, skip, makePlace } of storeKinds) {
  describe(`Limits ${name}`, { skip }, async () => {
    if (skip) return;
    const { clock, usage, open, pass, remove } = await makePlace();
    after(remove);

    /** What is counted, where it lasts: in time also where counts are written in the background. */
    async function counted(account: string, expected: number, month = calendarOf(clock.now()).month) {
      while ((await usage.read(account, month)) < expected) await delay(20);
      assert.equal(await usage.read(account, month), expected);
    }

    it('decide on requests that come at once one after the other', async () => {
      const store = await open();
      const decisions = await Promise.all(Array.from({ length: 50 }, () => store.take('at-once', free)));
      assert.equal(decisions.filter(({ accepted }) => accepted).length, 2);
      await store.close();
      await counted('at-once', 2);
    });

    it('count for each account by itself', async () => {
      const store = await open();
      const accounts = Array.from({ length: 20 }, (_, index) => `account-${index}`);
      const decisions = await Promise.all(
        [...accounts, ...accounts].map((account) => store.take(account, free)),
      );
      assert.ok(decisions.every(({ accepted }) => accepted));
      await store.close();
    });

    it('take an account by its name, whatever is in it', async () => {
      const store = await open();
      const accounts = ['', '}', '{}', '{a}:2026-11', 'a b', 'a\r\nFLUSHALL', 'é', '__proto__', "'); --"];
      for (const account of accounts) {
        assert.equal((await store.take(account, free)).rate.remaining, 1, account);
      }
      for (const account of accounts) await counted(account, 1);
      await store.close();
    });

    it('let exactly the quota through, over restarts as well', async () => {
      let accepted = 0;
      for (let start = 0; start < 6; start += 1) {
        const store = await open();
        const decisions = await Promise.all(
          Array.from({ length: 300 }, () => store.take('restarting', roomy)),
        );
        accepted += decisions.filter((decision) => decision.accepted).length;
        await store.close();
      }
      assert.equal(accepted, 1000);
      await counted('restarting', 1000);
    });

    it('keep counts beyond the process, by month and by day', async () => {
      const store = await open();
      const { month, day: today } = calendarOf(clock.now());
      for (let request = 0; request < 3; request += 1) await store.take('kept', free);
      await counted('kept', 2);
      assert.deepEqual(await usage.readDays('kept', month), [{ day: today, used: 2 }]);
      assert.deepEqual([await usage.read('none', month), await usage.readDays('none', month)], [0, []]);
      await store.close();
    });

    it('spend nothing on a request that they refuse', async () => {
      const store = await open();
      const narrow = { perSecond: 2, perMonth: 3 };
      const states: (readonly [boolean, number, number])[] = [];
      for (let request = 0; request < 4; request += 1) {
        const { accepted, rate, quota } = await store.take('refused', narrow);
        states.push([accepted, rate.remaining, quota.remaining]);
        if (request === 2) await pass(1000);
      }
      await pass(1000);
      const { accepted, rate, quota } = await store.take('refused', narrow);
      assert.deepEqual(
        [...states, [accepted, rate.remaining, quota.remaining]],
        [
          [true, 1, 2],
          [true, 0, 1],
          [false, 0, 1],
          [true, 1, 0],
          [false, 2, 0],
        ],
      );
      await store.close();
    });

    it('go by the plan that an account is put on, from its next request on', async () => {
      const store = await open();
      for (let request = 0; request < 5; request += 1) {
        assert.ok((await store.take('moved', { perSecond: 5, perMonth: 10 })).accepted);
      }
      const less = await store.take('moved', free);
      assert.deepEqual([less.accepted, less.rate.remaining, less.rate.reset], [false, 0, 1]);
      const more = await store.take('moved', { perSecond: 10, perMonth: 6 });
      assert.deepEqual([more.accepted, more.rate.remaining, more.quota.remaining], [true, 4, 0]);
      await store.close();
    });

    it('count a new month from nothing, and the old one again when the clock is set back', async () => {
      const store = await open();
      const { month } = calendarOf(clock.now());
      await store.take('month', roomy);
      await pass(30 * day);
      assert.equal((await store.take('month', roomy)).quota.remaining, 999);
      await counted('month', 1);
      clock.setBack(30 * day);
      assert.equal((await store.take('month', roomy)).quota.remaining, 998);
      await counted('month', 2, month);
      await store.close();
    });

    it('hold the rate over the turn of a month', async () => {
      const store = await open();
      const now = clock.now();
      await pass(calendarOf(now).monthEnd - now - 100);
      await store.take('turning', free);
      await store.take('turning', free);
      await pass(200);
      const { accepted, quota } = await store.take('turning', free);
      assert.deepEqual([accepted, quota.remaining], [false, 1000]);
      await store.close();
    });

    it('hold the rate when the wall clock is set back', async () => {
      const store = await open();
      await store.take('set-back', free);
      await store.take('set-back', free);
      clock.setBack(3_600_000);
      assert.equal((await store.take('set-back', free)).accepted, false);
      await pass(1000);
      assert.equal((await store.take('set-back', free)).accepted, true);
      await store.close();
    });

    it('decide as the plan says, microsecond by microsecond, on whatever comes', async () => {
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
            await pass(microseconds / 1000);
            const moment = { now: clock.now(), elapsed: clock.elapsed() };
            assert.deepEqual(await store.take(`any-${accounts}`, plan), decide(usage, plan, moment));
          }
        }),
      );
      await store.close();
    });
  });
}
