import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Clock } from '../../../gateway/clock.ts';
import { openDatabase, StorageError } from '../../../gateway/keys/database.ts';
import { developmentKey } from '../../../gateway/keys/development-key.ts';
import { createKey, listKeys, type NewKey, revokeKey } from '../../../gateway/keys/keys.ts';
import { verifyStoredKeys } from '../../../gateway/keys/verify-stored.ts';

const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
const file = join(folder, 'keys', 'pastpaper.db');
const database = await openDatabase(file, 5000);
after(async () => {
  await database.destroy();
  await rm(folder, { recursive: true });
});

let now = Date.UTC(2026, 10, 21);
const clock: Clock = { now: () => now, elapsed: () => now };
const logged: string[] = [];
const verify = verifyStoredKeys(database, 'pfx_', clock, (message) => logged.push(message));

const request = (changes: Partial<NewKey> = {}): NewKey => ({
  account: 'school',
  plan: undefined,
  fallbackPlan: 'free',
  lifetime: undefined,
  prefix: 'pfx_',
  ...changes,
});

describe('A key in the store', () => {
  it('is valid from the moment it is made, for its account and plan', async () => {
    const { key, id, plan, expiresAt } = await createKey(database, clock, request());
    const check = await verify(key);
    assert.deepEqual([check.state, plan, expiresAt], ['valid', 'free', null]);
    assert.ok(
      check.state === 'valid' &&
        check.keyId === id &&
        check.plan === 'free' &&
        check.account.startsWith('acc_'),
    );
  });

  it('shares its account with the other keys of that name', async () => {
    const first = await createKey(database, clock, request({ account: 'twins' }));
    const second = await createKey(database, clock, request({ account: 'twins' }));
    const checks = [await verify(first.key), await verify(second.key)];
    assert.deepEqual(
      checks[0]?.state === 'valid' && checks[0].account,
      checks[1]?.state === 'valid' && checks[1].account,
    );
  });

  it('expires at its moment', async () => {
    const { key, expiresAt } = await createKey(database, clock, request({ lifetime: 60_000 }));
    assert.equal(expiresAt, new Date(now + 60_000).toISOString());
    now += 59_999;
    assert.equal((await verify(key)).state, 'valid');
    now += 1;
    assert.deepEqual(await verify(key), { state: 'expired' });
  });

  it('is refused from the moment it is revoked, by its id or by itself', async () => {
    for (const by of ['id', 'key'] as const) {
      const created = await createKey(database, clock, request());
      const revoked = await revokeKey(database, clock, created[by]);
      assert.deepEqual(
        [revoked.id, revoked.state, revoked.revokedAt],
        [created.id, 'revoked', new Date(now).toISOString()],
      );
      assert.deepEqual(await verify(created.key), { state: 'revoked' });
      now += 1000;
      assert.equal((await revokeKey(database, clock, created.id)).revokedAt, revoked.revokedAt);
    }
  });

  it('cannot be revoked when there is none', async () => {
    await assert.rejects(revokeKey(database, clock, 'key_none'), /There is no such key/);
  });

  it('cannot be made on another plan than its account has', async () => {
    await createKey(database, clock, request({ account: 'planned', plan: 'free' }));
    await assert.rejects(
      createKey(database, clock, request({ account: 'planned', plan: 'gold' })),
      /is on the plan "free", not "gold"/,
    );
    assert.equal(
      (await createKey(database, clock, request({ account: 'planned', fallbackPlan: 'gold' }))).plan,
      'free',
    );
  });

  it('is listed without its secret', async () => {
    const { key, id } = await createKey(database, clock, request({ account: 'listed', lifetime: 1000 }));
    const [listed, ...more] = await listKeys(database, clock, 'listed');
    assert.deepEqual(more, []);
    assert.deepEqual(listed, {
      id,
      account: 'listed',
      plan: 'free',
      start: key.slice(0, 8),
      state: 'live',
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + 1000).toISOString(),
      revokedAt: null,
    });
    assert.ok((await listKeys(database, clock)).length > 1);
  });

  it('stands nowhere in the database file', async () => {
    const { key } = await createKey(database, clock, request());
    const bytes = await readFile(file);
    assert.ok(bytes.includes(key.slice(0, 8)));
    assert.ok(!bytes.includes(key.slice(8)));
  });
});

describe('The store', () => {
  it('can be read by its owner alone', async () => {
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.equal((await stat(join(folder, 'keys'))).mode & 0o777, 0o700);
  });

  it('opens again with what it held', async () => {
    const { key } = await createKey(database, clock, request());
    const again = await openDatabase(file, 5000);
    assert.equal((await verifyStoredKeys(again, 'pfx_', clock, () => {})(key)).state, 'valid');
    await again.destroy();
  });

  it('says what is wrong with a file that is no database', async () => {
    const wrong = join(folder, 'wrong.db');
    await writeFile(
      wrong,
      'this is no database, whatever its name says, and longer than a header of one hundred bytes would be',
    );
    await assert.rejects(
      openDatabase(wrong, 5000),
      (error) => error instanceof StorageError && error.message.includes(wrong),
    );
  });

  it('says what is wrong with a folder that cannot be made', async () => {
    for (const path of [join(file, 'below', 'a-file.db'), '/proc/pastpaper/keys.db']) {
      await assert.rejects(openDatabase(path, 5000), StorageError);
    }
  });

  it('answers unavailable, never unknown, when it cannot be read', async () => {
    const { key } = await createKey(database, clock, request());
    const closed = await openDatabase(file, 5000);
    await closed.destroy();
    const check = await verifyStoredKeys(closed, 'pfx_', clock, (message) => logged.push(message))(key);
    assert.deepEqual(check, { state: 'unavailable' });
    assert.equal(logged.at(-1), 'The keys could not be read.');
  });
});

describe('The development key', () => {
  const settings = { dataDir: folder, prefix: 'pfx_', plan: 'free' };

  it('is made when there is no key at all, and kept', async () => {
    const fresh = await openDatabase(join(folder, 'fresh.db'), 5000);
    const verifyFresh = verifyStoredKeys(fresh, 'pfx_', clock, () => {});
    const key = await developmentKey(fresh, verifyFresh, clock, settings);
    assert.equal((await verifyFresh(key ?? '')).state, 'valid');
    assert.equal(await developmentKey(fresh, verifyFresh, clock, settings), key);
    assert.equal((await listKeys(fresh, clock)).length, 1);
    assert.equal((await stat(join(folder, 'development-key'))).mode & 0o777, 0o600);
    await revokeKey(fresh, clock, key ?? '');
    assert.equal(await developmentKey(fresh, verifyFresh, clock, settings), undefined);
    await fresh.destroy();
  });

  it('is not made beside other keys', async () => {
    await createKey(database, clock, request());
    assert.equal(
      await developmentKey(database, verify, clock, { ...settings, dataDir: join(folder, 'empty') }),
      undefined,
    );
  });
});
