/** Thousands of connections that one address opens and abandons with incomplete requests or unread responses. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startModule } from '../../gateway/started-process.ts';
import { waitUntil } from '../../wait-until.ts';
import {
  connectionsOf,
  createGatewayFixture,
  get,
  isLong,
  paths,
  shortOrLong,
  startWithServerLimits,
  timeout,
} from './gateway-fixture.ts';

const connections = shortOrLong(1_500, 10_000);
/** Seconds in which they are opened, and in which requests are measured. */
const seconds = { opening: shortOrLong(5, 15), measured: shortOrLong(2, 12) };
/** How often the full version measures: the median of the ratios is asserted, as other processes disturb a single one. */
const rounds = shortOrLong(1, 5);

const attacker = '127.0.0.2';

/** Clients that read nothing, and bytes by which memory may grow: parsers and sockets keep buffers to reuse them. */
const unreading = shortOrLong(30, 300);
const maxGrowth = 24 * 1024 * 1024;

/** The limit of the 99th percentile: relative to that without load, or in milliseconds. */
const maxRatio = 2;
const maxTime = 5;

type Kind = 'public' | 'protected';
const kinds: readonly Kind[] = ['public', 'protected'];

it('Connections that one address opens and abandons delay no request from another address, and are closed', {
  timeout,
}, async (t) => {
  const fixture = await createGatewayFixture(t);
  const { key } = await fixture.accounts.create('school', 'roomy');
  const { origin, port, resourceUsage, logged, stop } = await startWithServerLimits(fixture);

  /** Requests a public and a protected resource by turns, each on a new connection. */
  async function probe(): Promise<Record<Kind, number[]>> {
    const times: Record<Kind, number[]> = { public: [], protected: [] };
    const end = performance.now() + seconds.measured * 1_000;
    for (let count = 0; performance.now() < end; count += 1) {
      const kind = kinds[count % 2] ?? 'public';
      const start = performance.now();
      const { status } = await get(origin, kind === 'public' ? paths.public : paths.paper, key, {
        connection: 'close',
      });
      times[kind].push(performance.now() - start);
      assert.equal(status, 200);
      await delay(4);
    }
    for (const each of Object.values(times)) each.sort((one, other) => one - other);
    return times;
  }

  async function isIdle(): Promise<boolean> {
    return connectionsOf(await resourceUsage()) === 0;
  }

  const percentiles: Record<Kind, { idle: number; loaded: number }[]> = {
    public: [],
    protected: [],
  };
  await probe();
  await waitUntil(isIdle, 200);
  const before = await resourceUsage();
  for (let round = 0; round < rounds; round += 1) {
    const idle = await probe();
    const args = [String(port), attacker, String(connections), String(seconds.opening)];
    const abandoning = startModule('test/long/faults/abandon-connections.ts', {}, args);
    await abandoning.waitForOutput(/started/);
    const loaded = await probe();
    const [, opened, refused] = await abandoning.waitForOutput(/(\d+) opened, (\d+) refused/);
    assert.equal(Number(opened), connections);
    for (const kind of kinds) {
      const [one, other] = [percentile(idle[kind], 0.99), percentile(loaded[kind], 0.99)];
      percentiles[kind].push({ idle: one, loaded: other });
      t.diagnostic(
        `${opened} connections, ${refused} of them refused; ${kind}: 99th percentile ${one.toFixed(1)} ms without, ` +
          `${other.toFixed(1)} ms with them (${idle[kind].length} and ${loaded[kind].length} requests)`,
      );
    }
    // The clients of the connections that are left do nothing.
    await waitUntil(isIdle, 200);
    abandoning.process.kill();
    await abandoning.ended;
  }
  if (isLong) for (const kind of kinds) assertNotDelayed(kind, percentiles[kind]);

  // More than the buffers of sockets can take.
  const request = `GET ${paths.large} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  const sockets = Array.from({ length: unreading }, () => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: attacker }).on(
      'error',
      () => {},
    );
    socket.pause().write(request.repeat(4));
    return socket;
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  await probe();
  await waitUntil(isIdle, 200);
  // A client that reads nothing notices the close only when it reads on.
  for (const socket of sockets) socket.resume();
  await waitUntil(() => sockets.every(({ closed }) => closed));
  await waitUntil(async () => (await resourceUsage()).descriptors <= before.descriptors, 200);
  const after = await resourceUsage();
  const grown = after.heap + after.external - before.heap - before.external;
  assert.ok(grown <= maxGrowth, `${grown} bytes more than before`);
  assert.deepEqual(logged(), []);
  assert.equal(await stop(), 0);
});

function assertNotDelayed(kind: Kind, all: readonly { idle: number; loaded: number }[]): void {
  const ratios = all.map(({ idle, loaded }) => loaded / Math.max(idle, maxTime / maxRatio));
  const median = percentile(
    ratios.sort((one, other) => one - other),
    0.5,
  );
  assert.ok(
    median <= maxRatio,
    `${kind}: ${median.toFixed(2)} times the time without the connections`,
  );
}

/** @param sorted in ascending order */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? assert.fail('Nothing was measured.');
}
