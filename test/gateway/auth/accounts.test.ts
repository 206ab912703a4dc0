import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  accountOfUser,
  blockAccount,
  changePlan,
  findOrCreateAccount,
  listAccounts,
  unblockAccount,
} from '../../../gateway/auth/accounts.ts';
import { createKey, revokeKey } from '../../../gateway/auth/keys.ts';
import { plansInUse } from '../../../gateway/auth/store/inspect.ts';
import { addUsage } from './add-usage.ts';
import { engine } from './engines.ts';
import { openStore, operatorKey } from './open-store.ts';

describe(`An account, with ${engine.name}`, async () => {
  const { database, clock, verify, close } = await openStore(engine);
  after(close);
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

  it('changes its plan from the next key check on', async () => {
    const { key } = await createKey(database, clock, operatorKey({ account: 'growing' }));
    assert.equal((await changePlan(database, clock, 'growing', 'gold')).plan, 'gold');
    const check = await verify(key);
    assert.ok(check.state === 'valid' && check.plan === 'gold');
    assert.deepEqual(await plansInUse(database), ['free', 'gold']);
  });

  it('rejects its keys while it is blocked', async () => {
    const { key } = await createKey(database, clock, operatorKey({ account: 'blocked' }));
    const blocked = await blockAccount(database, clock, 'blocked');
    assert.deepEqual(
      [blocked.state, blocked.blockedAt],
      ['blocked', new Date(clock.time).toISOString()],
    );
    assert.deepEqual(await verify(key), { state: 'revoked' });
    clock.time += 1000;
    assert.equal((await blockAccount(database, clock, 'blocked')).blockedAt, blocked.blockedAt);
    assert.equal((await unblockAccount(database, clock, 'blocked')).state, 'active');
    assert.equal((await verify(key)).state, 'valid');
  });

  it('is created once for a user, with the email address as its name', async () => {
    const user = { id: 'user-1', email: 'ada@example.org' };
    const accounts = await Promise.all(
      Array.from({ length: 5 }, () => accountOfUser(database, clock, user, 'free')),
    );
    assert.equal(new Set(accounts.map(({ id }) => id)).size, 1);
    assert.deepEqual([accounts[0]?.name, accounts[0]?.userId], ['ada@example.org', 'user-1']);
  });

  it('of a user is never the operator’s account with the address as its name', async () => {
    const { id } = await findOrCreateAccount(database, clock.now(), 'bob@example.org', 'gold');
    const account = await accountOfUser(
      database,
      clock,
      { id: 'user-2', email: 'bob@example.org' },
      'free',
    );
    assert.notEqual(account.id, id);
    assert.deepEqual([account.name, account.plan], ['bob@example.org (user-2)', 'free']);
  });
});
