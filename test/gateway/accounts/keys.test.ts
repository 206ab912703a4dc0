import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { defaultPlans } from '../../../build/release/plans.ts';
import { digestOf } from '../../../gateway/access/require-key.ts';
import { findOrCreateAccount } from '../../../gateway/accounts/accounts.ts';
import {
  createKey,
  createOwnKey,
  type KeyPage,
  listKeys,
  listOwnKeys,
  type NewOperatorKey,
  removeEndedKeys,
  revokeKey,
  rotateKey,
} from '../../../gateway/accounts/keys.ts';
import { developmentKey } from '../../../gateway/accounts/open.ts';
import { storedUsage } from '../../../gateway/accounts/usage.ts';
import { generateKey, isWellFormed, startOf } from '../../../gateway/accounts/verify-keys.ts';
import { realSystem } from '../../../gateway/clock.ts';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { addUsage } from './add-usage.ts';
import { engine } from './engines.ts';
import { openStore, operatorKey } from './open-store.ts';

describe('The format of a key', () => {
  const key = generateKey('pfx_', realSystem);

  it('is the prefix, 32 random bytes in base62 and a 6-character checksum', () => {
    assert.match(key, /^pfx_[0-9A-Za-z]{49}$/);
    assert.match(generateKey('neet-', realSystem), /^neet-[0-9A-Za-z]{49}$/);
  });

  it('is not well-formed with one character changed, or two swapped', () => {
    const index = fc.integer({ min: 0, max: key.length - 1 });
    fc.assert(
      fc.property(index, index, fc.constantFrom(...'0aZ_-~'), (a, b, character) => {
        const changed = key.slice(0, a) + character + key.slice(a + 1);
        if (changed !== key) assert.ok(!isWellFormed(changed, 'pfx_'));
        const letters = [...key];
        [letters[a], letters[b]] = [letters[b] ?? '', letters[a] ?? ''];
        if (letters.join('') !== key) assert.ok(!isWellFormed(letters.join(''), 'pfx_'));
      }),
    );
  });

  it('is stored as its SHA-256 and its first characters', () => {
    assert.match(digestOf('abc'), /^ba7816bf8f01cfea414140de5dae2223b00361a3/);
    assert.equal(startOf(key, 'pfx_'), key.slice(0, 8));
  });
});

