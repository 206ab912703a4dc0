import assert from 'node:assert/strict';
import { after, before, describe, it, mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openDatabase } from '../../../gateway/accounts/store/store.ts';
import { storedUsage } from '../../../gateway/accounts/usage.ts';
import { type InProcessLimits, inProcessLimits } from '../../../gateway/limits/in-process.ts';
import type { UsageBatch, UsageLedger, UsageTotal } from '../../../gateway/limits/store.ts';
import { addUsage } from '../accounts/add-usage.ts';
import { engine } from '../accounts/engines.ts';
import { FakeClock } from './fake-clock.ts';

const unlimitedRate = { perSecond: 1_000_000, perMonth: 1000 };
const day = 86_400_000;
const november = '2026-11';

before(() => mock.timers.enable({ apis: ['setTimeout'] }));
after(() => mock.timers.reset());

/** Lets the time until the next write in the background pass, and waits for that write. */
async function writeInBackground(limits: InProcessLimits): Promise<void> {
  mock.timers.tick(500);
  await limits.flush().catch(() => {});
}

/** Wraps a ledger; it can fail, or delay its confirmation. */
class FaultyLedger implements UsageLedger {
  isGone = false;
  isFull = false;
  /** Confirms a written batch. */
  confirm = async () => {};
  readonly batches: UsageBatch[] = [];
  readonly #ledger: UsageLedger;

  constructor(ledger: UsageLedger) {
    this.#ledger = ledger;
  }

  async read(account: string, month: string): Promise<number> {
    if (this.isGone) throw new Error('disk gone');
    return this.#ledger.read(account, month);
  }

  async add(batch: UsageBatch): Promise<readonly UsageTotal[]> {
    this.batches.push(batch);
    if (this.isFull) throw new Error('disk full');
    const totals = await this.#ledger.add(batch);
    await this.confirm();
    return totals;
  }
}

describe(`InProcessLimits, with ${engine.name}`, async () => {
  const testDatabase = await engine.createDatabase();
  const database = await openDatabase(testDatabase.location);
  after(async () => {
    await database.destroy();
    await testDatabase.remove();
  });

  const stored = storedUsage(database);
  const used = (account: string) => stored.read(account, november);

  function open() {
    const [clock, ledger, logged] = [new FakeClock(), new FaultyLedger(stored), [] as string[]];
    const limits = inProcessLimits(ledger, clock, (message) => logged.push(message));
    const left = async (account: string) =>
      (await limits.take(account, unlimitedRate)).quota.remaining;
    return { limits, clock, ledger, logged, left };
  }

  it('writes counts to disk twice a second', async () => {
    const { limits } = open();
    await limits.take('written', unlimitedRate);
    mock.timers.tick(500);
    while ((await used('written')) === 0) await nextTurn();
    await limits.close();
  });

  it('keeps deciding when counts cannot be read, and reads them later', async () => {
    await addUsage(database, [{ account: 'unread', day: '2026-11-01', used: 990 }]);
    const { limits, ledger, logged, left } = open();
    ledger.isGone = true;
    assert.ok((await limits.take('unread', unlimitedRate)).accepted);
    assert.match(logged[0] ?? '', /Usage could not be read/);
    ledger.isGone = false;
    await writeInBackground(limits);
    assert.equal(await left('unread'), 1000 - 992);
    await limits.close();
    assert.equal(await used('unread'), 992);
  });

  it('counts a batch once if the ledger wrote it but failed to confirm', async () => {
    const { limits, ledger, left } = open();
    for (let request = 0; request < 3; request += 1) await left('unconfirmed');
    ledger.confirm = () => Promise.reject(new Error('the confirmation is lost'));
    await assert.rejects(limits.flush());
    await left('unconfirmed');
    await assert.rejects(limits.flush());
    ledger.confirm = async () => {};
    while (ledger.batches.length < 4) await limits.flush();
    assert.equal(await used('unconfirmed'), 4);
    assert.equal(await left('unconfirmed'), 1000 - 5);
    await limits.close();
    assert.equal(await used('unconfirmed'), 5);
  });

  it('drops an idle account, and reads its count from the ledger at its next request', async () => {
    const { limits, clock, left } = open();
    for (let request = 0; request < 5; request += 1) await limits.take('idle', unlimitedRate);
    clock.advance(2000);
    await limits.take('other', unlimitedRate);
    await writeInBackground(limits);
    await addUsage(database, [{ account: 'idle', day: '2026-11-21', used: 100 }]);
    assert.equal(await left('idle'), 1000 - 106);
    await limits.close();
  });

  it('keeps a busy account until its second has passed', async () => {
    const { limits, clock } = open();
    const free = { perSecond: 2, perMonth: 1000 };
    for (const pause of [60_000, 1500]) {
      clock.advance(pause);
      assert.ok((await limits.take('busy', free)).accepted);
    }
    await writeInBackground(limits);
    assert.ok((await limits.take('busy', free)).accepted);
    assert.equal((await limits.take('busy', free)).accepted, false);
    await limits.close();
  });

  it('knows after a write what another process has counted', async () => {
    const [one, other] = [open(), open()];
    assert.equal(await one.left('shared'), 999);
    assert.equal(await other.left('shared'), 999);
    await one.limits.flush();
    await other.limits.flush();
    assert.equal(await other.left('shared'), 997);
    await other.limits.close();
    await one.limits.close();
    assert.equal(await used('shared'), 3);
  });

  it('counts that are not written belong to their month and account also while the ledger rejects batches', async () => {
    const { limits, clock, ledger, left } = open();
    ledger.isFull = true;
    for (const account of ['rejected', 'rejected', 'beside']) await left(account);
    await assert.rejects(limits.flush(), /disk full/);
    clock.advance(30 * day);
    assert.equal(await left('rejected'), 999);
    clock.setBack(30 * day);
    assert.equal(await left('rejected'), 997);
    ledger.isFull = false;
    await limits.close();
    assert.deepEqual(
      [await stored.read('rejected', november), await stored.read('beside', november)],
      [3, 1],
    );
  });

  it('counts that are not written are added to the ledger’s count if requests come during a write', async () => {
    const { limits, ledger, left } = open();
    await left('meanwhile');
    await left('meanwhile');
    let confirm = () => {};
    const confirmed = new Promise<void>((resolve) => {
      confirm = resolve;
    });
    ledger.confirm = () => confirmed;
    const written = limits.flush();
    while (ledger.batches.length === 0) await nextTurn();
    assert.equal(await left('meanwhile'), 997);
    confirm();
    await written;
    assert.equal(await left('meanwhile'), 996);
    await limits.close();
    assert.equal(await stored.read('meanwhile', november), 4);
  });

  it('counts that are not written are logged once per outage of the ledger, and once when it is over', async () => {
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
});
