import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import request from 'supertest';
import { runGateway } from '../running-gateway.ts';

const path = '/neet/2024/s1/physics.json';
const running = await runGateway({ FAILED_KEYS_PER_MINUTE: '3', TRUST_PROXY: '1' });
after(() => running.close());

/** Requests a file as a client at this address, behind a proxy. */
function download(address: string, key = 'pfx_unknown', gateway = running) {
  return request(gateway.baseUrl)
    .get(path)
    .set({ Authorization: `Bearer ${key}`, 'X-Forwarded-For': address });
}

async function statuses(addresses: readonly string[], key?: string): Promise<number[]> {
  const found: number[] = [];
  for (const address of addresses) found.push((await download(address, key)).status);
  return found;
}

describe('Invalid keys', () => {
  it('get 403, and beyond the limit of their address 429 with Retry-After', async () => {
    assert.deepEqual(await statuses(Array(5).fill('192.0.2.1')), [403, 403, 403, 429, 429]);
    const { headers, body } = await download('192.0.2.1');
    assert.deepEqual(body, { error: 'Rate limit exceeded' });
    assert.match(headers['retry-after'] ?? '', /^([1-9]|[1-5]\d|60)$/);
    assert.deepEqual(await statuses(['192.0.2.2']), [403], 'another address has its own limit');
    await running.pass(60_000);
    assert.deepEqual(await statuses(['192.0.2.1']), [403]);
  });

  it('do not affect a valid key from the same address', async () => {
    const { key } = await running.createKey('acc_school');
    await statuses(Array(4).fill('192.0.2.3'));
    assert.deepEqual(await statuses(['192.0.2.3', '192.0.2.3'], key), [200, 200]);
    assert.deepEqual(await statuses(['192.0.2.3']), [429]);
  });

  it('count if they are expired', async () => {
    const { key } = await running.createKey('acc_expired', { lifetime: 1 });
    await running.pass(1);
    assert.deepEqual(await statuses(Array(4).fill('192.0.2.4'), key), [403, 403, 403, 429]);
  });

  const addresses: readonly (readonly [by: string, requests: readonly string[]])[] = [
    [
      '/64 network of IPv6',
      ['2001:db8::1', '2001:db8::ffff', '2001:db8:0:0:1::', '2001:db8::2', '2001:db8:0:1::1'],
    ],
    [
      'address if a proxy forwards a port with it',
      ['192.0.2.8:1', '192.0.2.8:2', '192.0.2.8', '192.0.2.8:9', '192.0.2.9:1'],
    ],
  ];
  for (const [by, requests] of addresses)
    it(`count by ${by}`, async () =>
      assert.deepEqual(await statuses(requests), [403, 403, 403, 429, 403]));

  it('count together if the address is invalid', async () =>
    assert.deepEqual(
      await statuses(['a', '[b]:1', 'c'.repeat(8000), '192.0.2:4']),
      [403, 403, 403, 429],
    ));

  it('are not counted if the key is missing or the header is malformed', async () => {
    for (let times = 0; times < 5; times += 1) {
      const from = { 'X-Forwarded-For': '192.0.2.7' };
      await request(running.baseUrl).get(path).set(from).expect(401);
      await request(running.baseUrl)
        .get(path)
        .set({ ...from, Authorization: 'Basic x' })
        .expect(401);
    }
    assert.deepEqual(await statuses(['192.0.2.7']), [403]);
  });

  it('count together from a proxy that TRUST_PROXY does not name, also on the same machine', async () => {
    const alone = await runGateway({ FAILED_KEYS_PER_MINUTE: '2' });
    const found: number[] = [];
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
      found.push((await download(address, undefined, alone)).status);
    await alone.close();
    assert.deepEqual(found, [403, 403, 429]);
  });
});
