/** Clients by the thousand that send a byte a second, or nothing, or read nothing. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import type { TimeLimits } from '../../../gateway/server.ts';
import type { Vitals } from '../../gateway/watched-gateway.ts';
import { accepted, failed, Load } from '../replicas/load.ts';
import { makeFaultPlace } from './fault-place.ts';
import { isLong, rounds } from './rounds.ts';
import { paths } from './small-release.ts';
import { until } from './until.ts';

const timeout = 300_000;
const clients = rounds(300, 1_000);

/** Connections that are made at once. */
const atOnce = 100;

/** In the short version; the long one has a gateway with its usual limits. */
const limits: TimeLimits = { header: 4_000, request: 4_000, checkInterval: 250, idle: 4_500, stalled: 4_500 };

/** Bytes that a gateway may hold more after all of them than before: of what its parsers and sockets keep to be used again. */
const leeway = 24 * 1024 * 1024;

interface Client {
  readonly socket: Socket;
  received: string;
  isClosed: boolean;
}

async function connected(port: number): Promise<Client> {
  const socket = connect(port, '127.0.0.1');
  const client: Client = { socket, received: '', isClosed: false };
  socket.on('error', () => {});
  socket.once('close', () => {
    client.isClosed = true;
  });
  await once(socket, 'connect');
  return client;
}

function listening(client: Client): Client {
  client.socket.setEncoding('latin1').on('data', (text: string) => {
    client.received += text;
  });
  return client;
}

/** Sends a byte a second of a header that has no end. */
function drip(client: Client): void {
  const timer = setInterval(() => client.socket.write('a'), 1_000);
  client.socket.once('close', () => clearInterval(timer));
  client.socket.write('GET /neet HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
}

/** Asks for more than the sockets take, and reads nothing. */
function beDeaf({ socket }: Client, key: string): void {
  const request = `GET ${paths.large} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  socket.pause().write(request.repeat(4));
}

describe('Slow clients by the thousand', () => {
  it('are cut off, a fast one is served meanwhile, and what they took is given back', {
    timeout,
  }, async (t) => {
    const place = await makeFaultPlace(t);
    const { key } = await place.accounts.create('school', 'roomy');
    const { origin, port, vitals, stop, complaints } = isLong
      ? await place.start()
      : await place.start({ TIME_LIMITS: JSON.stringify(limits) }, 'test/long/faults/hurried-gateway.ts');
    const warm = new Load(origin, key, 1);
    await warm.grow(500);
    await warm.end();
    const before = await vitals();
    const slow: Client[] = [];
    t.after(() => slow.forEach(({ socket }) => void socket.destroy()));
    const fast = new Load(origin, key, 1, rounds(10, 0));
    while (slow.length < clients) {
      slow.push(...(await Promise.all(Array.from({ length: atOnce }, () => connected(port)))));
    }
    await until(async () => connectionsOf(await vitals()) >= clients, 200);
    const third = Math.ceil(clients / 3);
    const [dripping, deaf, silent] = [0, 1, 2].map((part) => slow.slice(part * third, (part + 1) * third));
    assert.ok(dripping && deaf && silent);
    for (const client of [...dripping, ...silent]) listening(client);
    for (const client of dripping) drip(client);
    for (const client of deaf) beDeaf(client, key);
    await fast.grow(200);
    await until(() => [...dripping, ...silent].every(({ isClosed }) => isClosed));
    await fast.grow(200);
    // A client that reads nothing learns of its end when it looks for what else there is.
    await until(async () => connectionsOf(await vitals()) <= connectionsOf(before) + 1, 500);
    for (const { socket } of deaf) socket.resume();
    await until(() => deaf.every(({ isClosed }) => isClosed));
    const made = await fast.end();
    assert.deepEqual(failed(made), []);
    assert.equal(accepted(made).length, made.length);
    for (const { received } of [...dripping, ...silent]) assert.match(received, /^HTTP\/1\.1 408 /);
    await until(async () => (await vitals()).descriptors <= before.descriptors, 500);
    const after = await vitals();
    const grown = after.heap + after.external - before.heap - before.external;
    assert.ok(grown <= leeway, `${grown} bytes more than before`);
    assert.deepEqual(complaints, []);
    assert.equal(await stop(), 0);
    const slowest = made.reduce((most, { sent, received }) => Math.max(most, received - sent), 0);
    t.diagnostic(
      `${clients} slow clients; ${made.length} answers to a fast one meanwhile, all 200, the slowest after ${slowest.toFixed(0)} ms; ` +
        `${inMebibytes(grown)} MiB and ${after.descriptors - before.descriptors} descriptors more than before`,
    );
  });
});

function connectionsOf({ resources }: Vitals): number {
  return resources['TCPSocketWrap'] ?? 0;
}

function inMebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
