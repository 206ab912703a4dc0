import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import express from 'express';
import request from 'supertest';
import { FailedKeys } from '../../../gateway/access/failed-keys.ts';
import type { GatewayResponse } from '../../../gateway/http.ts';
import { SetClock } from '../limits/set-clock.ts';
import { runGateway } from '../running-gateway.ts';

const path = '/neet/2024/s1/physics.json';
const running = await runGateway({ FAILED_KEYS_PER_MINUTE: '3', TRUST_PROXY: '1' });
after(() => running.close());

/** Asks as a client does that a proxy tells to be at this address. */
function ask(address: string, key = 'pfx_unknown', gateway = running) {
  return request(gateway.baseUrl)
    .get(path)
    .set({ Authorization: `Bearer ${key}`, 'X-Forwarded-For': address });
}

async function statuses(addresses: readonly string[], key?: string): Promise<number[]> {
  const found: number[] = [];
  for (const address of addresses) found.push((await ask(address, key)).status);
  return found;
}

describe('Keys that are none', () => {
  it('are answered with 403, and beyond the limit of their address with 429 and Retry-After', async () => {
    assert.deepEqual(await statuses(Array(5).fill('192.0.2.1')), [403, 403, 403, 429, 429]);
    const { headers, body } = await ask('192.0.2.1');
    assert.deepEqual(body, { error: 'Rate limit exceeded' });
    assert.match(headers['retry-after'] ?? '', /^([1-9]|[1-5]\d|60)$/);
    assert.deepEqual(await statuses(['192.0.2.2']), [403], 'another address is another matter');
  });

  it('do no harm to a valid one from the same address', async () => {
    const { key } = await running.createKey('acc_school');
    await statuses(Array(4).fill('192.0.2.3'));
    assert.deepEqual(await statuses(['192.0.2.3', '192.0.2.3'], key), [200, 200]);
    assert.deepEqual(await statuses(['192.0.2.3']), [429]);
  });

  it('count together when they are expired', async () => {
    const { key } = await running.createKey('acc_expired', { lifetime: 1 });
    while ((await ask('192.0.2.4', key)).status === 200);
    assert.deepEqual(await statuses(Array(3).fill('192.0.2.4'), key), [403, 403, 429]);
  });

  it('count by /64 of IPv6, and by the IPv4 address that one holds', async () => {
    assert.deepEqual(
      await statuses(['2001:db8::1', '2001:db8::ffff', '2001:db8:0:0:1::', '2001:db8::2', '2001:db8:0:1::1']),
      [403, 403, 403, 429, 403],
    );
    assert.deepEqual(
      await statuses(['192.0.2.5', '::ffff:192.0.2.5', '192.0.2.5', '192.0.2.5', '::ffff:192.0.2.6']),
      [403, 403, 403, 429, 403],
    );
  });

  it('count together where the address is none', async () =>
    assert.deepEqual(await statuses(['a', 'b', 'c'.repeat(8000), 'd']), [403, 403, 403, 429]));

  it('are not counted where the header or the URL is at fault, or the key missing', async () => {
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

  it('are not counted from this machine itself: that may be a proxy that no one named', async () => {
    const alone = await runGateway({ FAILED_KEYS_PER_MINUTE: '2' });
    const found: number[] = [];
    for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.1'])
      found.push((await ask(address, undefined, alone)).status);
    await alone.close();
    assert.deepEqual(found, [403, 403, 403]);
    assert.deepEqual(
      await statuses(['127.0.0.1', '127.8.9.1', '::ffff:127.0.0.1', ...Array(4).fill('::1')]),
      Array(7).fill(403),
    );
    assert.deepEqual(await statuses(Array(4).fill('10.127.0.1')), [403, 403, 403, 429]);
  });
});

describe('The limit on them', () => {
  async function answers(failedKeys: FailedKeys, times: number): Promise<request.Response[]> {
    const app = express();
    app.set('trust proxy', true);
    app.use((asked, response) => failedKeys.reject(asked, response as unknown as GatewayResponse));
    const found: request.Response[] = [];
    for (let time = 0; time < times; time += 1)
      found.push(await request(app).get('/').set('X-Forwarded-For', '192.0.2.1'));
    return found;
  }

  const refusals = async (failedKeys: FailedKeys, times: number) =>
    (await answers(failedKeys, times)).map(({ status }) => status);

  it('starts again after a minute, whatever the wall clock does', async () => {
    const clock = new SetClock();
    const failedKeys = new FailedKeys(1, clock);
    assert.deepEqual(await refusals(failedKeys, 2), [403, 429]);
    clock.setBack(3_600_000);
    clock.pass(59_999);
    assert.deepEqual(await refusals(failedKeys, 1), [429]);
    clock.pass(1);
    assert.deepEqual(await refusals(failedKeys, 2), [403, 429]);
    assert.equal(failedKeys.limited, 3);
  });

  it('says when it ends, to the second, and nothing of how an account stands', async () => {
    const clock = new SetClock();
    const failedKeys = new FailedKeys(1, clock);
    const [first, second] = await answers(failedKeys, 2);
    clock.pass(29_500);
    const [third] = await answers(failedKeys, 1);
    clock.pass(30_499);
    const [fourth] = await answers(failedKeys, 1);
    assert.deepEqual(
      [first, second, third, fourth].map((answer) => answer?.headers['retry-after']),
      [undefined, '60', '31', '1'],
    );
    for (const { headers } of [first, second].filter((answer) => answer !== undefined))
      assert.deepEqual(
        Object.keys(headers).filter((name) => /rate-?limit/.test(name)),
        [],
      );
  });

  it('is none when it is 0', async () => {
    assert.deepEqual(await refusals(new FailedKeys(0, new SetClock()), 4), [403, 403, 403, 403]);
  });
});
