import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../../gateway/auth/store/store.ts';
import { StoredUsage } from '../../../gateway/auth/usage.ts';
import { InProcessLimits } from '../../../gateway/limits/in-process.ts';
import type { UsageBatch, UsageLedger, UsageTotal } from '../../../gateway/limits/store.ts';
import { addUsage } from '../auth/add-usage.ts';
import { engines, sqlite } from '../auth/engines.ts';
import { SetClock } from './set-clock.ts';

const roomy = { perSecond: 1_000_000, perMonth: 1000 };

/** A ledger that can be told to fail, in front of the real one. */
class FailingLedger implements UsageLedger {
  failing = false;
  /** Batches that were not taken. */
  refused = 0;
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
    this.refused += 1;
    throw new Error('disk full');
  }
}

for (const engine of engines) {
  describe(`Limits kept in the process, with ${engine.name}`, { skip: engine.skip }, async () => {
    if (engine.skip) return;
    const place = await engine.makePlace();
    const database = await openDatabase(place.location, 5000);
    after(async () => {
      await database.destroy();
      await place.remove();
    });

    function open(clock = new SetClock(), ledger: UsageLedger = new StoredUsage(database)) {
      const logged: string[] = [];
      return { limits: new InProcessLimits(ledger, clock, (message) => logged.push(message)), logged };
    }

    const used = (account: string, month = '2026-11') => new StoredUsage(database).read(account, month);

    it('put counts on disk within the second', async () => {
      const { limits } = open();
      await limits.take('written', roomy);
      await delay(900);
      assert.equal(await used('written'), 1);
      await limits.close();
    });

    it('decide at once on an account that they know', async () => {
      const { limits } = open();
      assert.ok(limits.take('known', roomy) instanceof Promise);
      await limits.take('known', roomy);
      assert.ok(!(limits.take('known', roomy) instanceof Promise));
      await limits.close();
    });

    it('go on when the counts cannot be written, write them later, and tell of it once', async () => {
      const ledger = new FailingLedger(new StoredUsage(database));
      const { limits, logged } = open(new SetClock(), ledger);
      assert.ok((await limits.take('later', roomy)).accepted);
      ledger.failing = true;
      for (let request = 0; request < 2; request += 1)
        assert.ok((await limits.take('later', roomy)).accepted);
      while (ledger.refused < 2) await delay(20);
      assert.equal(await used('later'), 0);
      ledger.failing = false;
      while ((await used('later')) < 3) await delay(20);
      await limits.close();
      assert.equal(await used('later'), 3);
      assert.deepEqual(logged, [
        'Usage could not be written; it is tried again until it can.',
        'Usage is written again.',
      ]);
    });

    it('go on when the counts cannot be read, and learn them later', async () => {
      await addUsage(database, [{ account: 'unread', day: '2026-11-01', count: 990 }]);
      const ledger = new FailingLedger(new StoredUsage(database));
      const { limits, logged } = open(new SetClock(), ledger);
      ledger.failing = true;
      assert.ok((await limits.take('unread', roomy)).accepted);
      assert.match(logged[0] ?? '', /Usage could not be read/);
      ledger.failing = false;
      await delay(700);
      assert.equal((await limits.take('unread', roomy)).quota.remaining, 1000 - 992);
      await limits.close();
      assert.equal(await used('unread'), 992);
    });

    it('count once what was written though no one said so', async () => {
      const stored = new StoredUsage(database);
      let lost = 0;
      const forgetful: UsageLedger = {
        read: (account, month) => stored.read(account, month),
        add: async (batch) => {
          const totals = await stored.add(batch);
          lost += 1;
          if (lost <= 2) throw new Error('the answer is lost');
          return totals;
        },
      };
      const { limits } = open(new SetClock(), forgetful);
      for (let request = 0; request < 3; request += 1) await limits.take('answerless', roomy);
      while (lost === 0) await delay(20);
      await limits.take('answerless', roomy);
      while ((await used('answerless')) < 4) await delay(20);
      assert.ok(lost > 2);
      assert.equal(await used('answerless'), 4);
      assert.equal((await limits.take('answerless', roomy)).quota.remaining, 1000 - 5);
      await limits.close();
      assert.equal(await used('answerless'), 5);
    });

    it('say so when the last counts are lost at the end', async () => {
      const ledger = new FailingLedger(new StoredUsage(database));
      const { limits } = open(new SetClock(), ledger);
      await limits.take('lost', roomy);
      ledger.failing = true;
      await assert.rejects(limits.close(), /disk full/);
    });

    it('forget an idle account and take its count from the ledger when it comes back', async () => {
      const clock = new SetClock();
      const { limits } = open(clock);
      for (let request = 0; request < 5; request += 1) await limits.take('idle', roomy);
      clock.pass(2000);
      await limits.take('other', roomy);
      await delay(700);
      await addUsage(database, [{ account: 'idle', day: '2026-11-21', count: 100 }]);
      assert.equal((await limits.take('idle', roomy)).quota.remaining, 1000 - 106);
      await limits.close();
    });

    it('learn of what another process counts for the same account', async () => {
      const [one, other] = [open(), open()];
      for (let request = 0; request < 3; request += 1) {
        await one.limits.take('shared', roomy);
        await other.limits.take('shared', roomy);
      }
      await other.limits.close();
      await delay(1200);
      await one.limits.take('shared', roomy);
      await delay(700);
      assert.equal((await one.limits.take('shared', roomy)).quota.remaining, 1000 - 8);
      await one.limits.close();
      assert.equal(await used('shared'), 8);
    });
  });
}

describe('Limits kept in the process, with a SQLite file that another process locks', async () => {
  const place = await sqlite.makePlace();
  const database = await openDatabase(place.location, 5000);
  after(async () => {
    await database.destroy();
    await place.remove();
  });

  const used = (account: string) => new StoredUsage(database).read(account, '2026-11');

  it('go on while another process holds the lock of the database, and leave none behind', async () => {
    const impatient = await openDatabase(place.location, 50);
    const logged: string[] = [];
    const limits = new InProcessLimits(new StoredUsage(impatient), new SetClock(), (message) =>
      logged.push(message),
    );
    await limits.take('locked', roomy);
    await database.transaction().execute(async () => {
      await delay(1200);
    });
    assert.ok(logged.length > 0);
    await delay(700);
    assert.equal(await used('locked'), 1);
    await addUsage(database, [{ account: 'locked', day: '2026-11-21', count: 1 }]);
    assert.equal(await used('locked'), 2);
    await limits.close();
    await impatient.destroy();
  });
});
