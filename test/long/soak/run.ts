import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'undici';
import { startWatchedGateway, type WatchedGateway } from '../../gateway/watched-gateway.ts';
import { Random } from '../fuzz/random.ts';
import { Accounts, plans } from './accounts.ts';
import { Load, type LoadTally } from './load.ts';
import { ExactQuota } from './quota.ts';
import { Releases } from './releases.ts';
import type { Sample } from './samples.ts';
import { turnKeyOver } from './turnover.ts';

/** Connections of the load, and accounts that it uses. */
const connections = 12;
const loadAccounts = 5;
/** Full from the first release on: what grows then is no cache. */
const cacheBytes = String(256 * 1024);
/** Milliseconds before the end of a month to which the clock is set. */
const beforeMonthEnd = 2_000;
/** Milliseconds from one look whether a release was taken up to the next, and of all looks together. */
const lookInterval = 50;
const mostWaited = 60_000;

export interface Soak {
  readonly requests: number;
  /** Releases that are swapped in, and months that end, while it runs. */
  readonly swaps: number;
  readonly months: number;
  /** Keys that are made, used and revoked. */
  readonly keys: number;
  readonly samples: number;
  readonly onSample: (sample: Sample) => void;
}

export interface Soaked {
  readonly requests: number;
  readonly statuses: ReadonlyMap<number, number>;
  readonly samples: readonly Sample[];
}

/**
 * Loads a gateway while releases are swapped, keys are revoked and months end.
 *
 * @throws AssertionError when an answer is not of one release, a revoked key is accepted, or a count is not exact
 */
export async function soak(plan: Soak): Promise<Soaked> {
  const folder = await mkdtemp(join(tmpdir(), 'pastpaper-soak-'));
  const places = {
    content: join(folder, 'content'),
    dist: join(folder, 'dist'),
    data: join(folder, 'build-data'),
  };
  try {
    const releases = await Releases.in(places);
    const dataDir = join(folder, 'data');
    const accounts = await Accounts.open(join(dataDir, 'pastpaper.db'));
    const gateway = await startWatchedGateway({ distDir: places.dist, dataDir }, plans, {
      CACHE_BYTES: cacheBytes,
    });
    try {
      return await new Soaking(plan, releases, accounts, gateway).toTheEnd();
    } finally {
      await gateway.stop();
      await accounts.close();
    }
  } finally {
    // After a failure, a build may still write there: the failure is to be seen, not that.
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  }
}

/** One soak that goes on. */
class Soaking {
  readonly #plan: Soak;
  readonly #releases: Releases;
  readonly #accounts: Accounts;
  readonly #gateway: WatchedGateway;
  readonly #tally: LoadTally = { requests: 0, accepted: new Map(), statuses: new Map() };
  readonly #samples: Sample[] = [];
  readonly #start = performance.now();
  /** For what is asked beside the load. */
  readonly #aside: Client;
  #revoked = 0;
  #ahead = 0;

  constructor(plan: Soak, releases: Releases, accounts: Accounts, gateway: WatchedGateway) {
    this.#plan = plan;
    this.#releases = releases;
    this.#accounts = accounts;
    this.#gateway = gateway;
    this.#aside = new Client(gateway.origin);
  }

  async toTheEnd(): Promise<Soaked> {
    const { swaps, months, keys, samples } = this.#plan;
    const quota = new ExactQuota(await this.#accounts.create('exact', 'exact'), plans.exact.perMonth);
    const load = this.#load();
    await Promise.all([
      load,
      this.#spread(swaps, () => this.#swap()),
      this.#spread(keys, () => this.#turnOver()),
      this.#spread(months, () => this.#endMonth(quota)),
      this.#spread(samples, () => this.#sample()),
    ]);
    await quota.endMonth(this.#aside);
    await this.#aside.close();
    await this.#holdCounts(quota);
    return { requests: this.#tally.requests, statuses: this.#tally.statuses, samples: this.#samples };
  }

  async #load(): Promise<void> {
    const accounts = await Promise.all(
      Array.from({ length: loadAccounts }, (_, index) => this.#accounts.create(`load-${index}`, 'roomy')),
    );
    const seen = { release: 0 };
    await Promise.all(
      Array.from({ length: connections }, async (_, index) => {
        const client = new Client(this.#gateway.origin);
        const random = new Random('soak', index);
        const load = new Load(client, this.#releases, accounts, random, this.#tally, seen);
        while (this.#tally.requests < this.#plan.requests) await load.ask();
        await client.close();
      }),
    );
  }

  /** Does something so many times, spread evenly over the requests. */
  async #spread(times: number, run: () => Promise<unknown>): Promise<void> {
    for (let time = 1; time <= times; time += 1) {
      while (this.#tally.requests < (this.#plan.requests * time) / (times + 1)) await delay(20);
      await run();
    }
  }

  /** Ends when the gateway has taken the new release up. */
  async #swap(): Promise<void> {
    const served = this.#served.length;
    await this.#releases.next();
    for (let waited = 0; this.#served.length === served; waited += lookInterval) {
      assert.ok(waited < mostWaited, `The release is not taken up: ${this.#gateway.complaints.join('\n')}`);
      await delay(lookInterval);
    }
  }

  /** What it has said of releases that it took up. */
  get #served(): readonly string[] {
    return this.#gateway.complaints.filter((line) => /Release \w+ is served now, in place of/.test(line));
  }

  async #turnOver(): Promise<void> {
    const { account, accepted } = await turnKeyOver(this.#aside, this.#accounts);
    this.#tally.accepted.set(account, (this.#tally.accepted.get(account) ?? 0) + accepted);
    this.#revoked += 1;
  }

  /** The quota of the month is spent; the clock comes to its end, and goes beyond. */
  async #endMonth(quota: ExactQuota): Promise<void> {
    const now = Date.now() + this.#ahead;
    const date = new Date(now);
    const monthEnd = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
    await quota.endMonth(this.#aside);
    this.#ahead += monthEnd - beforeMonthEnd - now;
    await this.#gateway.setClockAhead(this.#ahead);
    // Refused until the very end.
    while (Date.now() + this.#ahead < monthEnd - 100) assert.equal(await quota.ask(this.#aside), 429);
    while (Date.now() + this.#ahead < monthEnd) await delay(20);
  }

  async #sample(): Promise<void> {
    const sample = {
      ...(await this.#gateway.vitals()),
      requests: this.#tally.requests,
      at: (performance.now() - this.#start) / 1000,
      releases: this.#releases.count,
      revoked: this.#revoked,
    };
    this.#samples.push(sample);
    this.#plan.onSample(sample);
  }

  /** What was accepted is what is counted, to the request; and nothing was told but that releases came. */
  async #holdCounts(quota: ExactQuota): Promise<void> {
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
    const served = this.#gateway.complaints.filter((line) =>
      /Release \w+ is served now, in place of/.test(line),
    );
    assert.deepEqual(this.#gateway.complaints, served);
    assert.equal(served.length, this.#plan.swaps);
  }
}
