/** Connections that break after any byte: from a client, to the authentication service, to Redis. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { generateKey } from '../../../gateway/accounts/verify-keys.ts';
import { realSystem } from '../../../gateway/clock.ts';
import { calendarOf } from '../../../gateway/limits/decision.ts';
import { startRedis } from '../../gateway/limits/redis-server.ts';
import { sendBytes } from '../../gateway/raw-request.ts';
import { type Side, startTcpProxy } from '../../gateway/tcp-proxy.ts';
import { waitUntil } from '../../wait-until.ts';
import { Accounts, plans } from '../accounts.ts';
import { inOneMonth } from '../one-month.ts';
import {
  connectionsOf,
  createGatewayFixture,
  get,
  introspectionAt,
  paths,
  positions,
  remainingQuota,
  shortOrLong,
  timeout,
} from './gateway-fixture.ts';

const sides: readonly Side[] = ['request', 'response'];

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Closes a connection, with FIN or, if abrupt, with RST. */
async function cut(socket: Socket, isAbrupt: boolean): Promise<void> {
  const closed = once(socket, 'close');
  if (isAbrupt) socket.resetAndDestroy();
  else socket.destroy();
  await closed;
}

function requestOf(path: string, key: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: br\r\nAuthorization: Bearer ${key}\r\n\r\n`;
}

/** Reads this many bytes of the response, and closes the connection. */
async function readPart(
  port: number,
  request: string,
  bytes: number,
  isAbrupt: boolean,
): Promise<void> {
  const socket = await connected(port);
  socket.write(request);
  let received = 0;
  for await (const data of socket) {
    received += (data as Buffer).length;
    if (received > bytes) break;
  }
  assert.ok(received > bytes);
  await cut(socket, isAbrupt).catch(() => {});
}

describe('A broken connection', { timeout }, () => {
  it(
    'from a client counts no request if it breaks within the request, and one if it breaks within the response',
    inOneMonth(async (t) => {
      const fixture = await createGatewayFixture(t);
      const { id, key } = await fixture.accounts.create('school', 'roomy');
      const { origin, port, resourceUsage, stop, stderrLines } = await fixture.start();
      await get(origin, paths.paper, key);
      const before = await resourceUsage();
      const request = requestOf(paths.paper, key);
      const cutsInRequest = positions(request.length, shortOrLong(60, 100_000));
      for (const bytes of cutsInRequest) {
        const socket = await connected(port);
        await new Promise((resolve) => socket.write(request.slice(0, bytes), resolve));
        await cut(socket, bytes % 2 === 0);
      }
      const first = await get(origin, paths.paper, key);
      assert.equal(remainingQuota(first), plans.roomy.perMonth - 2);
      const whole = await sendBytes(
        origin,
        request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
      );
      let spent = 3;
      let cutsInResponses = 0;
      for (const [path, length, places] of [
        // Some numbers in its header fields get shorter.
        [paths.paper, whole.length - 10, shortOrLong(40, 100_000)],
        [paths.large, 3_000_000, shortOrLong(20, 200)],
      ] as const) {
        for (const bytes of positions(length, places)) {
          await readPart(port, requestOf(path, key), bytes, bytes % 2 === 0);
          spent += 1;
          cutsInResponses += 1;
        }
      }
      // Pipelined behind a response that is not read: each request may or may not have been counted yet.
      const socket = await connected(port);
      socket.pause().write(requestOf(paths.large, key).repeat(20));
      await waitUntil(
        async () => connectionsOf(await resourceUsage()) > connectionsOf(before),
        100,
      );
      await cut(socket, true);
      await waitUntil(async () => (await resourceUsage()).descriptors <= before.descriptors, 100);
      await waitUntil(
        async () => connectionsOf(await resourceUsage()) <= connectionsOf(before),
        100,
      );
      const last = remainingQuota(await get(origin, paths.paper, key));
      spent += 1;
      const counted = plans.roomy.perMonth - last;
      assert.ok(counted >= spent && counted <= spent + 20, `${counted} of ${spent}`);
      assert.equal(await stop(), 0);
      assert.equal(await fixture.counted(id), counted);
      assert.deepEqual(stderrLines, []);
      t.diagnostic(
        `${cutsInRequest.length} cuts within a request: none counted; ${cutsInResponses} within a response: ${cutsInResponses} counted`,
      );
    }),
  );

  it(
    'to the authentication service is retried or causes a 502 that is not counted, and accepts no invalid key',
    inOneMonth(async (t) => {
      const fixture = await createGatewayFixture(t);
      const service = await fixture.startService();
      const proxy = await startTcpProxy(`http://127.0.0.1:${service.port}`);
      t.after(() => proxy.close());
      const { origin, resourceUsage, stop } = await fixture.start(
        introspectionAt(new URL(proxy.url).origin),
      );
      const accounts = await Accounts.open(join(fixture.folder, 'service-data/pastpaper.db'));
      t.after(() => accounts.close());
      let number = 0;
      const newAccount = () => {
        number += 1;
        return accounts.create(`school-${number}`, 'roomy');
      };
      /** A response to a valid key over a connection that is not cut. On a busy machine, the lookup may time out. */
      const served = async (key: string) => {
        for (;;) {
          const response = await get(origin, paths.paper, key);
          if (response.status !== 502) return response;
        }
      };
      assert.equal((await served((await newAccount()).key)).status, 200);
      const before = await resourceUsage();
      // Once: the gateway retries on another connection. Twice: the retry fails too.
      for (const times of [1, 2]) {
        for (const side of sides) {
          for (const bytes of positions(420, shortOrLong(8, 60))) {
            const { id, key } = await newAccount();
            for (const [shown, allowed] of [
              [key, [200, 502]],
              [generateKey('pfx_', realSystem), [403, 502]],
            ] as const) {
              proxy.cutAfter(side, bytes + 1, times);
              const { status } = await get(origin, paths.paper, shown);
              assert.ok(
                (allowed as readonly number[]).includes(status),
                `${status} after ${bytes} of the ${side}`,
              );
              proxy.pass();
              if (shown !== key) continue;
              const response = await served(key);
              const used = status === 200 ? 2 : 1;
              assert.deepEqual(
                [response.status, remainingQuota(response)],
                [200, plans.roomy.perMonth - used],
                id,
              );
            }
          }
        }
      }
      await waitUntil(
        async () => (await resourceUsage()).descriptors <= before.descriptors + 2,
        100,
      );
      assert.equal(await stop(), 0);
    }),
  );

  it(
    'to Redis fails no request, and of two requests at each cut Redis may count none',
    inOneMonth(async (t) => {
      const redis = await startRedis();
      t.after(() => redis.remove());
      const proxy = await startTcpProxy(redis.url);
      t.after(() => proxy.close());
      const fixture = await createGatewayFixture(t);
      const { id, key } = await fixture.accounts.create('school', 'roomy');
      const { origin, stop, stderrLines, resourceUsage } = await fixture.start({
        REDIS_URL: proxy.url,
      });
      const logged = (pattern: RegExp) => stderrLines.filter((line) => pattern.test(line)).length;
      let requests = 0;
      const one = async () => {
        requests += 1;
        const { status } = await get(origin, paths.paper, key);
        assert.equal(status, 200);
      };
      await one();
      const before = await resourceUsage();
      for (const [side, length] of [
        ['request', 300],
        ['response', 40],
      ] as const) {
        for (const bytes of positions(length, shortOrLong(4, 40))) {
          const cuts = proxy.faultCount();
          proxy.cutAfter(side, bytes + 1, 1);
          while (proxy.faultCount() === cuts) await one();
          await one();
          proxy.pass();
          await waitUntil(() => logged(/Redis is available again/) === proxy.faultCount());
          await one();
        }
      }
      assert.equal(logged(/Redis is unavailable \(/), proxy.faultCount());
      const { month } = calendarOf(Date.now());
      const counted = Number(await redis.ask('HGET', `pastpaper:{${id}}:${month}`, 'used'));
      // Of the request whose connection breaks and the one after it, which the gateway counts by itself.
      assert.ok(
        counted >= requests - 2 * proxy.faultCount() && counted <= requests,
        `${counted} of ${requests}`,
      );
      await waitUntil(
        async () => (await resourceUsage()).descriptors <= before.descriptors + 1,
        100,
      );
      assert.equal(await stop(), 0);
      t.diagnostic(
        `${requests} requests, all 200, with ${proxy.faultCount()} cuts; ${counted - requests} were counted twice`,
      );
    }),
  );
});
