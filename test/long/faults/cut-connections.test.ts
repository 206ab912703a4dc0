/** Connections that are cut in every phase: the client's, the one to the authentication service, the one to Redis. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { generateKey } from '../../../gateway/auth/key-format.ts';
import { calendarOf } from '../../../gateway/clock.ts';
import { noRedis, startRedis } from '../../gateway/limits/redis-server.ts';
import { sent } from '../../gateway/raw-request.ts';
import { type Side, startTcpProxy } from '../../gateway/tcp-proxy.ts';
import type { Vitals } from '../../gateway/watched-gateway.ts';
import { Replica } from '../replicas/fleet.ts';
import { Accounts, plans } from '../soak/accounts.ts';
import { ask, leftOf } from './asked.ts';
import { makeFaultPlace } from './fault-place.ts';
import { positions } from './positions.ts';
import { rounds } from './rounds.ts';
import { paths } from './small-release.ts';
import { until } from './until.ts';

const timeout = rounds(120_000, 900_000);
const secret = 'a-secret-between-gateway-and-service';
const sides: readonly Side[] = ['question', 'answer'];

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Cuts a connection: with a farewell, or without. */
async function cut(socket: Socket, isAbrupt: boolean): Promise<void> {
  const closed = once(socket, 'close');
  if (isAbrupt) socket.resetAndDestroy();
  else socket.destroy();
  await closed;
}

