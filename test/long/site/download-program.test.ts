import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { calendarOf } from '../../../gateway/clock.ts';
import {
  type ProxiedRequest,
  type ProxyAction,
  startFaultProxy,
} from '../../build/client/mirror/fault-proxy.ts';
import { below, serve } from '../../build/client/mirror/served-bank.ts';
import { filesBelow } from '../../build/release-folder.ts';
import { addUsage } from '../../gateway/accounts/add-usage.ts';
import { waitUntil } from '../../wait-until.ts';
import { inOneMonth } from '../one-month.ts';
import { guidePrograms } from './run-sample.ts';

const year = 'neet/2026';
const service = await serve(undefined, undefined, undefined, 'in-real-time');
const { running } = service;
const papers = new Map([...below(year, service.files)].filter(([path]) => path.endsWith('.json')));
const programs = await guidePrograms(running, 'limits', ['javascript', 'python']);

for (const { language, skip, save } of programs) {
  // Each test has its own account and spends most of its time waiting.
  describe(`The download program in the guide on limits, in ${language}`, {
    skip,
    concurrency: true,
  }, () => {
    it('downloads all papers of a year on the free plan without a rejected request', async () => {
      const { key } = await running.createKey(`${language}-free`, { plan: 'free' });
      const proxy = await createProxy();
      const { folder, run } = await save(proxy.url, key);
      const { status, stdout, stderr } = await run();
      assert.deepEqual([status, stderr], [0, '']);
      assert.deepEqual(stdout.trimEnd().split('\n').sort(), [...papers.keys()].sort());
      assert.deepEqual(await filesBelow(join(folder, 'copy')), papers);
      assert.deepEqual(statuses(proxy.requests), Array(papers.size).fill(200));
    });

    it('downloads all papers even if it gets 429 because another program uses the account', async () => {
      const { key } = await running.createKey(`${language}-shared`, { plan: 'free' });
      const { key: other } = await running.createKey(`${language}-shared`, { plan: 'free' });
      const proxy = await createProxy();
      const { folder, run } = await save(proxy.url, key);
      const result = run();
      const headers = { Authorization: `Bearer ${other}` };
      // The other program uses up the rate until a request of this one is rejected.
      await waitUntil(async () => {
        await Promise.all(
          [1, 2].map(() => fetch(`${service.url}/${[...papers.keys()][0]}`, { headers })),
        );
        return statuses(proxy.requests).includes(429);
      });
      assert.equal((await result).status, 0);
      assert.deepEqual(await filesBelow(join(folder, 'copy')), papers);
    });

    it('waits for Retry-After before the next request', async () => {
      const { key } = await running.createKey(`${language}-patient`);
      const proxy = await createProxy();
      let rejectedUntil: number | undefined;
      proxy.intercept((path) => {
        if (!path.endsWith('.json')) return undefined;
        rejectedUntil ??= Date.now() + 2000;
        return Date.now() < rejectedUntil ? respondWith(429, { 'retry-after': '2' }) : undefined;
      });
      const { run } = await save(proxy.url, key);
      assert.equal((await run()).status, 0);
      assert.deepEqual(statuses(proxy.requests), [429, ...Array(papers.size).fill(200)]);
    });

    it('retries after 502, 503 and broken connections, and downloads all papers', async () => {
      const { key } = await running.createKey(`${language}-faults`);
      const proxy = await createProxy();
      const actions: ProxyAction[] = [
        respondWith(502),
        respondWith(503),
        { kind: 'cut' },
        { kind: 'cut within' },
      ];
      proxy.intercept((path) => (path.endsWith('.json') ? actions.shift() : undefined));
      const { folder, run } = await save(proxy.url, key);
      assert.deepEqual((await run()).status, 0);
      assert.deepEqual(statuses(proxy.requests), [
        502,
        503,
        undefined,
        undefined,
        ...Array(papers.size).fill(200),
      ]);
      assert.deepEqual(await filesBelow(join(folder, 'copy')), papers);
    });

    it('gives up after five failed attempts, with an error message', async () => {
      const proxy = await createProxy();
      proxy.intercept(() => respondWith(502));
      const { run } = await save(proxy.url, 'any');
      const { status, stderr } = await run();
      assert.equal(status, 1);
      assert.match(stderr, /^\/neet\/2026: 502, .*Gave up after 5 tries\.\n$/);
      assert.equal(proxy.requests.length, 5);
    });

    const rejections = [
      ['401, a malformed key', 'two words', [], '401, {"error":"Malformed Authorization header"}'],
      ['403, an unknown key', 'pfx_unknown', [], '403, {"error":"Invalid or expired API key"}'],
      ['404, an unknown year', 'pfx_unknown', ['jeemain/1999'], '404, {"error":"Year not found"}'],
    ] as const;
    for (const [what, key, args, message] of rejections) {
      it(`does not retry ${what}`, async () => {
        const proxy = await createProxy();
        const { run } = await save(proxy.url, key);
        const { status, stdout, stderr } = await run(...args);
        assert.deepEqual([status, stdout], [1, '']);
        assert.match(stderr, /^\/\S+: .*\n$/);
        assert.ok(stderr.includes(message), stderr);
        assert.equal(proxy.requests.filter(({ status }) => status !== 200).length, 1);
      });
    }

    it('reports a missing key without a request', async () => {
      const proxy = await createProxy();
      const { run } = await save(proxy.url);
      assert.deepEqual(await run(), {
        status: 1,
        stdout: '',
        stderr: 'Set API_KEY to your key.\n',
      });
      assert.deepEqual(proxy.requests, []);
    });

    for (const [left, expected] of [
      [2, [200, 200]],
      [0, [429]],
    ] as const) {
      it(
        `stops when the monthly quota is used up, with ${left} requests left at start, and does not wait for the next month`,
        inOneMonth(async () => {
          const name = `${language}-${randomUUID()}`;
          const { key } = await running.createKey(name, { plan: 'free' });
          await useQuota(name, 1000 - left);
          const proxy = await createProxy();
          const { run } = await save(proxy.url, key);
          const { status, stderr } = await run();
          const next = new Date(calendarOf(Date.now()).monthEnd).toISOString().slice(0, 10);
          assert.equal(status, 1);
          assert.equal(
            stderr,
            `No request is left until ${next} 00:00 UTC. Run this again then.\n`,
          );
          assert.deepEqual(statuses(proxy.requests), expected);
        }),
      );
    }
  });
}

function respondWith(status: number, headers: Record<string, string> = {}): ProxyAction {
  return { kind: 'respond', response: { status, headers } };
}

/** The statuses of the requests for papers. */
function statuses(requests: readonly ProxiedRequest[]): readonly (number | undefined)[] {
  return requests.filter(({ path }) => path.endsWith('.json')).map(({ status }) => status);
}

async function createProxy() {
  const proxy = await startFaultProxy(service.url);
  after(() => proxy.close());
  return proxy;
}

async function useQuota(name: string, count: number): Promise<void> {
  const { id: account } = await running.database
    .selectFrom('accounts')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  await addUsage(running.database, [{ account, day: calendarOf(Date.now()).day, used: count }]);
}
