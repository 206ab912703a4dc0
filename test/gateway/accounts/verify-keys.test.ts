import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createKey, revokeKey } from '../../../gateway/accounts/keys.ts';
import { openDatabase } from '../../../gateway/accounts/store/store.ts';
import { lastUsedWriter, verifyStoredKeys } from '../../../gateway/accounts/verify-keys.ts';
import { advance, FakeSystem } from '../fake-system.ts';
import { sqlite } from './engines.ts';
import { operatorKey } from './open-store.ts';

const { location, remove } = await sqlite.createMigrated();
const database = await openDatabase(location);
const plans = { free: { perSecond: 2, perMonth: 1000 }, large: { perSecond: 9, perMonth: 1000 } };
const system = new FakeSystem();
const lastUsed = lastUsedWriter(database, assert.fail);
const verify = verifyStoredKeys(database, 'pfx_', plans, lastUsed, system, assert.fail);
after(async () => {
  await lastUsed.close();
  await database.destroy();
  await remove();
});

const newKey = () => createKey(database, system, operatorKey({ account: 'reader' }));

describe('A check of a stored key', () => {
  it('is cached for a second, valid or not', async () => {
    const { key, id } = await newKey();
    assert.equal((await verify(key)).state, 'valid');
    await revokeKey(database, system, id);
    advance(1000);
    assert.ok(!(verify(key) instanceof Promise));
    advance(1);
    assert.equal((await verify(key)).state, 'revoked');
  });

  it('has the plan that its account was moved to', async () => {
    const { key } = await newKey();
    const planOf = async () => ({ plan: '', ...(await verify(key)) }).plan;
    assert.equal(await planOf(), 'free');
    await database.updateTable('accounts').set({ plan: 'large' }).execute();
    advance(1001);
    assert.equal(await planOf(), 'large');
  });

  it('writes its last use once a minute, however often it is used', async () => {
    const { key, id } = await newKey();
    const useAndRead = async () => {
      assert.equal((await verify(key)).state, 'valid');
      await lastUsed.close();
      const row = await database
        .selectFrom('keys')
        .select('lastUsedAt')
        .where('id', '=', id)
        .execute();
      return row[0]?.lastUsedAt;
    };
    const first = await useAndRead();
    assert.equal(first, system.now());
    advance(59_000);
    assert.equal(await useAndRead(), first);
    advance(1001);
    assert.equal(await useAndRead(), system.now());
  });
});
