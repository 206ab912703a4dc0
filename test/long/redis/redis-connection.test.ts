import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { RedisConnection } from '../../../gateway/limits/redis/connection.ts';
import { freePort } from '../../free-port.ts';
import { noRedis, startRedis } from '../../gateway/limits/redis-server.ts';
import { startTcpProxy } from '../../gateway/tcp-proxy.ts';

/** The timeout of a reply in milliseconds, in tests of the timeout. */
const replyTimeout = 1000;

/** A connection, and the events that it reports. */
function connect(t: TestContext, url: string, within = 20_000) {
  const connection = new RedisConnection(async () => url, within);
  const events: string[] = [];
  const opening = connection.open((ask) => ask(['PING']), {
    connected: () => events.push('connected'),
    disconnected: (reason) => events.push(reason),
  });
  t.after(() => connection.close());
  const waitForEvents = async (lines: number) => {
    while (events.length < lines) await delay(10);
  };
  return { connection, events, opening, waitForEvents };
}

describe('A connection to Redis', { skip: noRedis }, () => {
  it('stays open while it is idle', async (t) => {
    const server = await startRedis();
    t.after(() => server.remove());
    const { connection, events, opening } = connect(t, server.url, replyTimeout);
    await opening;
    assert.equal(await connection.ask(['PING']), 'PONG');
    // Longer than the timeout of a reply, and than that of connecting.
    await delay(2300);
    assert.equal(await connection.ask(['PING']), 'PONG');
    assert.deepEqual(events, ['connected']);
  });

  it('accepts a reply that arrived in time while the process was busy', async (t) => {
    const server = await startRedis();
    t.after(() => server.remove());
    const { connection, events, opening } = connect(t, server.url, replyTimeout);
    await opening;
    server.pause();
    const reply = connection.ask(['PING']);
    await delay(50);
    server.resume();
    const busyUntil = performance.now() + 1.5 * replyTimeout;
    while (performance.now() < busyUntil);
    assert.equal(await reply, 'PONG');
    await delay(50);
    assert.deepEqual(events, ['connected']);
  });

  it('reports once that it broke, with the reason, and once that it is back', async (t) => {
    const server = await startRedis();
    const proxy = await startTcpProxy(server.url);
    t.after(async () => {
      await proxy.close();
      await server.remove();
    });
    const { connection, events, opening, waitForEvents } = connect(t, proxy.url);
    await opening;
    proxy.refuse();
    await waitForEvents(2);
    await assert.rejects(connection.ask(['PING']), {
      name: 'RedisUnavailable',
      message: 'Redis is unavailable',
    });
    // Long enough for several attempts.
    await delay(1200);
    proxy.pass();
    await waitForEvents(3);
    assert.equal(await connection.ask(['PING']), 'PONG');
    proxy.cut();
    await waitForEvents(5);
    const [first, reason, again, another, last] = events;
    assert.deepEqual([first, again, last, events.length], ['connected', 'connected', 'connected', 5]);
    assert.match(
      `${reason}, ${another}`,
      /^(Socket closed unexpectedly|read ECONNRESET), (Socket closed unexpectedly|read ECONNRESET)$/,
    );
  });

  it('that fails reports the error of the system', async (t) => {
    const port = await freePort();
    for (const [host, reason] of [
      ['127.0.0.1', new RegExp(`^connect ECONNREFUSED 127\\.0\\.0\\.1:${port}$`)],
      // If a name has two addresses, the AggregateError has no message.
      ['localhost', /ECONNREFUSED/],
    ] as const) {
      const { events, opening } = connect(t, `redis://${host}:${port}`);
      await opening;
      assert.equal(events.length, 1);
      assert.match(events[0] ?? '', reason);
    }
  });

  it('to a Redis that does not reply times out, and reports it', async (t) => {
    const server = await startRedis();
    t.after(() => server.remove());
    server.pause();
    const { connection, events, opening, waitForEvents } = connect(t, server.url);
    await opening;
    assert.deepEqual(events, ['no connection within 2000 ms']);
    server.resume();
    await waitForEvents(2);
    assert.equal(await connection.ask(['PING']), 'PONG');
    assert.equal(events[1], 'connected');
  });

  it('breaks when a reply times out, and rejects all pending commands', async (t) => {
    const server = await startRedis();
    t.after(() => server.remove());
    const { connection, events, opening, waitForEvents } = connect(t, server.url, replyTimeout);
    await opening;
    server.pause();
    const late = { name: 'RedisUnavailable', message: 'no reply within 1000 ms' };
    await Promise.all([
      assert.rejects(connection.ask(['PING']), late),
      assert.rejects(connection.ask(['PING']), late),
    ]);
    await waitForEvents(2);
    assert.deepEqual(events, ['connected', 'no reply within 1000 ms']);
    server.resume();
  });

  it('breaks when Redis rejects a command, and reports the error of Redis', async (t) => {
    const server = await startRedis();
    t.after(() => server.remove());
    const { connection, events, opening, waitForEvents } = connect(t, server.url);
    await opening;
    await assert.rejects(connection.ask(['GET']), {
      name: 'RedisUnavailable',
      message: /^ERR wrong number of arguments/,
    });
    await waitForEvents(3);
    assert.match(events[1] ?? '', /^ERR wrong number of arguments/);
    assert.equal(await connection.ask(['PING']), 'PONG');
  });

  it('that is closed while it is opening is unavailable and reports nothing', async (t) => {
    const server = await startRedis();
    t.after(() => server.remove());
    const { connection, events, opening } = connect(t, server.url);
    await connection.close();
    await opening;
    await assert.rejects(connection.ask(['PING']), { name: 'RedisUnavailable' });
    assert.deepEqual(events, []);
  });

  it('that is closed disconnects from Redis', async (t) => {
    const server = await startRedis();
    t.after(() => server.remove());
    const { connection, events, opening } = connect(t, server.url);
    await opening;
    const clients = async () =>
      String(await server.ask('CLIENT', 'LIST'))
        .trim()
        .split('\n').length;
    assert.equal(await clients(), 2);
    await connection.close();
    while ((await clients()) > 1) await delay(10);
    assert.deepEqual(events, ['connected']);
  });
});
