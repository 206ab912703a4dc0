import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../../gateway/auth/store/store.ts';
import { StoredUsage } from '../../../gateway/auth/usage.ts';
import { InProcessLimits } from '../../../gateway/limits/in-process.ts';
import type { UsageBatch, UsageLedger, UsageTotal } from '../../../gateway/limits/store.ts';
import { addUsage } from '../auth/add-usage.ts';
import { engines, sqlite } from '../auth/engines.ts';
import { FakeClock } from './fake-clock.ts';

const unlimitedRate = { perSecond: 1_000_000, perMonth: 1000 };

/** Wraps a ledger, and fails on request. */
class FailingLedger implements UsageLedger {
  failing = false;
  /** Batches that failed. */
  failures = 0;
  readonly #ledger: UsageLedger;
  constructor(ledger: UsageLedger) {
    this.#ledger = ledger;
  }
  async read(account: string, month: string): Promise<number> {
    if (this.failing) throw new Error('disk gone');
    return this.#ledger.read(account, month);
  }
  async add(batch: UsageBatch): Promise<readonly UsageTotal[]> {
    if (!this.failing) return this.#ledger.add(batch);
    this.failures += 1;
    throw new Error('disk full');
  }
}

for (const engine of engines) {
  describe(`InProcessLimits, with ${engine.name}`, { skip: engine.skip }, async () => {
    if (engine.skip) return;
    const testDatabase = await engine.createDatabase();
    const database = await openDatabase(testDatabase.location, 5000);
    after(async () => {
      await database.destroy();
      await testDatabase.remove();
    });

    function open(clock = new FakeClock(), ledger: UsageLedger = new StoredUsage(database)) {
      const logged: string[] = [];
      return { limits: new InProcessLimits(ledger, clock, (message) => logged.push(message)), logged };
    }

    const used = (account: string, month = '2026-11') => new StoredUsage(database).read(account, month);

    it('writes counts to disk within a second', async () => {
      const { limits } = open();
      await limits.take('written', unlimitedRate);
      await delay(900);
      assert.equal(await used('written'), 1);
      await limits.close();
    });

    it('decides synchronously on a known account', async () => {
      const { limits } = open();
      assert.ok(limits.take('known', unlimitedRate) instanceof Promise);
      await limits.take('known', unlimitedRate);
      assert.ok(!(limits.take('known', unlimitedRate) instanceof Promise));
      await limits.close();
    });

    it('keeps deciding when counts cannot be written, writes them later, and logs it once', async () => {
      const ledger = new FailingLedger(new StoredUsage(database));
      const { limits, logged } = open(new FakeClock(), ledger);
      assert.ok((await limits.take('later', unlimitedRate)).accepted);
      ledger.failing = true;
      for (let request = 0; request < 2; request += 1)
        assert.ok((await limits.take('later', unlimitedRate)).accepted);
      while (ledger.failures < 2) await delay(20);
      assert.equal(await used('later'), 0);
      ledger.failing = false;
      while ((await used('later')) < 3) await delay(20);
      await limits.close();
      assert.equal(await used('later'), 3);
      assert.deepEqual(logged, [
        'Usage could not be written. The gateway retries until it can.',
        'Usage can be written again.',
      ]);
    });

    it('keeps deciding when counts cannot be read, and reads them later', async () => {
      await addUsage(database, [{ account: 'unread', day: '2026-11-01', used: 990 }]);
      const ledger = new FailingLedger(new StoredUsage(database));
      const { limits, logged } = open(new FakeClock(), ledger);
      ledger.failing = true;
      assert.ok((await limits.take('unread', unlimitedRate)).accepted);
      assert.match(logged[0] ?? '', /Usage could not be read/);
      ledger.failing = false;
      await delay(700);
      assert.equal((await limits.take('unread', unlimitedRate)).quota.remaining, 1000 - 992);
      await limits.close();
      assert.equal(await used('unread'), 992);
    });

    it('counts a batch once if the ledger wrote it but failed to confirm', async () => {
      const stored = new StoredUsage(database);
      let written = 0;
      const unconfirmed: UsageLedger = {
        read: (account, month) => stored.read(account, month),
        add: async (batch) => {
          const totals = await stored.add(batch);
          written += 1;
          if (written <= 2) throw new Error('the confirmation is lost');
          return totals;
        },
      };
      const { limits } = open(new FakeClock(), unconfirmed);
      for (let request = 0; request < 3; request += 1) await limits.take('unconfirmed', unlimitedRate);
      while (written === 0) await delay(20);
      await limits.take('unconfirmed', unlimitedRate);
      while ((await used('unconfirmed')) < 4) await delay(20);
      assert.ok(written > 2);
      assert.equal(await used('unconfirmed'), 4);
      assert.equal((await limits.take('unconfirmed', unlimitedRate)).quota.remaining, 1000 - 5);
      await limits.close();
      assert.equal(await used('unconfirmed'), 5);
    });

    it('rejects close() if the last counts cannot be written', async () => {
      const ledger = new FailingLedger(new StoredUsage(database));
      const { limits } = open(new FakeClock(), ledger);
      await limits.take('lost', unlimitedRate);
      ledger.failing = true;
      await assert.rejects(limits.close(), /disk full/);
    });

    it('drops an idle account, and reads its count from the ledger at its next request', async () => {
      const clock = new FakeClock();
      const { limits } = open(clock);
      for (let request = 0; request < 5; request += 1) await limits.take('idle', unlimitedRate);
      clock.advance(2000);
      await limits.take('other', unlimitedRate);
      await delay(700);
      await addUsage(database, [{ account: 'idle', day: '2026-11-21', used: 100 }]);
      assert.equal((await limits.take('idle', unlimitedRate)).quota.remaining, 1000 - 106);
      await limits.close();
    });

    it('learns what another process counts for the same account', async () => {
      const [one, other] = [open(), open()];
      for (let request = 0; request < 3; request += 1) {
        await one.limits.take('shared', unlimitedRate);
        await other.limits.take('shared', unlimitedRate);
      }
      await other.limits.close();
      await delay(1200);
      await one.limits.take('shared', unlimitedRate);
      await delay(700);
      assert.equal((await one.limits.take('shared', unlimitedRate)).quota.remaining, 1000 - 8);
      await one.limits.close();
      assert.equal(await used('shared'), 8);
    });

    it('accepts at most 1 % or 10 requests more than the quota for each further process', async () => {
      for (const [processes, perMonth, more] of [
        [1, 300, 0],
        [3, 300, 20],
        [2, 1500, 15],
      ] as const) {
        const account = `fast-${processes}`;
        const plan = { perSecond: 1_000_000, perMonth };
        const opened = Array.from({ length: processes }, () => open().limits);
        const decisions = await Promise.all(
          opened.flatMap((limits) => Array.from({ length: perMonth * 2 }, () => limits.take(account, plan))),
        );
        for (const limits of opened) await limits.close();
        const accepted = decisions.filter((decision) => decision.accepted).length;
        assert.ok(accepted >= perMonth && accepted <= perMonth + more, `${accepted} accepted`);
        assert.equal(await used(account), accepted);
      }
    });
  });
}

describe('InProcessLimits, with a locked SQLite file', async () => {
  const testDatabase = await sqlite.createDatabase();
  const database = await openDatabase(testDatabase.location, 5000);
  after(async () => {
    await database.destroy();
    await testDatabase.remove();
  });

  const used = (account: string) => new StoredUsage(database).read(account, '2026-11');

  it('keeps deciding while another process holds the lock, and leaves no lock', async () => {
    const shortTimeout = await openDatabase(testDatabase.location, 50);
    const logged: string[] = [];
    const limits = new InProcessLimits(new StoredUsage(shortTimeout), new FakeClock(), (message) =>
      logged.push(message),
    );
    await limits.take('locked', unlimitedRate);
    await database.transaction().execute(async () => {
      await delay(1200);
    });
    assert.ok(logged.length > 0);
    await delay(700);
    assert.equal(await used('locked'), 1);
    await addUsage(database, [{ account: 'locked', day: '2026-11-21', used: 1 }]);
    assert.equal(await used('locked'), 2);
    await limits.close();
    await shortTimeout.destroy();
  });
});