function requestOf(path: string, key: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: br\r\nAuthorization: Bearer ${key}\r\n\r\n`;
}

/** Takes so many bytes of the answer to a request, and cuts the connection. */
async function readPart(port: number, request: string, bytes: number, isAbrupt: boolean): Promise<void> {
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

describe('A connection that is cut', () => {
  it('by its client, after any byte of a request, spends nothing; after any of the answer, one', {
    timeout,
  }, async (t) => {
    const place = await makeFaultPlace(t);
    const { id, key } = await place.accounts.create('school', 'roomy');
    const { origin, port, vitals, stop, complaints } = await place.start();
    await ask(origin, paths.paper, key);
    const before = await vitals();
    const request = requestOf(paths.paper, key);
    const asked = positions(request.length, rounds(60, 100_000));
    for (const bytes of asked) {
      const socket = await connected(port);
      await new Promise((resolve) => socket.write(request.slice(0, bytes), resolve));
      await cut(socket, bytes % 2 === 0);
    }
    const first = await ask(origin, paths.paper, key);
    assert.equal(leftOf(first), plans.roomy.perMonth - 2);
    const whole = await sent(origin, request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    let spent = 3;
    let answers = 0;
    for (const [path, length, places] of [
      // Some of its numbers get shorter.
      [paths.paper, whole.length - 10, rounds(40, 100_000)],
      [paths.large, 3_000_000, rounds(20, 200)],
    ] as const) {
      for (const bytes of positions(length, places)) {
        await readPart(port, requestOf(path, key), bytes, bytes % 2 === 0);
        spent += 1;
        answers += 1;
      }
    }
    // Pipelined behind one that is not read: each of them was decided on, or not yet.
    const socket = await connected(port);
    socket.pause().write(requestOf(paths.large, key).repeat(20));
    await until(async () => connectionsOf(await vitals()) > connectionsOf(before), 100);
    await cut(socket, true);
    await until(async () => (await vitals()).descriptors <= before.descriptors, 100);
    assert.ok(connectionsOf(await vitals()) <= connectionsOf(before));
    const last = leftOf(await ask(origin, paths.paper, key));
    spent += 1;
    const counted = plans.roomy.perMonth - last;
    assert.ok(counted >= spent && counted <= spent + 20, `${counted} of ${spent}`);
    assert.equal(await stop(), 0);
    assert.deepEqual([...(await place.accounts.counted(id)).values()], [counted]);
    assert.deepEqual(complaints, []);
    t.diagnostic(
      `cut in ${asked.length} places of a request: nothing spent; in ${answers} of answers: ${answers} spent`,
    );
  });

  it('to the authentication service is made again, or is 502, spends nothing then, and lets no one in', {
    timeout,
  }, async (t) => {
    const place = await makeFaultPlace(t);
    const PLANS = join(place.folder, 'plans.json');
    await writeFile(PLANS, JSON.stringify(plans));
    const DATA_DIR = join(place.folder, 'service-data');
    const settings = { NODE_ENV: 'production', DIST_DIR: place.distDir, DATA_DIR, PLANS };
    const service = await Replica.start('auth', {
      ...settings,
      INTROSPECTION_SECRET: secret,
    });
    t.after(() => service.kill());
    const proxy = await startTcpProxy(`http://127.0.0.1:${service.port}/auth/introspect`);
    t.after(() => proxy.close());
    const { origin, vitals, stop } = await place.start({
      INTROSPECTION_URL: proxy.url,
      INTROSPECTION_SECRET: secret,
    });
    const accounts = await Accounts.open(join(DATA_DIR, 'pastpaper.db'));
    t.after(() => accounts.close());
    let number = 0;
    const newAccount = () => {
      number += 1;
      return accounts.create(`school-${number}`, 'roomy');
    };
    assert.equal((await ask(origin, paths.paper, (await newAccount()).key)).status, 200);
    const before = await vitals();
    const seen = new Map<string, number>();
    // Once: it asks again by another connection. Twice: there is none that works.
    for (const times of [1, 2]) {
      for (const side of sides) {
        for (const bytes of positions(420, rounds(8, 60))) {
          const { id, key } = await newAccount();
          for (const [shown, allowed] of [
            [key, [200, 502]],
            [generateKey('pfx_'), [403, 502]],
          ] as const) {
            proxy.cutAfter(side, bytes + 1, times);
            const cuts = proxy.tampered();
            const { status } = await ask(origin, paths.paper, shown);
            assert.ok(
              (allowed as readonly number[]).includes(status),
              `${status} after ${bytes} of the ${side}`,
            );
            const what = `${proxy.tampered() - cuts} cuts: ${status}`;
            seen.set(what, (seen.get(what) ?? 0) + 1);
            proxy.pass();
            if (shown !== key) continue;
            const answer = await ask(origin, paths.paper, key);
            const used = status === 200 ? 2 : 1;
            assert.deepEqual([answer.status, leftOf(answer)], [200, plans.roomy.perMonth - used], id);
          }
        }
      }
    }
    await until(async () => (await vitals()).descriptors <= before.descriptors + 2, 100);
    assert.equal(await stop(), 0);
    t.diagnostic(
      [...seen]
        .sort()
        .map(([what, count]) => `${what} (${count} times)`)
        .join(', '),
    );
  });

  it('to Redis is no fault of any request, and each is counted', { timeout, skip: noRedis }, async (t) => {
    const redis = await startRedis();
    t.after(() => redis.remove());
    const proxy = await startTcpProxy(redis.url);
    t.after(() => proxy.close());
    const place = await makeFaultPlace(t);
    const { id, key } = await place.accounts.create('school', 'roomy');
    const { origin, stop, complaints, vitals } = await place.start({ REDIS_URL: proxy.url });
    const told = (pattern: RegExp) => complaints.filter((line) => pattern.test(line)).length;
    let requests = 0;
    const one = async () => {
      requests += 1;
      const { status } = await ask(origin, paths.paper, key);
      assert.equal(status, 200);
    };
    await one();
    const before = await vitals();
    for (const [side, length] of [
      ['question', 300],
      ['answer', 40],
    ] as const) {
      for (const bytes of positions(length, rounds(4, 40))) {
        const cuts = proxy.tampered();
        proxy.cutAfter(side, bytes + 1, 1);
        while (proxy.tampered() === cuts) await one();
        await one();
        proxy.pass();
        await until(() => told(/Redis is back/) === proxy.tampered());
        await one();
      }
    }
    assert.equal(told(/Redis is away/), proxy.tampered());
    const { month } = calendarOf(Date.now());
    const counted = Number(await redis.ask('HGET', `pastpaper:{${id}}:${month}`, 'used'));
    // What was cut after Redis had it was counted there, and once more here.
    assert.ok(counted >= requests && counted <= requests + proxy.tampered(), `${counted} of ${requests}`);
    assert.ok((await vitals()).descriptors <= before.descriptors + 1);
    assert.equal(await stop(), 0);
    t.diagnostic(
      `${requests} requests, all 200, with ${proxy.tampered()} cuts; ${counted - requests} were counted twice`,
    );
  });
});

function connectionsOf({ resources }: Vitals): number {
  return resources['TCPSocketWrap'] ?? 0;
}
