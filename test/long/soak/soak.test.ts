/** A gateway under load, in a short version or with a million requests: `npm run test:long -- soak`. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Client } from 'undici';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { type ResourceUsage, startMonitoredGateway } from '../../gateway/server-process.ts';
import { waitUntil } from '../../wait-until.ts';
import { type Account, Accounts, plans } from '../accounts.ts';
import { startReleases } from './releases.ts';

/** The number of requests, and of those between two of each event. */
const requests = Number(process.env['REQUESTS'] ?? 6_000);
const every = { swap: 50_000, key: 2_000, sample: 40_000 };
/** The number of events: at least a few in the short version. */
const events = {
  swaps: Math.max(2, Math.ceil(requests / every.swap)),
  keys: Math.max(20, Math.ceil(requests / every.key)),
  samples: Math.max(4, Math.ceil(requests / every.sample)),
  months: requests > every.swap ? 2 : 1,
};
/** The number of connections and accounts of the load. */
const connections = 12;
const loadAccounts = 5;
/** So small that the cache is full from the first release on, and does not grow. */
const CACHE_BYTES = String(256 * 1024);
/** Milliseconds before the end of a month to which the clock is set. */
const beforeMonthEnd = 2_000;

const mebibyte = 1024 * 1024;
/** The allowed growth of a warm gateway: the size of a release and of caches varies. */
const maxGrowth = {
  heap: 8 * mebibyte,
  external: 8 * mebibyte,
  resident: 48 * mebibyte,
  descriptors: 2,
};

const paper = 'neet/2024/s1/physics.json';

function pick<Value>(values: readonly Value[]): Value {
  return values[Math.floor(Math.random() * values.length)] as Value;
}

