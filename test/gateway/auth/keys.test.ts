import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { findOrCreateAccount, MissingError, RequestError } from '../../../gateway/auth/accounts.ts';
import {
  createKey,
  createOwnKey,
  listKeys,
  listOwnKeys,
  revokeKey,
  revokeKeysOfAccount,
  revokeOwnKey,
  rotateKey,
} from '../../../gateway/auth/keys.ts';
import { engines } from './engines.ts';
import { openStore, operatorKey } from './open-store.ts';

for (const engine of engines) {
  describe(`A key, with ${engine.name}`, { skip: engine.skip }, async () => {
    if (engine.skip) return;
    const { database, clock, verify, lastUsed, close } = await openStore(engine);
    after(close);
    const account = (name: string) => findOrCreateAccount(database, clock.now(), name, 'free');
    const own = (accountId: string, lifetime?: number) =>
      createOwnKey(database, clock, accountId, { name: 'laptop', lifetime, prefix: 'pfx_' });

    it('is valid as soon as it is created, for its account and plan', async () => {
      const { key, id, plan, expiresAt } = await createKey(database, clock, operatorKey());
      const check = await verify(key);
      assert.deepEqual([check.state, plan, expiresAt], ['valid', 'free', null]);
      assert.ok(check.state === 'valid' && check.keyId === id && check.plan === 'free');
      assert.match(check.account, /^acc_/);
    });

    it('shares its account with other keys for that name', async () => {
      const first = await verify((await createKey(database, clock, operatorKey({ account: 'twins' }))).key);
      const second = await verify((await createKey(database, clock, operatorKey({ account: 'twins' }))).key);
      assert.ok(first.state === 'valid' && second.state === 'valid' && first.account === second.account);
    });

    it('is unknown with a wrong last character or prefix', async () => {
      const { key } = await createKey(database, clock, operatorKey());
      const wrong = [
        `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`,
        key.replace('pfx_', 'pfy_'),
        'pfx_',
      ];
      for (const token of wrong) assert.deepEqual(await verify(token), { state: 'unknown' });
    });

    it('expires at its expiry date', async () => {
      const { key, expiresAt } = await createKey(database, clock, operatorKey({ lifetime: 60_000 }));
      assert.equal(expiresAt, new Date(clock.time + 60_000).toISOString());
      clock.time += 59_999;
      assert.equal((await verify(key)).state, 'valid');
      clock.time += 1;
      assert.deepEqual(await verify(key), { state: 'expired' });
    });

    it('is revoked at once, by its id or by itself', async () => {
      for (const by of ['id', 'key'] as const) {
        const created = await createKey(database, clock, operatorKey());
        const revoked = await revokeKey(database, clock, created[by]);
        assert.deepEqual(
          [revoked.id, revoked.state, revoked.revokedAt],
          [created.id, 'revoked', new Date(clock.time).toISOString()],
        );
        assert.deepEqual(await verify(created.key), { state: 'revoked' });
        clock.time += 1000;
        assert.equal((await revokeKey(database, clock, created.id)).revokedAt, revoked.revokedAt);
      }
    });

    it('is revoked with all other keys of its account', async () => {
      const keys = [
        await createKey(database, clock, operatorKey({ account: 'leaked' })),
        await createKey(database, clock, operatorKey({ account: 'leaked', lifetime: 1000 })),
      ];
      const other = await createKey(database, clock, operatorKey({ account: 'other' }));
      const revoked = await revokeKeysOfAccount(database, clock, 'leaked');
      assert.deepEqual(
        revoked.map(({ state }) => state),
        ['revoked', 'revoked'],
      );
      for (const { key } of keys) assert.deepEqual(await verify(key), { state: 'revoked' });
      assert.equal((await verify(other.key)).state, 'valid');
      await assert.rejects(revokeKeysOfAccount(database, clock, 'no one'), MissingError);
    });

    it('cannot be revoked if it does not exist', async () => {
      await assert.rejects(revokeKey(database, clock, 'key_none'), /There is no such key/);
    });

    it('cannot be created on another plan than its account’s', async () => {
      await createKey(database, clock, operatorKey({ account: 'planned', plan: 'free' }));
      await assert.rejects(
        createKey(database, clock, operatorKey({ account: 'planned', plan: 'gold' })),
        /is on the plan "free", not "gold"/,
      );
      const { plan } = await createKey(
        database,
        clock,
        operatorKey({ account: 'planned', fallbackPlan: 'gold' }),
      );
      assert.equal(plan, 'free');
    });

    it('is listed without its secret', async () => {
      const { key, id } = await createKey(
        database,
        clock,
        operatorKey({ account: 'listed', lifetime: 1000, name: 'CI' }),
      );
      assert.deepEqual(await listKeys(database, clock, 'listed'), [
        {
          id,
          name: 'CI',
          account: 'listed',
          plan: 'free',
          start: key.slice(0, 8),
          state: 'active',
          createdAt: new Date(clock.time).toISOString(),
          expiresAt: new Date(clock.time + 1000).toISOString(),
          revokedAt: null,
          lastUsedAt: null,
          replacedBy: null,
        },
      ]);
      assert.ok((await listKeys(database, clock)).length > 1);
    });

    it('shows when it was last used, to the minute', async () => {
      const { key } = await createKey(database, clock, operatorKey({ account: 'used' }));
      const lastUsedAt = async () => (await listKeys(database, clock, 'used'))[0]?.lastUsedAt;
      const first = new Date(clock.time).toISOString();
      await verify(key);
      await lastUsed.close();
      assert.equal(await lastUsedAt(), first);
      clock.time += 59_999;
      await verify(key);
      await lastUsed.close();
      assert.equal(await lastUsedAt(), first);
      clock.time += 1;
      await verify(key);
      await lastUsed.close();
      assert.equal(await lastUsedAt(), new Date(clock.time).toISOString());
    });

    it('can only be listed, rotated and revoked by its owner', async () => {
      const [mine, theirs] = [await account('mine'), await account('theirs')];
      const { id, key } = await own(mine.id);
      assert.deepEqual(
        (await listOwnKeys(database, clock, mine.id)).map((listed) => listed.id),
        [id],
      );
      assert.deepEqual(await listOwnKeys(database, clock, theirs.id), []);
      await assert.rejects(revokeOwnKey(database, clock, theirs.id, id), MissingError);
      await assert.rejects(
        rotateKey(database, clock, theirs.id, { id, overlap: 0, prefix: 'pfx_' }),
        MissingError,
      );
      assert.equal((await verify(key)).state, 'valid');
      assert.equal((await revokeOwnKey(database, clock, mine.id, id)).state, 'revoked');
      assert.deepEqual(await verify(key), { state: 'revoked' });
    });

    it('keeps working beside its successor until the overlap ends', async () => {
      const { id: accountId } = await account('rotating');
      const old = await own(accountId, 3_600_000);
      clock.time += 600_000;
      const fresh = await rotateKey(database, clock, accountId, {
        id: old.id,
        overlap: 60_000,
        prefix: 'pfx_',
      });
      assert.deepEqual(
        [fresh.name, fresh.expiresAt],
        ['laptop', new Date(clock.time + 3_600_000).toISOString()],
      );
      clock.time += 59_999;
      assert.deepEqual([(await verify(old.key)).state, (await verify(fresh.key)).state], ['valid', 'valid']);
      clock.time += 1;
      assert.deepEqual(
        [(await verify(old.key)).state, (await verify(fresh.key)).state],
        ['expired', 'valid'],
      );
    });

    it('keeps its own expiry when rotated with a longer overlap', async () => {
      const { id: accountId } = await account('rotating-late');
      const old = await own(accountId, 1000);
      await rotateKey(database, clock, accountId, { id: old.id, overlap: 60_000, prefix: 'pfx_' });
      clock.time += 1000;
      assert.equal((await verify(old.key)).state, 'expired');
    });

    it('is rejected at once when rotated without an overlap, and cannot be rotated again', async () => {
      const { id: accountId } = await account('rotating-now');
      const old = await own(accountId);
      const rotation = { id: old.id, overlap: 0, prefix: 'pfx_' };
      const fresh = await rotateKey(database, clock, accountId, rotation);
      assert.deepEqual([(await verify(old.key)).state, fresh.expiresAt], ['revoked', null]);
      await assert.rejects(rotateKey(database, clock, accountId, rotation), /is no longer active/);
    });

    it('can only be rotated once; its successor can be rotated', async () => {
      const { id: accountId } = await account('rotating-twice');
      const old = await own(accountId);
      const rotate = (id: string) =>
        rotateKey(database, clock, accountId, { id, overlap: 60_000, prefix: 'pfx_' });
      const fresh = await rotate(old.id);
      await assert.rejects(rotate(old.id), /was already rotated/);
      assert.equal((await rotate(fresh.id)).expiresAt, null);
    });

    it('is unavailable rather than rejected if its account’s plan is unknown', async () => {
      const { key } = await createKey(
        database,
        clock,
        operatorKey({ account: 'ahead', fallbackPlan: 'new' }),
      );
      assert.deepEqual(await verify(key), { state: 'unavailable' });
    });

    it('is one of at most 50 live keys of its account', async () => {
      const { id: accountId } = await account('many');
      const keys = [];
      for (let made = 0; made < 50; made += 1) keys.push(await own(accountId));
      await assert.rejects(own(accountId), RequestError);
      const [first] = keys;
      const rotation = { id: first?.id ?? '', prefix: 'pfx_' };
      await assert.rejects(
        rotateKey(database, clock, accountId, { ...rotation, overlap: 60_000 }),
        RequestError,
      );
      assert.equal((await verify(first?.key ?? '')).state, 'valid', 'the failed rotation changed nothing');
      await rotateKey(database, clock, accountId, { ...rotation, overlap: 0 });
      await revokeOwnKey(database, clock, accountId, keys[1]?.id ?? '');
      await own(accountId);
    });

    it('is unavailable rather than unknown when the keys cannot be read', async () => {
      const closed = await openStore(engine);
      const { key } = await createKey(closed.database, clock, operatorKey());
      await closed.close();
      assert.deepEqual(await closed.verify(key), { state: 'unavailable' });
      assert.equal(closed.logged.at(-1), 'The keys could not be read.');
    });
  });
}
