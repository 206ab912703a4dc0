import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { openAttempts } from '../../../gateway/auth/attempts.ts';
import { openDatabase, openStore as openForRequests } from '../../../gateway/auth/store/store.ts';
import { storedUsage } from '../../../gateway/auth/usage.ts';
import { systemClock } from '../../../gateway/clock.ts';
import { BusyError } from '../../../gateway/semaphore.ts';
import { addUsage } from './add-usage.ts';
import { engine, sqlite } from './engines.ts';
import { FakeClock, openStore } from './open-store.ts';

const limit = { name: 'guesses', windowMs: 60_000, limit: 3 };
const secret = async () => 'a secret of 32 characters or more';

describe(`Counts of attempts, with ${engine.name}`, async () => {
  const { database, close } = await openStore(engine);
  const opened: ReturnType<typeof openAttempts>[] = [];
  after(async () => {
    globalThis.setTimeout = setTimeout;
    // Nothing is written any more while other tests run.
    for (const attempts of opened) await attempts.close();
    await close();
  });
  const open = () => {
    const clock = new FakeClock();
    const disk = { queries: 0, isFull: false };
    const counted = database.withPlugin({
      transformQuery: ({ node }) => {
        disk.queries += 1;
        if (disk.isFull && node.kind === 'InsertQueryNode') throw new Error('the disk is full');
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const attempts = openAttempts(counted, secret, clock, () => {});
    opened.push(attempts);
    return { clock, disk, attempts };
  };
  // Nothing is written at an interval, by which a test would change the rows of the next one. Timers that another suite
  // has started are still cleared, unlike by `mock.timers`.
  const { setTimeout } = globalThis;
  before(() => {
    globalThis.setTimeout = (() =>
      setInterval(() => {}, 60_000).unref()) as unknown as typeof setTimeout;
  });
  const countRows = async () => {
    const { count } = await database
      .selectFrom('attempts')
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  };

  it('allow as many attempts as the limit, until the window of the first one ends', async () => {
    const { clock, attempts } = open();
    const start = clock.time;
    const take = async () => (await attempts.take(limit, 'ada')).isAllowed;
    assert.deepEqual(
      [await take(), await take(), await take(), await take()],
      [true, true, true, false],
    );
    clock.time = start + 59_999;
    assert.deepEqual(await attempts.take(limit, 'ada'), {
      isAllowed: false,
      endsAt: start + 60_000,
    });
    clock.time = start + 60_000;
    assert.equal(await take(), true);
  });

  it('are shared by all that use the database, from the next write of each on', async () => {
    const opened = [open(), open(), open()];
    const takeEach = () =>
      Promise.all(
        opened.map(async ({ attempts }) => (await attempts.take(limit, 'bob')).isAllowed),
      );
    assert.deepEqual(await takeEach(), [true, true, true]);
    for (const { attempts } of opened) await attempts.flush();
    assert.deepEqual(
      await takeEach(),
      [true, true, false],
      'the last one to write knows all counts',
    );
    for (const { attempts } of opened) await attempts.flush();
    assert.deepEqual(await takeEach(), [false, false, false]);
    const { isAllowed } = await open().attempts.take(limit, 'bob');
    assert.equal(isAllowed, false, 'a process that starts knows what was written');
  });

  it('are exact within a process, also concurrently', async () => {
    const { attempts } = open();
    const taken = await Promise.all(Array.from({ length: 9 }, () => attempts.take(limit, 'ivan')));
    assert.equal(taken.filter(({ isAllowed }) => isAllowed).length, 3);
    await attempts.flush();
    const rows = await database
      .selectFrom('attempts')
      .select('count')
      .where('count', '=', 3)
      .execute();
    assert.ok(rows.length > 0);
  });

  it('are read once and written in batches, and a rejected attempt does not reach the database', async () => {
    const { attempts, disk } = open();
    const who = Array.from({ length: 500 }, (_, index) => `network ${index}`);
    const takeAll = async () => {
      const before = disk.queries;
      for (const { isAllowed } of await Promise.all(
        who.map((each) => attempts.take(limit, each)),
      )) {
        assert.equal(isAllowed, true);
      }
      return disk.queries - before;
    };
    assert.ok((await takeAll()) <= 2, 'reads for all that wait at the same time');
    assert.deepEqual([await takeAll(), await takeAll()], [0, 0]);
    const before = disk.queries;
    await attempts.flush();
    assert.ok(
      disk.queries - before <= 5,
      `${disk.queries - before} queries to write 1,500 attempts`,
    );
    const written = disk.queries;
    for (let time = 0; time < 500; time += 1) await attempts.take(limit, 'network 7');
    await attempts.flush();
    assert.equal(disk.queries, written);
  });

  it('are rejected at once when too many wait to be read or written', async () => {
    const { attempts, disk } = open();
    disk.isFull = true;
    const results = await Promise.allSettled(
      Array.from({ length: 3000 }, (_, index) => attempts.take(limit, `new ${index}`)),
    );
    const busy = results.filter(
      (result) => result.status === 'rejected' && result.reason instanceof BusyError,
    );
    const taken = results.filter(({ status }) => status === 'fulfilled');
    assert.ok(
      taken.length >= 1000 && taken.length + busy.length === 3000,
      `${taken.length} were counted`,
    );
    let error: unknown;
    // A slow database server fails some of the reads.
    for (let from = 0; from < 100_000 && !(error instanceof BusyError); from += 1000) {
      const some = Array.from({ length: 1000 }, (_, index) =>
        attempts.take(limit, `next ${from + index}`),
      );
      await Promise.allSettled(some);
      error = await attempts.take(limit, `last ${from}`).catch((reason: unknown) => reason);
    }
    assert.ok(error instanceof BusyError, `${error}`);
    disk.isFull = false;
    await attempts.flush();
    assert.equal((await attempts.take(limit, 'one more')).isAllowed, true);
  });

  it('wait while the database is unavailable, and are then written', async () => {
    const logged: string[] = [];
    const attempts = openAttempts(
      database,
      secret,
      new FakeClock(),
      (line) => void logged.push(line),
    );
    await attempts.take(limit, 'judy');
    await sql`alter table attempts rename to elsewhere`.execute(database);
    assert.equal((await attempts.take(limit, 'judy')).isAllowed, true);
    await assert.rejects(attempts.flush());
    await assert.rejects(attempts.take(limit, 'not in memory'));
    await sql`alter table elsewhere rename to attempts`.execute(database);
    await attempts.flush();
    assert.deepEqual(logged, [
      'Counts of attempts could not be written. The service retries until it can.',
      'Counts of attempts can be written again.',
    ]);
    await open().attempts.take(limit, 'judy');
    assert.equal((await open().attempts.take(limit, 'judy')).isAllowed, true);
  });

  it('are kept by a process whose clock is behind', async () => {
    const [ahead, behind] = [open(), open()];
    behind.clock.time -= 2000;
    for (let time = 0; time < 3; time += 1) await ahead.attempts.take(limit, 'heidi');
    await ahead.attempts.flush();
    assert.equal((await behind.attempts.take(limit, 'heidi')).isAllowed, false);
  });

  it('are separate for each limit and each address', async () => {
    const { attempts } = open();
    for (let time = 0; time < 4; time += 1) await attempts.take(limit, 'carol');
    assert.equal((await attempts.take(limit, 'dave')).isAllowed, true);
    assert.equal((await attempts.take({ ...limit, name: 'mails' }, 'carol')).isAllowed, true);
  });

  it('last no longer than a window after the clock was set back', async () => {
    const { clock, attempts } = open();
    for (let time = 0; time < 4; time += 1) await attempts.take(limit, 'frank');
    clock.time -= 86_400_000;
    assert.equal((await attempts.take(limit, 'frank')).isAllowed, true);
  });

  it('are stored without addresses', async () => {
    const { attempts } = open();
    await database.deleteFrom('attempts').execute();
    await attempts.take(limit, '192.0.2.7');
    await attempts.flush();
    const rows = JSON.stringify(await database.selectFrom('attempts').selectAll().execute());
    assert.doesNotMatch(rows, /192\.0\.2|guesses|ada/);
  });

  it('are deleted when their window has ended, and beyond 100,000', async () => {
    const { clock, attempts } = open();
    const end = clock.time + 10_000;
    // In parts, because PostgreSQL ends a statement after two seconds.
    for (let from = 1; from <= 100_500; from += 20_100) {
      await sql`
        insert into attempts (id, count, "endsAt")
        with recursive numbers(number) as (
          select ${sql.lit(from)} union all select number + 1 from numbers where number < ${sql.lit(from + 20_099)})
        select 'row ' || number, 1, ${sql.lit(end)} + number from numbers
      `.execute(database);
    }
    await attempts.take(limit, 'grace');
    await attempts.flush();
    const rows = await countRows();
    assert.ok(rows > 99_000 && rows <= 100_001, `${rows} rows`);
    const first = await database
      .selectFrom('attempts')
      .select('id')
      .where('id', '=', 'row 1')
      .execute();
    assert.deepEqual(first, [], 'those that end first are deleted');
    clock.time += 200_000;
    await attempts.take(limit, 'grace');
    await attempts.flush();
    assert.equal(await countRows(), 1);
  });
});

it('A SQLite file with background writes can be closed meanwhile: each write is complete, or rejected', async () => {
  const { location, remove } = await sqlite.createDatabase();
  const store = await openForRequests(location, systemClock);
  const write = (id: string) =>
    store.background.transaction().execute(async (transaction) => {
      for (const part of ['a', 'b']) {
        await transaction
          .insertInto('usageBatches')
          .values({ id: id + part, at: 0 })
          .execute();
      }
    });
  await write('first');
  const writes = Promise.allSettled(['second', 'third', 'fourth'].map(write));
  await store.close();
  const complete = (await writes).filter(({ status }) => status === 'fulfilled').length;
  const again = await openForRequests(location, systemClock);
  const rows = await again.database.selectFrom('usageBatches').select('id').execute();
  assert.equal(rows.length, 2 * (complete + 1));
  await again.close();
  await remove();
});

describe(`Usage, with ${engine.name}`, async () => {
  const { database, testDatabase, close } = await openStore(engine);
  after(close);
  const usage = storedUsage(database);

  it('is counted by month, and by day, key and outcome', async () => {
    const totals = await addUsage(database, [
      { account: 'a', day: '2026-11-30', key: 'one', used: 2, rejectedByRate: 4 },
      { account: 'a', day: '2026-11-30', key: 'two', rejectedByQuota: 1 },
      { account: 'a', day: '2026-12-01', key: 'one', used: 3 },
      { account: 'b', day: '2026-11-30', key: 'three', used: 5 },
    ]);
    assert.deepEqual(totals, [
      { account: 'a', month: '2026-11', used: 2 },
      { account: 'a', month: '2026-11', used: 2 },
      { account: 'a', month: '2026-12', used: 3 },
      { account: 'b', month: '2026-11', used: 5 },
    ]);
    for (const used of [1, 5])
      await addUsage(database, [{ account: 'a', day: '2026-11-02', key: 'one', used }]);
    assert.equal(await usage.read('a', '2026-11'), 8);
    assert.deepEqual(await usage.readMonth('a', '2026-11'), {
      days: [
        { day: '2026-11-02', used: 6, rejectedByRate: 0, rejectedByQuota: 0 },
        { day: '2026-11-30', used: 2, rejectedByRate: 4, rejectedByQuota: 1 },
      ],
      keys: [
        { key: 'one', used: 8, rejectedByRate: 4, rejectedByQuota: 0 },
        { key: 'two', used: 0, rejectedByRate: 0, rejectedByQuota: 1 },
      ],
      hasMore: false,
    });
    assert.equal(await usage.read('c', '2026-11'), 0);
    assert.deepEqual(await usage.readMonth('c', '2026-11'), { days: [], keys: [], hasMore: false });
  });

  it('of many keys is summed by the database, and read in pages of 50 keys', async () => {
    const entries = Array.from({ length: 120 }, (_, index) => ({
      ...{ account: 'many', day: `2026-11-${10 + (index % 20)}`, key: `key ${index}`, used: index },
    }));
    await addUsage(database, entries);
    const pages = [1, 2, 3, 4].map((page) => usage.readMonth('many', '2026-11', page));
    const [first, second, third, fourth] = await Promise.all(pages);
    assert.deepEqual(
      [first?.keys.length, first?.keys[0]?.key, first?.hasMore],
      [50, 'key 119', true],
    );
    assert.deepEqual(
      [second?.keys[0]?.key, third?.keys.length, third?.hasMore],
      ['key 69', 20, false],
    );
    assert.deepEqual([first?.days.length, fourth?.days, fourth?.keys], [20, first?.days, []]);
  });

  it('loses nothing when several processes count the same accounts concurrently', async () => {
    const accounts = Array.from({ length: 10 }, (_, index) => `shared-${index}`);
    const connections = [
      await openDatabase(testDatabase.location),
      await openDatabase(testDatabase.location),
    ];
    await Promise.all(
      connections.map(async (connection, index) => {
        const ordered = index === 0 ? accounts : accounts.toReversed();
        const entries = ordered.flatMap((account) =>
          ['one', 'two'].map((key) => ({ account, day: '2026-11-21', key, used: 1 })),
        );
        for (let round = 0; round < 5; round += 1) await addUsage(connection, entries);
        await connection.destroy();
      }),
    );
    for (const account of accounts) assert.equal(await usage.read(account, '2026-11'), 20);
  });
});