describe('A gateway under load, while releases change, keys are revoked and months end', () => {
  it('sends each response from one release, rejects revoked keys, counts exactly, and does not grow', async (t) => {
    const folder = await temporaryFolder();
    const dist = join(folder, 'dist');
    const dataDir = join(folder, 'data');
    const releases = await startReleases({
      content: join(folder, 'content'),
      dist,
      data: join(folder, 'build-data'),
    });
    const accounts = await Accounts.open(join(dataDir, 'pastpaper.db'));
    const gateway = await startMonitoredGateway({
      ...{ DIST_DIR: dist, DATA_DIR: dataDir },
      CACHE_BYTES,
    });
    t.after(async () => {
      await gateway.stop();
      await accounts.close();
    });
    /** For requests that are not part of the load. */
    const client = new Client(gateway.origin);
    const statuses = new Map<number, number>();
    /** Requests that count towards limits, by account. */
    const accepted = new Map<string, number>();
    let sent = 0;
    /** The newest release in any response. */
    let newest = 0;

    const count = ({ id }: Account) => accepted.set(id, (accepted.get(id) ?? 0) + 1);
    const statusFor = async ({ key }: Account) => {
      const headers = { authorization: `Bearer ${key}` };
      const { statusCode, body } = await client.request({
        method: 'GET',
        path: `/${paper}`,
        headers,
      });
      await body.dump();
      return statusCode;
    };

    /** Requests resources on one connection, and compares each response with the releases. */
    async function load(all: readonly Account[]): Promise<void> {
      const connection = new Client(gateway.origin);
      /** The last ETag of each path. */
      const tags = new Map<string, string>();
      const pathsOf = (access: string) =>
        releases.first.filter((body) => body.access === access).map(({ path }) => path);
      const [open, closed] = [pathsOf('public'), pathsOf('protected')];
      while (sent < requests) {
        const account = pick(all);
        /** Path, account, and the status if there is no resource of a release. */
        const [path, by, status] = pick<readonly [string, (Account | undefined)?, number?]>([
          ...[0, 1, 2].map(() => [pick(open)] as const),
          ...Array.from({ length: 12 }, () => [pick(closed), account] as const),
          ['neet/2024/s1/history.json', account, 404],
          [paper, undefined, 401],
          [`none${Math.floor(Math.random() * 1e6)}`, undefined, 404],
        ]);
        const headers: Record<string, string> = {
          'accept-encoding': pick(['br', 'gzip', 'identity', 'gzip, br;q=0.5']),
        };
        if (by) headers['authorization'] = `Bearer ${by.key}`;
        const tag = pick([tags.get(path), undefined, undefined, undefined, undefined]);
        if (tag !== undefined) headers['if-none-match'] = tag;
        const before = newest;
        const response = await connection.request({ method: 'GET', path: `/${path}`, headers });
        const bytes = Buffer.from(await response.body.arrayBuffer());
        sent += 1;
        statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1);
        if (by) count(by);
        const expected =
          status === undefined ? [200, ...(tag === undefined ? [] : [304])] : [status];
        assert.ok(expected.includes(response.statusCode), `${response.statusCode} at ${path}`);
        if (status !== undefined) continue;
        const etag = String(response.headers['etag']);
        tags.set(path, etag);
        // Headers and bytes come from one release, which is not older than one seen before.
        const found = (await releases.find(path, etag)) ?? assert.fail(`${path} has no ${etag}`);
        assert.ok(
          found.last >= before,
          `${path} is of the release ${found.last}, after one of ${before}`,
        );
        newest = Math.max(newest, found.first);
        if (response.statusCode === 304) continue;
        assert.equal(response.headers['content-encoding'] ?? 'identity', found.served.coding);
        assert.ok(found.served.bytes.equals(bytes), `${path} has other bytes than its ETag says`);
      }
      await connection.close();
    }

    /** Runs an action a number of times, spread evenly over the requests. */
    async function spread(times: number, run: () => Promise<unknown>): Promise<void> {
      for (let time = 1; time <= times; time += 1) {
        await waitUntil(() => sent >= (requests * time) / (times + 1));
        await run();
      }
    }

    /** The log lines about loaded releases. */
    const served = () =>
      gateway.logged().filter((line) => /Now serving release \w+ instead of/.test(line));

    /** Publishes a release, and waits until the gateway serves it. */
    async function swap(): Promise<void> {
      const before = served().length;
      await releases.next();
      await waitUntil(() => served().length > before);
    }

    /** Creates a key, uses and revokes it: it is then rejected. */
    async function revokeKey(): Promise<void> {
      const account = await accounts.create('turnover', 'roomy');
      for (const _ of [1, 2]) {
        assert.equal(await statusFor(account), 200);
        count(account);
      }
      await accounts.revoke(account.keyId);
      // A key that was checked is not looked up again for a second.
      while ((await statusFor(account)) === 200) count(account);
      for (const _ of [1, 2]) assert.equal(await statusFor(account), 403);
    }

    const exact = await accounts.create('exact', 'exact');
    let months = 0;
    let ahead = 0;

    /** Uses up the quota of the month. */
    async function spendQuota(): Promise<void> {
      for (let rejected = 0; rejected < 10; ) {
        const status = await statusFor(exact);
        assert.ok(status === 200 || status === 429, String(status));
        if (status === 200) count(exact);
        else rejected += 1;
      }
      months += 1;
      assert.equal(
        accepted.get(exact.id),
        plans.exact.perMonth * months,
        'accepted until the end of the month',
      );
    }

    /** Uses up the quota of the month, and moves the clock to the end of the month. */
    async function endMonth(): Promise<void> {
      await spendQuota();
      const date = new Date(Date.now() + ahead);
      const monthEnd = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
      ahead = monthEnd - beforeMonthEnd - Date.now();
      await gateway.setClockAhead(ahead);
      for (let isOver = false; !isOver; ) {
        const status = await statusFor(exact);
        isOver = Date.now() + ahead >= monthEnd;
        // A request that was under way at the end of the month may belong to the next one.
        if (isOver && status === 200) count(exact);
        else assert.equal(status, 429);
      }
    }

    const samples: ResourceUsage[] = [];
    async function sample(): Promise<void> {
      const usage = await gateway.resourceUsage();
      samples.push(usage);
      const { heap, external, resident, descriptors } = usage;
      const memory = [heap, external, resident].map((bytes) => (bytes / mebibyte).toFixed(1));
      console.log(
        `${sent} requests: heap, buffers, resident ${memory.join(', ')} MiB; ${descriptors} descriptors`,
      );
    }

    const newAccounts = Array.from({ length: loadAccounts }, (_, index) =>
      accounts.create(`load-${index}`, 'roomy'),
    );
    const all = await Promise.all(newAccounts);
    await Promise.all([
      ...Array.from({ length: connections }, () => load(all)),
      spread(events.swaps, swap),
      spread(events.keys, revokeKey),
      spread(events.months, endMonth),
      spread(events.samples, sample),
    ]);
    await spendQuota();
    await client.close();
    t.diagnostic(
      `responses: ${[...statuses].map(([status, times]) => `${status}: ${times}`).join(', ')}`,
    );
    assert.deepEqual(new Set(statuses.keys()), new Set([200, 304, 401, 404]));
    if (requests > every.sample) assert.deepEqual(growth(samples), []);

    assert.equal(await gateway.stop(), 0);
    for (const [id, times] of accepted) {
      const perMonth = [...(await accounts.counted(id)).values()];
      const total = perMonth.reduce((sum, used) => sum + used, 0);
      assert.equal(total, times);
      if (id === exact.id)
        assert.deepEqual(perMonth, Array(events.months + 1).fill(plans.exact.perMonth));
    }
    assert.deepEqual(gateway.logged(), served());
    assert.equal(served().length, events.swaps);
  });
});

/** Compares the medians of the first and the last third of the samples. @returns a sentence for each value that has grown */
function growth(samples: readonly ResourceUsage[]): string[] {
  const third = Math.floor(samples.length / 3);
  return (['heap', 'external', 'resident', 'descriptors'] as const).flatMap((what) => {
    const [before = 0, after = 0] = [samples.slice(0, third), samples.slice(-third)].map((some) => {
      const values = some.map((sample) => sample[what]).sort((one, other) => one - other);
      return values[Math.floor(values.length / 2)] ?? 0;
    });
    return after - before > maxGrowth[what] ? [`${what} has grown from ${before} to ${after}`] : [];
  });
}
