/** Gateways that are killed with SIGKILL under load. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, it } from 'node:test';
import { freePort } from '../../free-port.ts';
import { waitUntil } from '../../wait-until.ts';
import { plans } from '../accounts.ts';
import { inOneMonth } from '../one-month.ts';
import { accepted, failed, Load, wrongSignIns } from '../replicas/load.ts';
import {
  createGatewayFixture,
  get,
  paths,
  remainingQuota,
  shortOrLong,
  timeout,
} from './gateway-fixture.ts';

/** Connections of the load. */
const connections = 8;

/** Milliseconds of counts that a killed gateway may lose (docs/deployment.md). */
const maxLoss = 1_000;

describe('kill -9 of a gateway under load', { timeout }, () => {
  for (const during of ['', ', during a flood of rejected sign-ins, which fails no download'])
    it(
      `loses at most the last second of counts, and adds none${during}`,
      inOneMonth(async (t) => {
        const fixture = await createGatewayFixture(t);
        const { id, key } = await fixture.accounts.create('school', 'roomy');
        const PORT = String(await freePort());
        const counted = () => fixture.counted(id);
        let [responses, lost, most] = [0, 0, 0];
        for (let round = 0; round < shortOrLong(1, 20); round += 1) {
          const before = await counted();
          const gateway = await fixture.start({ PORT });
          const ended = once(gateway.process, 'close');
          const attack =
            during === '' ? undefined : new Load(gateway.origin, wrongSignIns(1), connections, 16);
          if (attack) await waitUntil(() => attack.requests.some(({ status }) => status === 429));
          const delays = monitorEventLoopDelay();
          delays.enable();
          const load = new Load(gateway.origin, key, connections);
          await waitUntil(async () => (await counted()) > before);
          await load.waitForRequests(500);
          const killed = performance.now();
          gateway.process.kill('SIGKILL');
          const all = await load.end();
          await attack?.end();
          delays.disable();
          // Those that were pending when it was killed have no status.
          assert.deepEqual(
            failed(all).filter(({ status }) => status !== undefined),
            [],
          );
          const requests = accepted(all);
          await ended;
          const newCounts = (await counted()) - before;
          // On a busy machine, a write waits for a processor as this process does, which does not depend on the gateway.
          const age = maxLoss + delays.max / 1e6;
          const older = requests.filter(({ received }) => received <= killed - age).length;
          assert.ok(
            newCounts >= older,
            `${newCounts} counted, ${older} accepted ${Math.ceil(age)} ms before the kill`,
          );
          assert.ok(
            newCounts <= requests.length + connections,
            `${newCounts} counted, ${requests.length} accepted`,
          );
          responses += requests.length;
          lost += Math.max(0, requests.length - newCounts);
          most = Math.max(most, requests.length - newCounts);
        }
        const before = await counted();
        const gateway = await fixture.start({ PORT });
        const response = await get(gateway.origin, paths.paper, key);
        assert.deepEqual(
          [response.status, remainingQuota(response)],
          [200, plans.roomy.perMonth - before - 1],
        );
        assert.equal(await gateway.stop(), 0);
        t.diagnostic(
          `${responses} accepted requests, ${lost} counts lost in total, at most ${most} in one kill`,
        );
      }),
    );
});
