/** Many clients that send one byte a second, send nothing, or read nothing. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { waitUntil } from '../../wait-until.ts';
import { accepted, failed, Load } from '../replicas/load.ts';
import {
  connectionsOf,
  createGatewayFixture,
  paths,
  shortOrLong,
  startWithTimeLimits,
  timeout,
} from './gateway-fixture.ts';

const clients = shortOrLong(300, 1_000);

/** Connections that are opened at the same time. */
const atOnce = 100;

/** Bytes by which memory may grow: parsers and sockets keep buffers to reuse them. */
const maxGrowth = 24 * 1024 * 1024;

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

function collectData(client: Client): Client {
  client.socket.setEncoding('latin1').on('data', (text: string) => {
    client.received += text;
  });
  return client;
}

/** Sends one byte a second of an endless header. */
function sendSlowly(client: Client): void {
  const timer = setInterval(() => client.socket.write('a'), 1_000);
  client.socket.once('close', () => clearInterval(timer));
  client.socket.write('GET /neet HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
}

/** Requests more than the socket buffers can take, and reads nothing. */
function readNothing({ socket }: Client, key: string): void {
  const request = `GET ${paths.large} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  socket.pause().write(request.repeat(4));
}

describe('Many slow clients', { timeout }, () => {
  it('are disconnected while a fast client is served, and their memory and descriptors are released', async (t) => {
    const fixture = await createGatewayFixture(t);
    const { key } = await fixture.accounts.create('school', 'roomy');
    const { origin, port, resourceUsage, stop, stderrLines } = await startWithTimeLimits(fixture);
    const warm = new Load(origin, key, 1);
    await warm.waitForRequests(500);
    await warm.end();
    const before = await resourceUsage();
    const slow: Client[] = [];
    t.after(() => slow.forEach(({ socket }) => void socket.destroy()));
    const fast = new Load(origin, key, 1, shortOrLong(10, 0));
    while (slow.length < clients) {
      slow.push(...(await Promise.all(Array.from({ length: atOnce }, () => connected(port)))));
    }
    await waitUntil(async () => connectionsOf(await resourceUsage()) >= clients, 200);
    const third = Math.ceil(clients / 3);
    const [sending, notReading, silent] = [0, 1, 2].map((part) => slow.slice(part * third, (part + 1) * third));
    assert.ok(sending && notReading && silent);
    for (const client of [...sending, ...silent]) collectData(client);
    for (const client of sending) sendSlowly(client);
    for (const client of notReading) readNothing(client, key);
    await fast.waitForRequests(200);
    await waitUntil(() => [...sending, ...silent].every(({ isClosed }) => isClosed));
    await fast.waitForRequests(200);
    // A client that reads nothing notices the close only when it reads on.
    await waitUntil(async () => connectionsOf(await resourceUsage()) <= connectionsOf(before) + 1, 500);
    for (const { socket } of notReading) socket.resume();
    await waitUntil(() => notReading.every(({ isClosed }) => isClosed));
    const requests = await fast.end();
    assert.deepEqual(failed(requests), []);
    assert.equal(accepted(requests).length, requests.length);
    for (const { received } of [...sending, ...silent]) assert.match(received, /^HTTP\/1\.1 408 /);
    await waitUntil(async () => (await resourceUsage()).descriptors <= before.descriptors, 500);
    const after = await resourceUsage();
    const grown = after.heap + after.external - before.heap - before.external;
    assert.ok(grown <= maxGrowth, `${grown} bytes more than before`);
    assert.deepEqual(stderrLines, []);
    assert.equal(await stop(), 0);
    const slowest = requests.reduce((most, { sent, received }) => Math.max(most, received - sent), 0);
    t.diagnostic(
      `${clients} slow clients; ${requests.length} responses to a fast client meanwhile, all 200, the slowest after ${slowest.toFixed(0)} ms; ` +
        `${inMebibytes(grown)} MiB and ${after.descriptors - before.descriptors} descriptors more than before`,
    );
  });
});

function inMebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
