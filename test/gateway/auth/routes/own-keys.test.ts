import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requireAccount } from '../../../../gateway/auth/accounts.ts';
import { createOwnKey } from '../../../../gateway/auth/keys.ts';
import { sharedGateway, skip } from '../set-ups.ts';
import { newUser, signedIn, statusOf, type Visitor } from '../users/visitor.ts';

const id = /^key_[0-9a-f-]{36}$/;
const noKey = { error: 'There is no such key.' };
const neverExpiring = { name: 'laptop', expiresIn: null };

describe('The keys of a user', { skip }, async () => {
  if (skip) return;
  const running = await sharedGateway();

  const download = (key: string) => statusOf(running.baseUrl, key);
  const make = async (visitor: Visitor, body: object = neverExpiring) => (await visitor.post('keys', body)).body;
  const listed = async (visitor: Visitor) => (await visitor.get('keys')).body.keys;

  it('are created, shown once, used, rotated and revoked', async () => {
    const ada = await signedIn(running.authUrl);
    const { status, headers, body } = await ada.post('keys', { name: ' my laptop ', expiresIn: 3600 });
    assert.deepEqual([status, headers.get('cache-control')], [201, 'no-store']);
    const { key, ...made } = body;
    assert.match(key, /^pfx_[0-9A-Za-z]{49}$/);
    assert.match(made.id, id);
    const lifetime = Date.parse(made.expiresAt) - Date.parse(made.createdAt);
    assert.deepEqual(
      [made.name, made.start, made.state, lifetime, made.revokedAt, made.lastUsedAt],
      ['my laptop', key.slice(0, 8), 'active', 3_600_000, null, null],
    );
    assert.deepEqual(await listed(ada), [made]);

    assert.equal(await download(key), 200);
    await running.flush();
    const [used] = await listed(ada);
    assert.equal(used.lastUsedAt, made.createdAt);
    await running.pass(1000);

    const rotated = await ada.post(`keys/${made.id}/rotate`, { overlap: 600 });
    assert.equal(rotated.status, 201);
    assert.deepEqual([rotated.body.name, rotated.body.state], ['my laptop', 'active']);
    assert.notEqual(rotated.body.key, key);
    assert.deepEqual([await download(key), await download(rotated.body.key)], [200, 200]);
    const both = await listed(ada);
    assert.deepEqual(
      both.map((one: { id: string }) => one.id),
      [rotated.body.id, made.id],
    );
    assert.ok(both[1].expiresAt < made.expiresAt, 'the old key now expires earlier');

    const fresh = await make(ada);
    const revoked = await ada.request('DELETE', `keys/${fresh.id}`);
    assert.deepEqual([revoked.status, revoked.body.state], [200, 'revoked']);
    assert.equal(await download(fresh.key), 403);
    const again = await ada.request('DELETE', `keys/${fresh.id}`);
    assert.deepEqual([again.status, again.body], [200, revoked.body], 'revoking again changes nothing');
    assert.ok(!JSON.stringify([both, revoked.body]).includes(key.slice(8)));
  });

  it('require a name of one line and a lifetime in seconds', async () => {
    const ada = await signedIn(running.authUrl);
    const nameError = 'name must be one line of 1 to 100 characters.';
    const lifetimeError = 'expiresIn must be seconds, at most 316224000, or null for no expiry.';
    const names = [
      ...[undefined, null, 5, true, [], ['a'], {}],
      ...['', '  ', 'x'.repeat(101), 'a\nb', 'a\u2028b', 'a\tb'],
    ];
    for (const name of names) {
      const { status, body } = await ada.elsewhere().post('keys', { name, expiresIn: null });
      assert.deepEqual([status, body], [400, { error: nameError }], JSON.stringify(name));
    }
    for (const expiresIn of [undefined, 0, -1, 1.5, 316_224_001, 1e300, '60', '', true, [], [60], {}]) {
      const { status, body } = await ada.elsewhere().post('keys', { name: 'laptop', expiresIn });
      assert.deepEqual([status, body], [400, { error: lifetimeError }], JSON.stringify(expiresIn));
    }
    assert.equal((await ada.elsewhere().request('POST', 'keys')).status, 400, 'no body at all');
    assert.deepEqual(await listed(ada), []);
    for (const good of [
      { name: 'ü☃ <b>'.padEnd(100, 'x'), expiresIn: 1 },
      { name: '0', expiresIn: 316_224_000 },
    ]) {
      const made = await make(ada.elsewhere(), good);
      const lifetime = (Date.parse(made.expiresAt) - Date.parse(made.createdAt)) / 1000;
      assert.deepEqual([made.name, lifetime], [good.name, good.expiresIn]);
    }
  });

  it('require an overlap in seconds when rotated', async () => {
    const ada = await signedIn(running.authUrl);
    const one = await make(ada);
    for (const overlap of [undefined, null, -1, 1.5, 7_776_001, 1e300, '60', true, [], {}]) {
      const { status, body } = await ada.elsewhere().post(`keys/${one.id}/rotate`, { overlap });
      assert.deepEqual([status, body], [400, { error: 'overlap must be seconds, from 0 to 7776000.' }]);
    }
    assert.equal((await listed(ada)).length, 1);
    const two = (await ada.post(`keys/${one.id}/rotate`, { overlap: 7_776_000 })).body;
    assert.equal((await ada.post(`keys/${two.id}/rotate`, { overlap: 0 })).status, 201);
    const { status, body } = await ada.post(`keys/${two.id}/rotate`, { overlap: 0 });
    assert.deepEqual([status, body], [409, { error: 'This key is no longer active. Create a new one instead.' }]);
  });

  it('are not found by an unknown id, or by another user', async () => {
    const [ada, bob] = [await signedIn(running.authUrl), await signedIn(running.authUrl)];
    const mine = await make(ada);
    const malformed = [
      ...['key_', 'nonsense', '%00', '..%2faccount', mine.key],
      ...[`${mine.id}%00`, `${mine.id}x`, mine.id.toUpperCase()],
    ];
    for (const other of [mine.id, 'key_00000000-0000-0000-0000-000000000000', ...malformed]) {
      const from = bob.elsewhere();
      for (const response of [
        await from.request('DELETE', `keys/${other}`),
        await from.post(`keys/${other}/rotate`, { overlap: 0 }),
      ]) {
        assert.deepEqual([other, response.status, response.body], [other, 404, noKey]);
      }
    }
    assert.equal((await bob.request('DELETE', 'keys/%ff')).status, 400, 'invalid UTF-8');
    assert.deepEqual(await listed(bob), []);
    assert.deepEqual(
      (await listed(ada)).map((one: { state: string }) => one.state),
      ['active'],
    );
    assert.equal(await download(mine.key), 200);
  });

  it('are limited to fifty active ones, even when created concurrently', async () => {
    const user = newUser();
    const ada = await signedIn(running.authUrl, user);
    await ada.get('account');
    const { id: account } = await requireAccount(running.database, user.email);
    for (let made = 0; made < 45; made += 1)
      await createOwnKey(running.database, running.system, account, { prefix: 'pfx_' });
    const responses = await Promise.all(Array.from({ length: 12 }, () => ada.elsewhere().post('keys', neverExpiring)));
    const statuses = responses.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [...Array(5).fill(201), ...Array(7).fill(409)]);
    assert.deepEqual(responses.find(({ status }) => status === 409)?.body, {
      error: 'An account can have at most 50 active keys. Revoke one first.',
    });
    await ada.request('DELETE', `keys/${(await listed(ada))[0].id}`);
    assert.equal((await ada.post('keys', neverExpiring)).status, 201);
  });

  it('are rotated once by two concurrent requests', async () => {
    const ada = await signedIn(running.authUrl);
    const { id: old } = await make(ada);
    const rotate = async () => (await ada.post(`keys/${old}/rotate`, { overlap: 0 })).status;
    assert.deepEqual((await Promise.all([rotate(), rotate(), rotate()])).sort(), [201, 409, 409]);
  });
});
