import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../../gateway/auth/store/store.ts';
import { StoredUsage } from '../../../gateway/auth/usage.ts';
import { InProcessLimits } from '../../../gateway/limits/in-process.ts';
import type { UsageBatch, UsageLedger, UsageTotal } from '../../../gateway/limits/store.ts';
import { engines } from '../auth/engines.ts';
import { FakeClock } from './fake-clock.ts';

const unlimitedRate = { perSecond: 1_000_000, perMonth: 1000 };
const free = { perSecond: 2, perMonth: 1000 };
const day = 86_400_000;
const [november, december] = ['2026-11', '2026-12'];

/** Wraps a ledger; it can reject batches or delay its confirmation. */
class SlowLedger implements UsageLedger {
  isFull = false;
  /** What the confirmation of a written batch waits for. */
  confirmed: Promise<void> = Promise.resolve();
  readonly batches: UsageBatch[] = [];
  readonly #ledger: UsageLedger;

  constructor(ledger: UsageLedger) {
    this.#ledger = ledger;
  }

  read(account: string, month: string): Promise<number> {
    return this.#ledger.read(account, month);
  }

  async add(batch: UsageBatch): Promise<readonly UsageTotal[]> {
    this.batches.push(batch);
    if (this.isFull) throw new Error('disk full');
    const totals = await this.#ledger.add(batch);
    await this.confirmed;
    return totals;
  }
}

for (const engine of engines) {
  describe(`Unwritten counts, with ${engine.name}`, { skip: engine.skip }, async () => {
    if (engine.skip) return;
    const testDatabase = await engine.createDatabase();
    const database = await openDatabase(testDatabase.location, 5000);
    const stored = new StoredUsage(database);
    after(async () => {
      await database.destroy();
      await testDatabase.remove();
    });

    function open() {
      const [clock, ledger, logged] = [new FakeClock(), new SlowLedger(stored), [] as string[]];
      const limits = new InProcessLimits(ledger, clock, (message) => logged.push(message));
      const left = async (account: string) => (await limits.take(account, unlimitedRate)).quota.remaining;
      return { limits, clock, ledger, logged, left };
    }

    it('belong to their month when the clock is set to another month and back', async () => {
      const { limits, clock, left } = open();
      for (const expected of [999, 998, 997]) assert.equal(await left('turning'), expected);
      clock.advance(30 * day);
      assert.equal(await left('turning'), 999);
      clock.setBack(30 * day);
      assert.equal(await left('turning'), 996);
      await limits.flush();
      assert.equal(await left('turning'), 995, 'the ledger’s count of one month is not used for the other');
      await limits.close();
      assert.deepEqual(
        [await stored.read('turning', november), await stored.read('turning', december)],
        [5, 1],
      );
    });

    it('belong to their month and account also while the ledger rejects batches', async () => {
      const { limits, clock, ledger, left } = open();
      ledger.isFull = true;
      for (const account of ['one', 'one', 'other']) await left(account);
      await assert.rejects(limits.flush(), /disk full/);
      clock.advance(30 * day);
      assert.equal(await left('one'), 999);
      clock.setBack(30 * day);
      assert.equal(await left('one'), 997);
      ledger.isFull = false;
      await limits.close();
      assert.deepEqual([await stored.read('one', november), await stored.read('other', november)], [3, 1]);
    });

    it('are added to the ledger’s count if requests come during a write', async () => {
      const { limits, ledger, left } = open();
      await left('meanwhile');
      await left('meanwhile');
      let confirm = () => {};
      ledger.confirmed = new Promise((resolve) => {
        confirm = resolve;
      });
      const written = limits.flush();
      while (ledger.batches.length === 0) await delay(5);
      assert.equal(await left('meanwhile'), 997);
      confirm();
      await written;
      assert.equal(await left('meanwhile'), 996);
      await limits.close();
      assert.equal(await stored.read('meanwhile', november), 4);
    });

    it('are one entry for each account, key and day, however many requests there are', async () => {
      const { limits, clock, ledger, left } = open();
      for (let request = 0; request < 50; request += 1) await left('often');
      clock.advance(day);
      for (let request = 0; request < 20; request += 1) await left('often');
      await limits.close();
      for (const { entries } of ledger.batches) {
        assert.equal(new Set(entries.map((entry) => entry.day)).size, entries.length);
      }
      assert.deepEqual(
        (await stored.readKeys('often', november)).map(({ day, used }) => ({ day, used })),
        [
          { day: '2026-11-21', used: 50 },
          { day: '2026-11-22', used: 20 },
        ],
      );
    });

    it('are written on close if the ledger rejected them before', async () => {
      const { limits, ledger, left } = open();
      await left('late');
      ledger.isFull = true;
      await assert.rejects(limits.flush(), /disk full/);
      assert.ok(limits.hasUnwritten);
      ledger.isFull = false;
      await limits.close();
      assert.ok(!limits.hasUnwritten);
      assert.equal(await stored.read('late', november), 1);
    });

    it('are logged once per outage of the ledger, and once when it is over', async () => {
      const { limits, ledger, logged, left } = open();
      for (const isFull of [false, true, true, false, false, true, false]) {
        ledger.isFull = isFull;
        await left('logged');
        await limits.flush().catch(() => {});
      }
      await limits.close();
      const outage = [
        'Usage could not be written. The gateway retries until it can.',
        'Usage can be written again.',
      ];
      assert.deepEqual(logged, [...outage, ...outage]);
    });

    it('cause no write if there are none', async () => {
      const { limits, ledger, logged, left } = open();
      await limits.flush();
      await left('once');
      await limits.flush();
      await limits.flush();
      await limits.close();
      assert.equal(ledger.batches.length, 1);
      assert.deepEqual(logged, []);
    });

    it('are dropped only after they are written and their second has passed', async () => {
      const { limits, clock, ledger } = open();
      clock.advance(60_000);
      assert.ok((await limits.take('busy', free)).accepted);
      assert.ok((await limits.take('busy', free)).accepted);
      // Long enough for counts to be written in the background and idle accounts to be dropped.
      while (ledger.batches.length === 0) await delay(20);
      await delay(100);
      assert.equal((await limits.take('busy', free)).accepted, false);
      await limits.close();
    });
  });
}
