import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { RedisConnection } from '../../../gateway/limits/redis/connection.ts';
import { freePort } from '../../free-port.ts';
import { noRedis, startRedis } from '../../gateway/limits/redis-server.ts';
import { startTcpProxy } from '../../gateway/tcp-proxy.ts';

/** Milliseconds that Redis has for an answer, where a test is about that. */
const patience = 1000;

/** A connection, and what is told of it. */
function connect(t: TestContext, url: string, within = 20_000) {
  const connection = new RedisConnection(url, within);
  const told: string[] = [];
  const opening = connection.open((ask) => ask(['PING']), {
    connected: () => told.push('came'),
    disconnected: (reason) => told.push(reason),
  });
  t.after(() => connection.close());
  const grown = async (lines: number) => {
    while (told.length < lines) await delay(10);
  };
  return { connection, told, opening, grown };
}

describe('A connection to Redis', { skip: noRedis }, () => {
  it('stays for as long as it is asked nothing, and is asked at once then', async (t) => {
    const server = await startRedis();
    t.after(() => server.remove());
    const { connection, told, opening } = connect(t, server.url, patience);
    await opening;
    assert.equal(await connection.ask(['PING']), 'PONG');
    // Longer than the patience with one answer, and than a connection may take to be there.
    await delay(2300);
    assert.equal(await connection.ask(['PING']), 'PONG');
    assert.deepEqual(told, ['came']);
  });

  it('takes an answer that came while the process was busy as one in time', async (t) => {
    const server = await startRedis();
    t.after(() => server.remove());
    const { connection, told, opening } = connect(t, server.url, patience);
    await opening;
    server.pause();
    const asked = connection.ask(['PING']);
    await delay(50);
    server.resume();
    const busyUntil = performance.now() + 1.5 * patience;
    while (performance.now() < busyUntil);
    assert.equal(await asked, 'PONG');
    await delay(50);
    assert.deepEqual(told, ['came']);
  });

  it('that broke is told of once, with its reason, and again when it was made anew', async (t) => {
    const server = await startRedis();
    const proxy = await startTcpProxy(server.url);
    t.after(async () => {
      await proxy.close();
      await server.remove();
    });
    const { connection, told, opening, grown } = connect(t, proxy.url);
    await opening;
    proxy.refuse();
    await grown(2);
    await assert.rejects(connection.ask(['PING']), {
      name: 'RedisUnavailable',
      message: 'Redis cannot be reached',
    });
    // Long enough for some attempts.
    await delay(1200);
    proxy.pass();
    await grown(3);
    assert.equal(await connection.ask(['PING']), 'PONG');
    proxy.cut();
    await grown(5);
    const [first, reason, again, another, last] = told;
    assert.deepEqual([first, again, last, told.length], ['came', 'came', 'came', 5]);
    assert.match(
      `${reason}, ${another}`,
      /^(Socket closed unexpectedly|read ECONNRESET), (Socket closed unexpectedly|read ECONNRESET)$/,
    );
  });

  it('that cannot be made is told of with what the system says', async (t) => {
    const port = await freePort();
    for (const [host, reason] of [
      ['127.0.0.1', new RegExp(`^connect ECONNREFUSED 127\\.0\\.0\\.1:${port}$`)],
      // Where a name has two addresses, the error of both has no message.
      ['localhost', /ECONNREFUSED/],
    ] as const) {
      const { told, opening } = connect(t, `redis://${host}:${port}`);
      await opening;
      assert.equal(told.length, 1);
      assert.match(told[0] ?? '', reason);
    }
  });

  it('to a Redis that says nothing is given up, and told of', async (t) => {
    const server = await startRedis();
    t.after(() => server.remove());
    server.pause();
    const { connection, told, opening, grown } = connect(t, server.url);
    await opening;
    assert.deepEqual(told, ['no connection within 2000 ms']);
    server.resume();
    await grown(2);
    assert.equal(await connection.ask(['PING']), 'PONG');
    assert.equal(told[1], 'came');
  });

  it('breaks when a command is not answered, for all that wait', async (t) => {
    const server = await startRedis();
    t.after(() => server.remove());
    const { connection, told, opening, grown } = connect(t, server.url, patience);
    await opening;
    server.pause();
    const late = { name: 'RedisUnavailable', message: 'no answer within 1000 ms' };
    await Promise.all([
      assert.rejects(connection.ask(['PING']), late),
      assert.rejects(connection.ask(['PING']), late),
    ]);
    await grown(2);
    assert.deepEqual(told, ['came', 'no answer within 1000 ms']);
    server.resume();
  });

  it('breaks when Redis refuses a command, with what Redis said', async (t) => {
    const server = await startRedis();
    t.after(() => server.remove());
    const { connection, told, opening, grown } = connect(t, server.url);
    await opening;
    await assert.rejects(connection.ask(['GET']), {
      name: 'RedisUnavailable',
      message: /^ERR wrong number of arguments/,
    });
    await grown(3);
    assert.match(told[1] ?? '', /^ERR wrong number of arguments/);
    assert.equal(await connection.ask(['PING']), 'PONG');
  });

  it('that is closed while it is made is not there, and is not told of', async (t) => {
    const server = await startRedis();
    t.after(() => server.remove());
    const { connection, told, opening } = connect(t, server.url);
    await connection.close();
    await opening;
    await assert.rejects(connection.ask(['PING']), { name: 'RedisUnavailable' });
    assert.deepEqual(told, []);
  });

  it('that is closed is gone from Redis', async (t) => {
    const server = await startRedis();
    t.after(() => server.remove());
    const { connection, told, opening } = connect(t, server.url);
    await opening;
    const clients = async () =>
      String(await server.ask('CLIENT', 'LIST'))
        .trim()
        .split('\n').length;
    assert.equal(await clients(), 2);
    await connection.close();
    while ((await clients()) > 1) await delay(10);
    assert.deepEqual(told, ['came']);
  });
});
