import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from 'kysely';
import {
  accountOfUser,
  changeAccount,
  deleteAccount,
  findOrCreateAccount,
  listAccounts,
  removeEndedUsage,
} from '../../../gateway/accounts/accounts.ts';
import { createKey, revokeKey } from '../../../gateway/accounts/keys.ts';
import { storedUsage } from '../../../gateway/accounts/usage.ts';
import { addUsage } from './add-usage.ts';
import { engine } from './engines.ts';
import { openStore, operatorKey } from './open-store.ts';

describe(`An account, with ${engine.name}`, async () => {
  const { database, clock, verify, close } = await openStore(engine);
  after(close);
  const secret = 'a secret of 32 characters or more';
  const accountOf = (userId: string) => accountOfUser(database, clock, secret, userId, 'free');

  /** Creates a user. @returns its id */
  async function createUser(id: string, email: string): Promise<string> {
    const now = new Date(clock.time).toISOString();
    await sql`
      insert into users (id, name, email, "emailVerified", "createdAt", "updatedAt")
      values (${id}, '', ${email}, false, ${now}, ${now})
    `.execute(database);
    return id;
  }

  const listed = async (name: string) =>
    (await listAccounts(database, clock)).find((account) => account.name === name);

  it('is listed with its plan, its live keys and the month’s requests', async () => {
    const account = await findOrCreateAccount(database, clock.now(), 'school', 'free');
    for (const lifetime of [undefined, 60_000, 1]) {
      await createKey(database, clock, operatorKey({ lifetime }));
    }
    await revokeKey(database, clock, (await createKey(database, clock, operatorKey())).id);
    await addUsage(database, [
      { account: account.id, day: '2026-11-20', used: 3 },
      { account: account.id, day: '2026-11-21', used: 4 },
      { account: account.id, day: '2026-10-31', used: 100 },
    ]);
    clock.time += 1;
    assert.deepEqual(await listed('school'), {
      id: account.id,
      name: 'school',
      email: null,
      plan: 'free',
      state: 'active',
      createdAt: new Date(clock.time - 1).toISOString(),
      blockedAt: null,
      liveKeys: 2,
      lastUsedAt: null,
      used: 7,
    });
  });

  it('rejects its keys while it is blocked', async () => {
    const { key } = await createKey(database, clock, operatorKey({ account: 'blocked' }));
    for (const [blockedAt, state] of [
      [clock.time, 'revoked'],
      [null, 'valid'],
    ] as const) {
      await changeAccount(database, 'blocked', { blockedAt });
      assert.equal((await verify(key)).state, state);
      clock.time += 1001;
    }
  });

  it('is created once for a user, with the email address as its name', async () => {
    const user = await createUser('user-1', 'ada@example.org');
    const accounts = await Promise.all(Array.from({ length: 5 }, () => accountOf(user)));
    assert.equal(new Set(accounts.map(({ id }) => id)).size, 1);
    assert.deepEqual([accounts[0]?.name, accounts[0]?.userId], ['ada@example.org', 'user-1']);
  });

  it('of a user is never the operator’s account with the address as its name', async () => {
    const { id } = await findOrCreateAccount(database, clock.now(), 'bob@example.org', 'gold');
    const account = await accountOf(await createUser('user-2', 'bob@example.org'));
    assert.notEqual(account.id, id);
    assert.deepEqual([account.name, account.plan], ['bob@example.org (user-2)', 'free']);
  });

  it('is not created for a user who was deleted meanwhile', async () => {
    await assert.rejects(accountOf('gone'), { status: 401 });
  });

  it('of a deleted user is continued by the next one with the address, until the month ends', async () => {
    const usage = storedUsage(database, true);
    const used = async (account: string) => [
      await usage.read(account, '2026-10'),
      await usage.read(account, '2026-11'),
    ];
    const address = 'carol@example.org';
    const first = await accountOf(await createUser('carol-1', address));
    for (const day of ['2026-10-31', '2026-11-21'])
      await addUsage(database, [{ account: first.id, day, used: 7 }]);
    await deleteAccount(database, clock, first);
    await usage.add({
      id: 'late',
      at: clock.time,
      entries: ['2026-11-21', '2026-12-01'].map((day) => ({
        ...{ account: first.id, day, key: 'a', used: 2, rejectedByRate: 0, rejectedByQuota: 0 },
      })),
    });
    assert.deepEqual(await used(first.id), [0, 7]);
    assert.deepEqual((await usage.readMonth(first.id, '2026-11')).days, []);
    assert.doesNotMatch(first.id, /carol|example/);

    const second = await accountOf(await createUser('carol-2', address));
    assert.equal(second.id, first.id);
    await deleteAccount(database, clock, second);
    const other = await accountOf(await createUser('dave', 'dave@example.org'));
    assert.notEqual(other.id, first.id);
    await removeEndedUsage(database, clock.time);
    assert.deepEqual(await used(first.id), [0, 7]);
    await removeEndedUsage(database, Date.UTC(2026, 11));
    assert.deepEqual(await used(first.id), [0, 0]);
  });
});
