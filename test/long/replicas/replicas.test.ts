/** Three gateways behind nginx, under load: `RUNS` times, by default once. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { calendarOf } from '../../../gateway/limits/decision.ts';
import { signedIn } from '../../gateway/accounts/users/visitor.ts';
import { plans } from '../accounts.ts';
import { failedRows, runSpecification } from '../rows.ts';
import { startFleet } from './fleet.ts';
import { accepted, failed, Load, type LoadRequest, maxPerSecond } from './load.ts';

const runs = Number(process.env['RUNS'] ?? 1);
/** Connections of a load. */
const connections = 32;
/** Milliseconds between two requests of a connection: the short version needs no higher rate. */
const pause = process.env['RUNS'] === undefined ? 50 : 0;
/** The sections of the specification that can be tested against any running service. */
const sections = ['authentication', 'endpoints', 'errors', 'limits', 'resources'];

describe('Three gateways behind nginx', async () => {
  for (let run = 1; run <= runs; run += 1) {
    describe(`run ${run} of ${runs}`, async () => {
      const fleet = await startFleet();
      const { replicas, baseUrl, redis, accounts } = fleet;

      const newAccount = (plan: keyof typeof plans) => accounts.create(randomUUID(), plan);

      async function load(plan: keyof typeof plans): Promise<Load> {
        // A few connections exceed the rate of the free plan.
        const own = plan === 'free' && pause > 0 ? connections / 4 : connections;
        return new Load(baseUrl, (await newAccount(plan)).key, own, pause);
      }

      const outages = () =>
        replicas.flatMap(({ logged }) => logged().match(/Redis is unavailable/g) ?? []).length;

      /** The most requests of the free plan that may be accepted in a second. */
      const mostAccepted = (outagesBefore: number) =>
        plans.free.perSecond * (outages() > outagesBefore ? replicas.length + 1 : 1);

      it('fail no request and keep the rate limit during a rolling restart', async (t) => {
        const before = outages();
        const [roomy, free] = [await load('roomy'), await load('free')];
        await roomy.waitForRequests(500);
        const statuses: (number | null)[] = [];
        for (const replica of replicas) {
          statuses.push((await replica.stop()).status);
          await replica.start();
          await roomy.waitForRequests(200);
        }
        const requests = [await roomy.end(), await free.end()] as const;
        assert.deepEqual(failed(requests.flat()), []);
        if (outages() === before) assert.deepEqual(statuses, [0, 0, 0]);
        assert.ok(maxPerSecond(requests[1]) <= mostAccepted(before));
        reportLoad(t, requests.flat());
      });

      it('fail only pending requests and keep the rate limit when one of them is killed', async (t) => {
        const before = outages();
        const [roomy, free] = [await load('roomy'), await load('free')];
        for (const replica of replicas) {
          await roomy.waitForRequests(500);
          await replica.kill();
          const killed = performance.now();
          await roomy.waitForRequests(1000);
          const failures = [...failed(roomy.requests), ...failed(free.requests)];
          const later = failures.filter(({ sent }) => sent > killed);
          assert.deepEqual(later, []);
          assert.ok(failures.length <= 2 * connections, `${failures.length} failed`);
          await replica.start();
        }
        const requests = [await roomy.end(), await free.end()] as const;
        assert.ok(maxPerSecond(requests[1]) <= mostAccepted(before));
        reportLoad(t, requests.flat());
      });

      it('meet every row of the specification', async () => {
        const revoked = await newAccount('roomy');
        await accounts.revoke(revoked.keyId);
        const spent = await newAccount('free');
        const { month } = calendarOf(Date.now());
        await redis.ask(
          'HSET',
          `pastpaper:{${spent.id}}:${month}`,
          'used',
          String(plans.free.perMonth),
        );
        const { stdout } = await runSpecification(sections, {
          BASE_URL: baseUrl,
          API_KEY: (await newAccount('roomy')).key,
          FREE_API_KEY: (await newAccount('free')).key,
          SPENT_API_KEY: spent.key,
          REVOKED_API_KEY: revoked.key,
        });
        assert.deepEqual(failedRows(stdout), [], stdout);
        assert.ok(Number(/^# pass (\d+)$/m.exec(stdout)?.[1]) > 60, stdout);
      });

      it('leave accounts available when all of them are stopped', async () => {
        const ada = await signedIn(`${baseUrl}/auth`);
        const { key } = (await ada.post('keys', { name: 'laptop', expiresIn: null })).body;
        const statusOf = async (path: string, headers = {}) =>
          (await fetch(`${baseUrl}${path}`, { headers })).status;
        const paper = '/neet/2024/s1/physics.json';
        assert.equal(await statusOf(paper, { Authorization: `Bearer ${key}` }), 200);
        assert.equal((await ada.get('account')).body.usage.used, 1);
        for (const replica of replicas) assert.equal((await replica.stop()).status, 0);
        assert.equal(await statusOf('/neet'), 502);
        assert.equal(await statusOf(paper, { Authorization: `Bearer ${key}` }), 502);
        assert.equal((await ada.get('account')).status, 200);
      });

      it('stop without errors', () => fleet.close());
    });
  }
});

function reportLoad(t: TestContext, requests: readonly LoadRequest[]): void {
  const [first, last] = [requests[0]?.sent ?? 0, requests.at(-1)?.received ?? 0];
  const rate = (requests.length / (last - first)) * 1000;
  t.diagnostic(
    `${requests.length} requests, ${rate.toFixed(0)} a second, ${accepted(requests).length} accepted, ${failed(requests).length} failed`,
  );
}
