/** Thousands of connections that one address opens and abandons with incomplete requests. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startModule } from '../../gateway/started-process.ts';
import { createGatewayFixture, startWithTimeLimits } from './gateway-fixture.ts';
import type { ProbeResult } from './probe-gateway.ts';
import { isLong, shortOrLong } from './short-or-long.ts';
import { waitUntil } from './wait-until.ts';

const timeout = 600_000;
const connections = shortOrLong(1_500, 10_000);
/** Seconds in which they are opened, and in which requests are measured: a process takes a while to start. */
const seconds = { opening: shortOrLong(5, 15), measured: shortOrLong(2, 12) };
/** How often the full version measures: the median of the ratios is asserted, as other processes disturb a single one. */
const rounds = shortOrLong(1, 5);

const attacker = '127.0.0.2';

/** The limit of the 99th percentile: relative to that without load, or in milliseconds. */
const maxRatio = 2;
const maxTime = 5;

type Kind = 'public' | 'protected';
const kinds: readonly Kind[] = ['public', 'protected'];

describe('Connections that one address opens and abandons', () => {
  it('delay no request from another address, and are closed', { timeout }, async (t) => {
    const fixture = await createGatewayFixture(t);
    const { key } = await fixture.accounts.create('school', 'roomy');
    const { origin, port, resourceUsage, stop } = await startWithTimeLimits(fixture);

    async function probe(): Promise<ProbeResult> {
      const { ended } = startModule('test/long/faults/probe-gateway.ts', {}, [
        origin,
        key,
        String(seconds.measured),
      ]);
      const { status, stdout, stderr } = await ended;
      assert.equal(status, 0, stderr);
      return JSON.parse(stdout);
    }

    async function isIdle(): Promise<boolean> {
      return ((await resourceUsage()).resources['TCPSocketWrap'] ?? 0) === 0;
    }

    const percentiles: Record<Kind, { idle: number; loaded: number }[]> = { public: [], protected: [] };
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
      assert.deepEqual([...idle.failed, ...loaded.failed], []);
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
    const after = await resourceUsage();
    assert.ok(after.descriptors <= before.descriptors, `${before.descriptors}, then ${after.descriptors}`);
    assert.equal(await stop(), 0);
  });
});

function assertNotDelayed(kind: Kind, all: readonly { idle: number; loaded: number }[]): void {
  const ratios = all.map(({ idle, loaded }) => loaded / Math.max(idle, maxTime / maxRatio));
  const median = percentile(
    ratios.sort((one, other) => one - other),
    0.5,
  );
  assert.ok(median <= maxRatio, `${kind}: ${median.toFixed(2)} times the time without the connections`);
}

/** @param sorted in ascending order */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? assert.fail('Nothing was measured.');
}
