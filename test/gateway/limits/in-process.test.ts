import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../../gateway/clock.ts';
import { openDatabase } from '../../../gateway/keys/store/database.ts';
import { StoredUsage } from '../../../gateway/keys/usage.ts';
import {
  InProcessLimits,
  type UsageBatch,
  type UsageLedger,
  type UsageTotal,
} from '../../../gateway/limits/in-process.ts';
import { addUsage } from '../keys/add-usage.ts';
import { engines, sqlite } from '../keys/engines.ts';

const roomy = { perSecond: 1_000_000, perMonth: 1000 };
const free = { perSecond: 2, perMonth: 1000 };
const november = Date.UTC(2026, 10, 21);

class SetClock implements Clock {
  #now = november;
  #elapsed = 0;
  now = () => this.#now;
  elapsed = () => this.#elapsed;
  pass(milliseconds: number): void {
    this.#now += milliseconds;
    this.#elapsed += milliseconds * 1000;
  }
  setBack(milliseconds: number): void {
    this.#now -= milliseconds;
  }
}

/** A ledger that can be told to fail, in front of the real one. */
class FailingLedger implements UsageLedger {
  failing = false;
  readonly #ledger: UsageLedger;
  constructor(ledger: UsageLedger) {
    this.#ledger = ledger;
  }
  async read(account: string, month: string): Promise<number> {
    if (this.failing) throw new Error('disk gone');
    return this.#ledger.read(account, month);
  }
  async add(batch: UsageBatch): Promise<readonly UsageTotal[]> {
    if (this.failing) throw new Error('disk full');
    return this.#ledger.add(batch);
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

    function open(clock: Clock = new SetClock(), ledger: UsageLedger = new StoredUsage(database)) {
      const logged: string[] = [];
      return { limits: new InProcessLimits(ledger, clock, (message) => logged.push(message)), logged };
    }

    const used = (account: string, month = '2026-11') => new StoredUsage(database).read(account, month);

    it('decide on requests that come at once one after the other', async () => {
      const { limits } = open();
      const decisions = await Promise.all(Array.from({ length: 50 }, () => limits.take('at-once', free)));
      assert.equal(decisions.filter(({ accepted }) => accepted).length, 2);
      await limits.close();
      assert.equal(await used('at-once'), 2);
    });

    it('count for each account by itself', async () => {
      const { limits } = open();
      const accounts = Array.from({ length: 20 }, (_, index) => `account-${index}`);
      const decisions = await Promise.all(
        [...accounts, ...accounts].map((account) => limits.take(account, free)),
      );
      assert.ok(decisions.every(({ accepted }) => accepted));
      await limits.close();
    });

    it('let exactly the quota through, over restarts as well', async () => {
      let accepted = 0;
      for (let start = 0; start < 6; start += 1) {
        const { limits } = open();
        const decisions = await Promise.all(
          Array.from({ length: 300 }, () => limits.take('restarting', roomy)),
        );
        accepted += decisions.filter((decision) => decision.accepted).length;
        await limits.close();
      }
      assert.equal(accepted, 1000);
      assert.equal(await used('restarting'), 1000);
    });

    it('put counts on disk within the second', async () => {
      const { limits } = open();
      await limits.take('written', roomy);
      await delay(900);
      assert.equal(await used('written'), 1);
      await limits.close();
    });

    it('go on when the counts cannot be written, and write them later', async () => {
      const ledger = new FailingLedger(new StoredUsage(database));
      const { limits, logged } = open(new SetClock(), ledger);
      assert.ok((await limits.take('later', roomy)).accepted);
      ledger.failing = true;
      for (let request = 0; request < 2; request += 1)
        assert.ok((await limits.take('later', roomy)).accepted);
      await delay(700);
      assert.deepEqual(logged, ['Usage could not be written; it is tried again.']);
      assert.equal(await used('later'), 0);
      ledger.failing = false;
      await delay(700);
      assert.equal(await used('later'), 3);
      await limits.close();
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
      await delay(700);
      await limits.take('answerless', roomy);
      await delay(1400);
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

    it('count a new month from nothing, and the old one again when the clock is set back', async () => {
      const clock = new SetClock();
      const { limits } = open(clock);
      await limits.take('month', roomy);
      clock.pass(30 * 86_400_000);
      assert.equal((await limits.take('month', roomy)).quota.remaining, 999);
      clock.setBack(30 * 86_400_000);
      assert.equal((await limits.take('month', roomy)).quota.remaining, 998);
      await limits.close();
      assert.deepEqual([await used('month'), await used('month', '2026-12')], [2, 1]);
    });

    it('hold the rate when the wall clock is set back', async () => {
      const clock = new SetClock();
      const { limits } = open(clock);
      await limits.take('set-back', free);
      await limits.take('set-back', free);
      clock.setBack(3_600_000);
      assert.equal((await limits.take('set-back', free)).accepted, false);
      clock.pass(1000);
      assert.equal((await limits.take('set-back', free)).accepted, true);
      await limits.close();
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
