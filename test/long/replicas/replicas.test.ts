/** Three gateways behind nginx, under load: `RUNS` times over, once where nothing is said. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { revokeKey } from '../../../gateway/auth/keys.ts';
import { calendarOf, systemClock } from '../../../gateway/clock.ts';
import { signedIn } from '../../gateway/auth/users/visitor.ts';
import { beyond, failedRows, runSpecification } from '../hosts/rows.ts';
import { Fleet, noFleet, type PlanName, plans } from './fleet.ts';
import { accepted, failed, Load, type Made, mostInASecond } from './load.ts';

const runs = Number(process.env['RUNS'] ?? 1);
/** Connections of a load. */
const connections = 32;
/** Milliseconds for which each connection of a load rests between two requests: the short version needs no more. */
const pause = process.env['RUNS'] === undefined ? 50 : 0;
/** The sections of the specification that any running service can be tested against. */
const sections = ['authentication', 'endpoints', 'errors', 'limits', 'resources'];

describe('Three gateways behind nginx', { skip: noFleet }, async () => {
  if (noFleet) return;

  for (let run = 1; run <= runs; run += 1) {
    describe(`run ${run} of ${runs}`, async () => {
      const fleet = await Fleet.start();
      const { replicas, baseUrl, redis } = fleet;

      async function load(plan: PlanName, account = randomUUID(), rest = pause): Promise<Load> {
        // Few are enough to ask for more than the free plan's rate.
        const own = plan === 'free' && rest > 0 ? connections / 4 : connections;
        return new Load(baseUrl, (await fleet.createKey(account, plan)).key, own, rest);
      }

      /** Where Redis counts for the account of that name. */
      async function usageName(name: string): Promise<string> {
        const { id } = await fleet.database
          .selectFrom('accounts')
          .select('id')
          .where('name', '=', name)
          .executeTakeFirstOrThrow();
        return `pastpaper:{${id}}:${calendarOf(Date.now()).month}`;
      }

      const counted = async (name: string) => Number(await redis.ask('HGET', await usageName(name), 'used'));

      const outages = () => replicas.flatMap(({ logged }) => logged.match(/Redis is away/g) ?? []).length;

      /** Tries again what is exact with Redis, where a busy machine let it wait for so long that it counted as away. */
      async function withRedis(measure: () => Promise<void>): Promise<void> {
        for (let attempt = 1; attempt <= 5; attempt += 1) {
          const before = outages();
          const fault = await measure().catch((error: unknown) => error);
          if (outages() > before) continue;
          if (fault !== undefined) throw fault;
          return;
        }
        assert.fail('Redis was too slow for the gateways in each of 5 attempts.');
      }

      /** The most that may be accepted in a second of a load of the free plan. */
      const mostAccepted = (outagesBefore: number) =>
        plans.free.perSecond * (outages() > outagesBefore ? replicas.length + 1 : 1);

      it('let one account through at its rate, never more than 2 requests in any second', (t) =>
        withRedis(async () => {
          const name = randomUUID();
          const free = await load('free', name);
          await free.growAccepted(9);
          const made = await free.end();
          assert.deepEqual(failed(made), []);
          assert.ok(mostInASecond(made) <= plans.free.perSecond);
          assert.equal(await counted(name), accepted(made).length);
          tell(t, made);
        }));

      it('let exactly 1,000 requests of a month through', (t) =>
        withRedis(async () => {
          const name = randomUUID();
          const burst = await load('burst', name, 0);
          await burst.grow(3000);
          const made = await burst.end();
          assert.deepEqual(failed(made), []);
          assert.equal(accepted(made).length, 1000);
          assert.equal(await counted(name), 1000);
          // Each of the thousand left one less, whichever gateway it came by.
          const left = accepted(made).map((one) => one.left ?? Number.NaN);
          assert.deepEqual(
            left.sort((one, other) => one - other),
            [...Array(1000).keys()],
          );
          tell(t, made);
        }));

      it('restarted one after the other, fail no request, and hold the rate', async (t) => {
        const before = outages();
        const [roomy, free] = [await load('roomy'), await load('free')];
        await roomy.grow(500);
        const statuses: (number | null)[] = [];
        for (const replica of replicas) {
          statuses.push((await replica.stop()).status);
          await replica.start();
          await roomy.grow(200);
        }
        const made = [await roomy.end(), await free.end()] as const;
        assert.deepEqual(failed(made.flat()), []);
        if (outages() === before) assert.deepEqual(statuses, [0, 0, 0]);
        assert.ok(mostInASecond(made[1]) <= mostAccepted(before));
        tell(t, made.flat());
      });

      it('one of them killed, fail no request but those under way, and hold the rate', async (t) => {
        const before = outages();
        const [roomy, free] = [await load('roomy'), await load('free')];
        for (const replica of replicas) {
          await roomy.grow(500);
          await replica.kill();
          const killed = performance.now();
          await roomy.grow(1000);
          const faults = [...failed(roomy.made), ...failed(free.made)];
          const later = faults.filter(({ sent }) => sent > killed);
          assert.deepEqual(later, []);
          assert.ok(faults.length <= 2 * connections, `${faults.length} failed`);
          await replica.start();
        }
        const made = [await roomy.end(), await free.end()] as const;
        assert.ok(mostInASecond(made[1]) <= mostAccepted(before));
        tell(t, made.flat());
      });

      for (const [state, leave, comeBack] of [
        ['killed', () => redis.kill(), () => redis.start()],
        ['hanging', () => redis.pause(), () => redis.resume()],
      ] as const) {
        it(`go on when Redis is ${state}, and share limits again when it is back`, async (t) => {
          const before = outages();
          const name = randomUUID();
          const [roomy, free] = [await load('roomy', name), await load('free')];
          await roomy.grow(500);
          await leave();
          await roomy.grow(1000);
          await comeBack();
          while ((await counted(name)) < accepted(roomy.made).length - connections) await roomy.grow(10);
          await roomy.grow(500);
          const made = [await roomy.end(), await free.end()] as const;
          assert.deepEqual(failed(made.flat()), []);
          assert.ok(outages() >= before + replicas.length);
          assert.ok(mostInASecond(made[1]) <= mostAccepted(before));
          // The last counts are merged in the background.
          for (let look = 0; look < 200 && (await counted(name)) < accepted(made[0]).length; look += 1) {
            await delay(50);
          }
          // What was under way when Redis left may be counted twice.
          const surplus = (await counted(name)) - accepted(made[0]).length;
          assert.ok(surplus >= 0 && surplus <= connections, `${surplus}`);
          await withRedis(async () => {
            const after = await load('free');
            await after.growAccepted(5);
            assert.ok(mostInASecond(await after.end()) <= plans.free.perSecond);
          });
          tell(t, made.flat());
        });
      }

      it('keep every row of the specification', async () => {
        const revoked = await fleet.createKey('reader', 'roomy');
        await revokeKey(fleet.database, systemClock, revoked.id);
        const { key: spent } = await fleet.createKey('busy', 'free');
        await redis.ask('HSET', await usageName('busy'), 'used', String(plans.free.perMonth));
        const { stdout } = await runSpecification(sections, {
          BASE_URL: baseUrl,
          API_KEY: (await fleet.createKey('reader', 'roomy')).key,
          FREE_API_KEY: (await fleet.createKey('visitor', 'free')).key,
          SPENT_API_KEY: spent,
          REVOKED_API_KEY: revoked.key,
        });
        assert.deepEqual(failedRows(stdout), beyond.nginx, stdout);
        assert.ok(Number(/^# pass (\d+)$/m.exec(stdout)?.[1]) > 60, stdout);
      });

      it('serve people by way of the service, and what is public without a gateway', async () => {
        const ada = await signedIn(`${baseUrl}/auth`);
        const { key } = (await ada.post('keys', { name: 'laptop', expiresIn: null })).body;
        const statusOf = async (path: string, headers = {}) =>
          (await fetch(`${baseUrl}${path}`, { headers })).status;
        const paper = '/neet/2024/s1/physics.json';
        assert.equal(await statusOf(paper, { Authorization: `Bearer ${key}` }), 200);
        assert.equal((await ada.get('account')).body.usage.used, 1);
        for (const replica of replicas) assert.equal((await replica.stop()).status, 0);
        for (const path of ['/', '/neet', '/neet/2024', '/docs/', '/dashboard/']) {
          assert.equal(await statusOf(path), 200, path);
        }
        assert.equal(await statusOf(paper, { Authorization: `Bearer ${key}` }), 502);
        assert.equal((await ada.get('account')).status, 200);
      });

      it('end in peace', () => fleet.close());
    });
  }
});

function tell(t: { diagnostic(message: string): void }, made: readonly Made[]): void {
  const [first, last] = [made[0]?.sent ?? 0, made.at(-1)?.received ?? 0];
  const rate = (made.length / (last - first)) * 1000;
  t.diagnostic(
    `${made.length} requests, ${rate.toFixed(0)} a second, ${accepted(made).length} accepted, ${failed(made).length} failed`,
  );
}
