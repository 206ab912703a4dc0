import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openServer } from '../../../gateway/limits/redis/client.ts';
import { freePort } from '../../free-port.ts';
import { startRedis } from '../../gateway/limits/redis-server.ts';
import { waitUntil } from '../../wait-until.ts';

/** The timeout of a reply in milliseconds. */
const timeout = 1000;

/** A client of a Redis for the test, and why its connection broke. */
async function connect(t: TestContext) {
  const server = await startRedis();
  t.after(() => server.remove());
  const breaks: string[] = [];
  const client = await openServer(server.url, timeout, (reason) => breaks.push(reason));
  t.after(() => client.close());
  return { server, breaks, ping: () => client.ask('', ['PING']), close: () => client.close() };
}

describe('A connection to Redis', () => {
  it('stays open while it is idle', async (t) => {
    const { ping, breaks } = await connect(t);
    assert.equal(await ping(), 'PONG');
    // Longer than the timeout of a reply, and than that of connecting.
    await delay(2300);
    assert.equal(await ping(), 'PONG');
    assert.deepEqual(breaks, []);
  });

  it('accepts a reply that arrived in time while the process was busy', async (t) => {
    const { server, ping } = await connect(t);
    server.pause();
    const reply = ping();
    await delay(50);
    server.resume();
    const busyUntil = performance.now() + 1.5 * timeout;
    while (performance.now() < busyUntil);
    assert.equal(await reply, 'PONG');
  });

  it('that fails reports the error of the system', async () => {
    const port = await freePort();
    for (const [host, message] of [
      ['127.0.0.1', new RegExp(`^connect ECONNREFUSED 127\\.0\\.0\\.1:${port}$`)],
      // If a name has two addresses, the AggregateError has no message.
      ['localhost', /ECONNREFUSED/],
    ] as const) {
      await assert.rejects(openServer(`redis://${host}:${port}`, timeout), {
        name: 'RedisUnavailable',
        message,
      });
    }
  });

  it('that is closed disconnects from Redis', async (t) => {
    const { server, close, ping, breaks } = await connect(t);
    const clients = async () =>
      String(await server.ask('CLIENT', 'LIST'))
        .trim()
        .split('\n').length;
    assert.equal(await clients(), 2);
    close();
    await assert.rejects(ping(), { name: 'RedisUnavailable', message: 'Redis is unavailable' });
    await waitUntil(async () => (await clients()) === 1);
    assert.deepEqual(breaks, []);
  });
});
