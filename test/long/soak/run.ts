import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'undici';
import { type MonitoredGateway, startMonitoredGateway } from '../../gateway/monitored-gateway.ts';
import { Draw } from '../fuzz/draw.ts';
import { Accounts, plans } from './accounts.ts';
import { Load, type LoadTally } from './load.ts';
import { ExactQuota } from './quota.ts';
import { Releases } from './releases.ts';
import { useAndRevokeKey } from './revoked-key.ts';
import type { Sample } from './samples.ts';

/** The number of connections and accounts of the load. */
const connections = 12;
const loadAccounts = 5;
/** So small that the cache is full from the first release on, and does not grow. */
const cacheBytes = String(256 * 1024);
/** Milliseconds before the end of a month to which the clock is set. */
const beforeMonthEnd = 2_000;
/** The interval and the timeout for polling whether a release was loaded, in milliseconds. */
const pollInterval = 50;
const loadTimeout = 60_000;

export interface Soak {
  readonly requests: number;
  /** The number of new releases, and of months that end. */
  readonly swaps: number;
  readonly months: number;
  /** The number of keys that are created, used and revoked. */
  readonly keys: number;
  readonly samples: number;
  readonly onSample: (sample: Sample) => void;
}

export interface SoakResult {
  readonly requests: number;
  readonly statuses: ReadonlyMap<number, number>;
  readonly samples: readonly Sample[];
}

/**
 * Sends requests to a gateway while releases change, keys are revoked and months end.
 *
 * @throws AssertionError if a response does not come from one release, a revoked key is accepted, or a count is wrong
 */
export async function soak(plan: Soak): Promise<SoakResult> {
  const folder = await mkdtemp(join(tmpdir(), 'pastpaper-soak-'));
  const places = { content: join(folder, 'content'), dist: join(folder, 'dist'), data: join(folder, 'build-data') };
  try {
    const releases = await Releases.create(places);
    const dataDir = join(folder, 'data');
    const accounts = await Accounts.open(join(dataDir, 'pastpaper.db'));
    const gateway = await startMonitoredGateway({ distDir: places.dist, dataDir }, plans, { CACHE_BYTES: cacheBytes });
    try {
      return await new SoakRun(plan, releases, accounts, gateway).run();
    } finally {
      await gateway.stop();
      await accounts.close();
    }
  } finally {
    // After a failure, a build may still be writing; removal is retried so that the failure is reported.
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  }
}

/** A running soak test. */
class SoakRun {
  readonly #plan: Soak;
  readonly #releases: Releases;
  readonly #accounts: Accounts;
  readonly #gateway: MonitoredGateway;
  readonly #tally: LoadTally = { requests: 0, accepted: new Map(), statuses: new Map() };
  readonly #samples: Sample[] = [];
  readonly #start = performance.now();
  /** For requests that are not part of the load. */
  readonly #extraClient: Client;
  #revoked = 0;
  #ahead = 0;

  constructor(plan: Soak, releases: Releases, accounts: Accounts, gateway: MonitoredGateway) {
    this.#plan = plan;
    this.#releases = releases;
    this.#accounts = accounts;
    this.#gateway = gateway;
    this.#extraClient = new Client(gateway.origin);
  }

  async run(): Promise<SoakResult> {
    const { swaps, months, keys, samples } = this.#plan;
    const quota = new ExactQuota(await this.#accounts.create('exact', 'exact'), plans.exact.perMonth);
    const load = this.#load();
    await Promise.all([
      load,
      this.#spread(swaps, () => this.#swap()),
      this.#spread(keys, () => this.#revokeKey()),
      this.#spread(months, () => this.#endMonth(quota)),
      this.#spread(samples, () => this.#sample()),
    ]);
    await quota.endMonth(this.#extraClient);
    await this.#extraClient.close();
    await this.#checkCounts(quota);
    return { requests: this.#tally.requests, statuses: this.#tally.statuses, samples: this.#samples };
  }

  async #load(): Promise<void> {
    const accounts = await Promise.all(
      Array.from({ length: loadAccounts }, (_, index) => this.#accounts.create(`load-${index}`, 'roomy')),
    );
    const seen = { release: 0 };
    await Promise.all(
      Array.from({ length: connections }, async () => {
        const client = new Client(this.#gateway.origin);
        const random = new Draw((bound) => Math.floor(Math.random() * bound));
        const load = new Load(client, this.#releases, accounts, random, this.#tally, seen);
        while (this.#tally.requests < this.#plan.requests) await load.send();
        await client.close();
      }),
    );
  }

  /** Runs an action a number of times, spread evenly over the requests. */
  async #spread(times: number, run: () => Promise<unknown>): Promise<void> {
    for (let time = 1; time <= times; time += 1) {
      while (this.#tally.requests < (this.#plan.requests * time) / (times + 1)) await delay(20);
      await run();
    }
  }

  /** Publishes a release, and waits until the gateway serves it. */
  async #swap(): Promise<void> {
    const served = this.#served.length;
    await this.#releases.next();
    for (let waited = 0; this.#served.length === served; waited += pollInterval) {
      assert.ok(waited < loadTimeout, `The release is not loaded: ${this.#gateway.stderrLines.join('\n')}`);
      await delay(pollInterval);
    }
  }

  /** Its log lines about loaded releases. */
  get #served(): readonly string[] {
    return this.#gateway.stderrLines.filter((line) => /Now serving release \w+ instead of/.test(line));
  }

  async #revokeKey(): Promise<void> {
    const { account, accepted } = await useAndRevokeKey(this.#extraClient, this.#accounts);
    this.#tally.accepted.set(account, (this.#tally.accepted.get(account) ?? 0) + accepted);
    this.#revoked += 1;
  }

  /** Uses up the quota of the month, and moves the clock to the end of the month. */
  async #endMonth(quota: ExactQuota): Promise<void> {
    const now = Date.now() + this.#ahead;
    const date = new Date(now);
    const monthEnd = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
    await quota.endMonth(this.#extraClient);
    this.#ahead += monthEnd - beforeMonthEnd - now;
    await this.#gateway.setClockAhead(this.#ahead);
    // Rejected until the end of the month.
    while (Date.now() + this.#ahead < monthEnd - 100) assert.equal(await quota.send(this.#extraClient), 429);
    while (Date.now() + this.#ahead < monthEnd) await delay(20);
  }

  async #sample(): Promise<void> {
    const sample = {
      ...(await this.#gateway.resourceUsage()),
      requests: this.#tally.requests,
      at: (performance.now() - this.#start) / 1000,
      releases: this.#releases.count,
      revoked: this.#revoked,
    };
    this.#samples.push(sample);
    this.#plan.onSample(sample);
  }

  /** Checks that counts equal accepted requests, and that the log contains only new releases. */
  async #checkCounts(quota: ExactQuota): Promise<void> {
    assert.equal(await this.#gateway.stop(), 0);
    const perMonth = [...(await this.#accounts.counted(quota.account)).values()];
    assert.deepEqual(perMonth, Array(this.#plan.months + 1).fill(plans.exact.perMonth));
    for (const [account, accepted] of this.#tally.accepted) {
      const months = [...(await this.#accounts.counted(account)).values()];
      assert.equal(
        months.reduce((sum, used) => sum + used, 0),
        accepted,
      );
    }
    const served = this.#gateway.stderrLines.filter((line) => /Now serving release \w+ instead of/.test(line));
    assert.deepEqual(this.#gateway.stderrLines, served);
    assert.equal(served.length, this.#plan.swaps);
  }
}