describe(`A key, with ${engine.name}`, async () => {
  const { database, clock, verify, lastUsed, close } = await openStore(engine);
  after(close);
  const accountId = async (name: string) =>
    (await findOrCreateAccount(database, clock.now(), name, 'free')).id;
  const create = (changes: Partial<NewOperatorKey> = {}) =>
    createKey(database, clock, operatorKey(changes));
  const own = (account: string, lifetime?: number) =>
    createOwnKey(database, clock, account, {
      name: 'laptop',
      lifetime,
      prefix: 'pfx_',
      maxKeys: 20,
    });
  const rotate = (account: string, id: string, overlap = 60_000) =>
    rotateKey(database, clock, account, { id, overlap, prefix: 'pfx_', maxKeys: 20 });
  const stateOf = async (key: string) => (await verify(key)).state;

  it('is valid as soon as it is created, for its account and plan', async () => {
    const { key, id, plan, expiresAt } = await create();
    assert.deepEqual([plan, expiresAt], ['free', null]);
    const account = await accountId('school');
    assert.deepEqual(await verify(key), { state: 'valid', account, keyId: id, plan: 'free' });
    const second = await verify((await create()).key);
    assert.ok(second.state === 'valid' && second.account === account);
  });

  it('is checked again a second after it was, valid or not', async () => {
    const { key, id } = await create();
    assert.equal(await stateOf(key), 'valid');
    await revokeKey(database, clock, id);
    clock.time += 1000;
    assert.equal(await stateOf(key), 'valid');
    clock.time += 1;
    assert.equal(await stateOf(key), 'revoked');
  });

  it('expires at its expiry date', async () => {
    const { key, expiresAt } = await create({ lifetime: 60_000 });
    assert.equal(expiresAt, new Date(clock.time + 60_000).toISOString());
    clock.time += 59_999;
    assert.equal(await stateOf(key), 'valid');
    clock.time += 1;
    assert.deepEqual(await verify(key), { state: 'expired' });
  });

  it('is revoked at once, by its id or by itself', async () => {
    for (const by of ['id', 'key'] as const) {
      const created = await create();
      const revoked = await revokeKey(database, clock, created[by]);
      assert.deepEqual(
        [revoked.id, revoked.state, revoked.revokedAt],
        [created.id, 'revoked', new Date(clock.time).toISOString()],
      );
      assert.deepEqual(await verify(created.key), { state: 'revoked' });
      clock.time += 1000;
      assert.equal((await revokeKey(database, clock, created.id)).revokedAt, revoked.revokedAt);
    }
    await assert.rejects(revokeKey(database, clock, 'key_none'), /There is no such key/);
  });

  it('cannot be created on another plan than its account’s', async () => {
    await create({ account: 'planned', plan: 'free' });
    const another = create({ account: 'planned', plan: 'gold' });
    await assert.rejects(another, /is on the plan "free", not "gold"/);
    assert.equal((await create({ account: 'planned', fallbackPlan: 'gold' })).plan, 'free');
  });

  it('shows when it was last used, to the minute', async () => {
    const { key } = await create({ account: 'used' });
    const first = clock.time;
    for (const [passed, lastUse] of [
      [0, first],
      [58_000, first],
      [2_000, first + 60_000],
    ] as const) {
      clock.time += passed;
      await verify(key);
      await lastUsed.close();
      const [listed] = (await listKeys(database, clock, 'used')).keys;
      assert.equal(listed?.lastUsedAt, new Date(lastUse).toISOString());
    }
  });

  it('keeps working beside its successor until the overlap ends', async () => {
    const account = await accountId('rotating');
    const old = await own(account, 3_600_000);
    clock.time += 600_000;
    const fresh = await rotate(account, old.id);
    const end = new Date(clock.time + 3_600_000).toISOString();
    assert.deepEqual([fresh.name, fresh.expiresAt], ['laptop', end]);
    clock.time += 59_999;
    assert.deepEqual([await stateOf(old.key), await stateOf(fresh.key)], ['valid', 'valid']);
    clock.time += 1;
    assert.deepEqual([await stateOf(old.key), await stateOf(fresh.key)], ['expired', 'valid']);
  });

  it('can only be rotated once, also concurrently; its successor can be rotated', async () => {
    const account = await accountId('rotating twice');
    const old = await own(account);
    const rotations = await Promise.allSettled([1, 2, 3].map(() => rotate(account, old.id)));
    assert.deepEqual(rotations.map(({ status }) => status).sort(), [
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    await assert.rejects(rotate(account, old.id), /was already rotated/);
    const [fresh] = rotations.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const last = await rotate(account, fresh?.id ?? '', 0);
    const states = [await stateOf(fresh?.key ?? ''), await stateOf(last.key)];
    assert.deepEqual([last.expiresAt, ...states], [null, 'revoked', 'valid']);
    await assert.rejects(rotate(account, fresh?.id ?? ''), /is no longer active/);
  });

  it('is one of at most 20 active ones of an account, whoever creates it, also concurrently', async () => {
    const account = await accountId('collector');
    for (let made = 0; made < 18; made += 1) await own(account);
    const [revoked] = (await listOwnKeys(database, clock, account)).keys;
    await revokeKey(database, clock, revoked?.id ?? '');
    const create20th = () => create({ account: 'collector', maxKeys: 20 });
    const all = [own(account), create20th(), own(account), create20th(), own(account)];
    const more = await Promise.allSettled(all);
    assert.equal(more.filter(({ status }) => status === 'fulfilled').length, 3);
    const message = 'An account can have at most 20 active keys. Revoke one first.';
    for (const another of [() => own(account), create20th])
      await assert.rejects(another(), { message });
  });

  it('is listed in pages: for its owner active ones first, for the operator the oldest first', async () => {
    const account = await accountId('pages');
    const ids: string[] = [];
    for (let made = 0; made < 60; made += 1) {
      clock.time += 1;
      const { id } = await own(account);
      ids.push(id);
      if (made > 2) await revokeKey(database, clock, id);
    }
    const idsOf = ({ keys, hasMore }: KeyPage) => [hasMore, ...keys.map(({ id }) => id)];
    const expected = [...ids.slice(0, 3).reverse(), ...ids.slice(3).reverse()];
    const [first, second] = [expected.slice(0, 50), expected.slice(50)];
    assert.deepEqual(idsOf(await listOwnKeys(database, clock, account)), [true, ...first]);
    assert.deepEqual(idsOf(await listOwnKeys(database, clock, account, 2)), [false, ...second]);
    const listed = await listKeys(database, clock, 'pages', 2);
    assert.deepEqual(idsOf(listed), [false, ...ids.slice(50)]);
  });

  it('is removed 90 days after it was revoked or expired, and its usage stays with the account', async () => {
    const account = await accountId('removal');
    const [kept, revoked, expiring] = [
      await own(account),
      await own(account),
      await own(account, 1000),
    ];
    await revokeKey(database, clock, revoked.id);
    const day = '2026-11-21';
    const counts = { account, day, rejectedByRate: 1, rejectedByQuota: 0 };
    await addUsage(database, [
      { ...counts, key: '', used: 1 },
      ...[kept, revoked, expiring].map(({ id: key }, index) => ({
        ...counts,
        key,
        used: 10 ** (index + 1),
      })),
    ]);
    const stored = storedUsage(database);
    const listed = async () =>
      (await listOwnKeys(database, clock, account)).keys.map(({ id }) => id).sort();
    clock.time += 90 * 86_400_000 - 1;
    await removeEndedKeys(database, clock.time);
    assert.equal((await listed()).length, 3);
    clock.time += 1001;
    await removeEndedKeys(database, clock.time);
    assert.deepEqual(await listed(), [kept.id]);
    assert.deepEqual((await stored.readMonth(account, '2026-11')).keys, [
      { key: '', used: 1101, rejectedByRate: 3, rejectedByQuota: 0 },
      { key: kept.id, used: 10, rejectedByRate: 1, rejectedByQuota: 0 },
    ]);
    assert.equal(await stored.read(account, '2026-11'), 1111);
    assert.deepEqual([await stateOf(kept.key), await stateOf(revoked.key)], ['valid', 'unknown']);
  });

  it('is one of at most 200 ended ones of an account, the last ones; the usage of the others stays', async () => {
    const day = 86_400_000;
    clock.time += day;
    const ended = (accountId: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...{ id: `${accountId} ${index}`, accountId, hash: `${accountId} ${index}`, start: '' },
        ...{ name: '', createdAt: clock.time - day, expiresAt: null },
        revokedAt: clock.time - count + index,
      }));
    const listed = async (accountId: string) => {
      const pages = [1, 2, 3, 4, 5].map((page) => listOwnKeys(database, clock, accountId, page));
      return (await Promise.all(pages)).flatMap(({ keys }) => keys.map(({ id }) => id));
    };
    const busy = await accountId('busy');
    await database.insertInto('keys').values(ended(busy, 203)).execute();
    await addUsage(database, [{ account: busy, day: '2026-11-21', key: `${busy} 2`, used: 5 }]);
    const { id } = await own(busy);
    const kept = await listed(busy);
    assert.deepEqual([kept.length, ...kept.slice(0, 2)], [201, id, `${busy} 202`]);
    for (const index of [0, 1, 2]) assert.ok(!kept.includes(`${busy} ${index}`));
    const { keys } = await storedUsage(database).readMonth(busy, '2026-11');
    assert.deepEqual(keys, [{ key: '', used: 5, rejectedByRate: 0, rejectedByQuota: 0 }]);
  });

  it('is unavailable rather than rejected if its account’s plan is unknown', async () => {
    const { key } = await create({ account: 'ahead', fallbackPlan: 'new' });
    assert.deepEqual(await verify(key), { state: 'unavailable' });
  });
});

describe(`The development key, with ${engine.name}`, async () => {
  const dataDir = await temporaryFolder();
  const { database, clock, verify, close } = await openStore(engine);
  after(close);
  const open = (folder: string) =>
    developmentKey(database, clock, {
      ...{ dataDir: folder, apiKeyPrefix: 'pfx_', plans: defaultPlans, maxKeysPerAccount: 20 },
    });

  it('is created once, and stored', async () => {
    const key = (await open(dataDir)) ?? '';
    assert.equal((await verify(key)).state, 'valid');
    assert.equal(await open(dataDir), key);
    assert.equal((await listKeys(database, clock)).keys.length, 1);
    assert.equal((await stat(join(dataDir, 'development-key'))).mode & 0o777, 0o600);
    await revokeKey(database, clock, key);
    assert.equal(await open(dataDir), undefined);
  });
});
