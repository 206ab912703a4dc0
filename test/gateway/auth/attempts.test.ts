import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from 'kysely';
import { openAttempts } from '../../../gateway/auth/attempts.ts';
import { openStore as openForRequests } from '../../../gateway/auth/store/store.ts';
import { engines, sqlite } from './engines.ts';
import { FakeClock, openStore } from './open-store.ts';

const limit = { name: 'guesses', windowMs: 60_000, limit: 3 };
const secret = async () => 'a secret of 32 characters or more';

for (const engine of engines) {
  describe(`Counts of attempts, with ${engine.name}`, { skip: engine.skip }, async () => {
    if (engine.skip) return;
    const { database, close } = await openStore(engine);
    after(close);
    const open = () => {
      const clock = new FakeClock();
      return { clock, attempts: openAttempts(database, secret, clock) };
    };
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
      assert.deepEqual([await take(), await take(), await take(), await take()], [true, true, true, false]);
      clock.time = start + 59_999;
      assert.deepEqual(await attempts.take(limit, 'ada'), { isAllowed: false, endsAt: start + 60_000 });
      clock.time = start + 60_000;
      assert.equal(await take(), true);
    });

    it('are shared by all that use the database, also concurrently', async () => {
      const opened = [open(), open(), open()];
      const taken = await Promise.all(
        Array.from({ length: 9 }, (_, index) => opened[index % 3]?.attempts.take(limit, 'bob')),
      );
      assert.equal(taken.filter((attempt) => attempt?.isAllowed).length, 3);
    });

    it('are kept by a process whose clock is behind', async () => {
      const [ahead, behind] = [open(), open()];
      behind.clock.time -= 2000;
      for (let time = 0; time < 3; time += 1) await ahead.attempts.take(limit, 'heidi');
      assert.equal((await behind.attempts.take(limit, 'heidi')).isAllowed, false);
    });

    it('are separate for each limit and each address', async () => {
      const { attempts } = open();
      for (let time = 0; time < 4; time += 1) await attempts.take(limit, 'carol');
      assert.equal((await attempts.take(limit, 'dave')).isAllowed, true);
      assert.equal((await attempts.take({ ...limit, name: 'mails' }, 'carol')).isAllowed, true);
    });

    it('are reduced by attempts that are given back, not below zero', async () => {
      const { attempts } = open();
      const take = async () => (await attempts.take(limit, 'erin')).isAllowed;
      await take();
      for (let time = 0; time < 5; time += 1) await attempts.giveBack(limit, 'erin');
      assert.deepEqual([await take(), await take(), await take(), await take()], [true, true, true, false]);
    });

    it('last no longer than a window after the clock was set back', async () => {
      const { clock, attempts } = open();
      for (let time = 0; time < 4; time += 1) await attempts.take(limit, 'frank');
      clock.time -= 86_400_000;
      assert.equal((await attempts.take(limit, 'frank')).isAllowed, true);
    });

    it('are stored without addresses', async () => {
      const { attempts } = open();
      await attempts.take(limit, '192.0.2.7');
      const rows = JSON.stringify(await database.selectFrom('attempts').selectAll().execute());
      assert.doesNotMatch(rows, /192\.0\.2|guesses|ada/);
    });

    it('are deleted when their window has ended, and beyond 100,000', async () => {
      const { clock, attempts } = open();
      const end = clock.time + 10_000;
      await sql`
        insert into attempts (id, count, "endsAt")
        with recursive numbers(number) as (select 1 union all select number + 1 from numbers where number < 100500)
        select 'row ' || number, 1, ${sql.lit(end)} + number from numbers
      `.execute(database);
      await attempts.take(limit, 'grace');
      const rows = await countRows();
      assert.ok(rows > 99_000 && rows <= 100_001, `${rows} rows`);
      const first = await database.selectFrom('attempts').select('id').where('id', '=', 'row 1').execute();
      assert.deepEqual(first, [], 'those that end first are deleted');
      clock.time += 200_000;
      await attempts.take(limit, 'grace');
      assert.equal(await countRows(), 1);
    });
  });
}

describe('A SQLite file with background writes', () => {
  it('can be closed meanwhile: each write is complete, or rejected', async () => {
    const { location, remove } = await sqlite.createDatabase();
    const store = await openForRequests(location, 2000);
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
    const again = await openForRequests(location, 2000);
    const rows = await again.database.selectFrom('usageBatches').select('id').execute();
    assert.equal(rows.length, 2 * (complete + 1));
    await again.close();
    await remove();
  });
});
