import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sharedGateway } from '../set-ups.ts';
import { signedIn, statusOf, type Visitor } from '../users/visitor.ts';

const noKey = { error: 'There is no such key.' };
const neverExpiring = { name: 'laptop', expiresIn: null };

describe('The keys of a user', async () => {
  const running = await sharedGateway();
  const download = (key: string) => statusOf(running.baseUrl, key);
  const listed = async (visitor: Visitor) => (await visitor.get('keys')).body.keys;

  it('are created, shown once, used, rotated and revoked', async () => {
    const ada = await signedIn(running.authUrl);
    const { status, headers, body } = await ada.post('keys', {
      name: ' my laptop ',
      expiresIn: 3600,
    });
    assert.deepEqual([status, headers.get('cache-control')], [201, 'no-store']);
    const { key, ...made } = body;
    assert.match(key, /^pfx_[0-9A-Za-z]{49}$/);
    assert.match(made.id, /^key_[0-9a-f-]{36}$/);
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

    const { status: rotation, body: rotated } = await ada.post(`keys/${made.id}/rotate`, {
      overlap: 600,
    });
    assert.deepEqual([rotation, rotated.name, rotated.state], [201, 'my laptop', 'active']);
    assert.deepEqual([await download(key), await download(rotated.key)], [200, 200]);
    const both = await listed(ada);
    assert.deepEqual([both[0].id, both[1].id], [rotated.id, made.id]);
    assert.ok(both[1].expiresAt < made.expiresAt, 'the old key now expires earlier');

    const fresh = await ada.createKey();
    const revoked = await ada.remove(`keys/${fresh.id}`);
    assert.deepEqual([revoked.status, revoked.body.state], [200, 'revoked']);
    assert.equal(await download(fresh.key), 403);
    assert.deepEqual((await ada.remove(`keys/${fresh.id}`)).body, revoked.body);
    assert.ok(!JSON.stringify([both, revoked.body]).includes(key.slice(8)));
  });

  it('require a name of one line, a lifetime and an overlap in seconds', async () => {
    const ada = await signedIn(running.authUrl);
    const rejected = async (path: string, body: object, error: string) => {
      const response = await ada.elsewhere().post(path, body);
      assert.deepEqual([response.status, response.body], [400, { error }], JSON.stringify(body));
    };
    const { id } = await ada.createKey();
    const names = [undefined, 5, '', '  ', 'x'.repeat(101), 'a\nb', 'a\u2028b', '\u200b'];
    const line = 'name must be one line of 1 to 100 characters, at least one of them visible.';
    for (const name of names) await rejected('keys', { name, expiresIn: null }, line);
    const lifetime = 'expiresIn must be seconds, at most 316224000, or null for no expiry.';
    for (const expiresIn of [0, 1.5, 316_224_001, '60'])
      await rejected('keys', { name: 'laptop', expiresIn }, lifetime);
    const seconds = 'overlap must be seconds, from 0 to 7776000.';
    for (const overlap of [null, -1, 7_776_001])
      await rejected(`keys/${id}/rotate`, { overlap }, seconds);
    assert.equal((await listed(ada)).length, 1);
    const good = { name: 'क्‍ष'.padEnd(100, 'x'), expiresIn: 316_224_000 };
    assert.equal((await ada.createKey(good)).name, good.name);
    const two = (await ada.post(`keys/${id}/rotate`, { overlap: 7_776_000 })).body;
    assert.equal((await ada.post(`keys/${two.id}/rotate`, { overlap: 0 })).status, 201);
    const { status, body } = await ada.post(`keys/${two.id}/rotate`, { overlap: 0 });
    assert.deepEqual(
      [status, body],
      [409, { error: 'This key is no longer active. Create a new one instead.' }],
    );
  });

  it('are not found by an unknown id, or by another user', async () => {
    const [ada, bob] = [await signedIn(running.authUrl), await signedIn(running.authUrl)];
    const mine = await ada.createKey(neverExpiring);
    const malformed = ['%00', '..%2faccount', mine.key, `${mine.id}x`];
    for (const other of [mine.id, 'key_00000000-0000-0000-0000-000000000000', ...malformed]) {
      for (const response of [
        await bob.remove(`keys/${other}`),
        await bob.elsewhere().post(`keys/${other}/rotate`, { overlap: 0 }),
      ]) {
        assert.deepEqual([other, response.status, response.body], [other, 404, noKey]);
      }
    }
    assert.equal((await bob.remove('keys/%ff')).status, 400, 'invalid UTF-8');
    assert.deepEqual(await listed(bob), []);
    assert.equal(await download(mine.key), 200);
  });
});
