import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import express, { type RequestHandler } from 'express';
import request from 'supertest';
import { limitFailedKeys } from '../../../gateway/access/require-key.ts';
import { FakeClock } from '../limits/fake-clock.ts';
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

  const network = '2001:db8:0:8:';
  const addresses: readonly (readonly [by: string, requests: readonly string[]])[] = [
    [
      '/64 network of IPv6',
      ['2001:db8::1', '2001:db8::ffff', '2001:db8:0:0:1::', '2001:db8::2', '2001:db8:0:1::1'],
    ],
    [
      'IPv4 address if mapped to IPv6',
      ['192.0.2.5', '::ffff:192.0.2.5', '192.0.2.5', '192.0.2.5', '::ffff:192.0.2.6'],
    ],
    [
      'address if a proxy forwards a port with it',
      ['192.0.2.8:1', '192.0.2.8:2', '192.0.2.8', '192.0.2.8:9', '192.0.2.9:1'],
    ],
    [
      'network of an address with a port',
      [
        `[${network}:1]:1`,
        `[${network}:2]:2`,
        `${network}:3`,
        `[${network}:4]`,
        '[2001:db8:0:9::1]:1',
      ],
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

describe('The limit of failed keys', () => {
  const clock = new FakeClock();

  /** Sends requests with an invalid key, one after the other, and returns status and Retry-After of the responses. */
  async function send(failedKeys: RequestHandler, times: number) {
    const app = express();
    app.set('trust proxy', true);
    app.use(failedKeys);
    const found: (readonly [number, string | undefined])[] = [];
    for (let time = 0; time < times; time += 1) {
      const { status, headers } = await request(app).get('/').set('X-Forwarded-For', '192.0.2.1');
      assert.ok(
        !Object.keys(headers).some((name) => /rate-?limit/.test(name)),
        'no RateLimit fields',
      );
      found.push([status, headers['retry-after']]);
    }
    return found;
  }

  it('resets the limit after a minute, even if the wall clock is set back, and says when', async () => {
    let limited = 0;
    const failedKeys = limitFailedKeys(1, clock, () => {
      limited += 1;
    });
    assert.deepEqual(await send(failedKeys, 2), [
      [403, undefined],
      [429, '60'],
    ]);
    clock.setBack(3_600_000);
    clock.advance(29_500);
    assert.deepEqual(await send(failedKeys, 1), [[429, '31']]);
    clock.advance(30_499);
    assert.deepEqual(await send(failedKeys, 1), [[429, '1']]);
    clock.advance(1);
    assert.deepEqual(await send(failedKeys, 1), [[403, undefined]]);
    assert.equal(limited, 3);
  });

  it('sets no limit if it is 0', async () => {
    const found = await send(limitFailedKeys(0, clock), 3);
    assert.deepEqual(found, Array(3).fill([403, undefined]));
  });
});
