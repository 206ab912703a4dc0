/**
 * The capacity model: what a number of accounts, or of questions, needs. Pure. Processor times are in microseconds,
 * memory and traffic in bytes.
 */
import { type Load, type LoadOutcome, simulate } from './simulation.ts';

/** The kinds of requests, in the order of the tables. */
export const kinds = ['metadata', 'metadata304', 'paper', 'paper304', 'diagram', '401', '429'] as const;
export type Kind = (typeof kinds)[number];

/** The costs of a request. */
export interface RequestCost {
  /** Processor time of a gateway that counts in its own process, and of one that counts in Redis. */
  readonly embedded: number;
  readonly shared: number;
  /** Processor time of Redis. */
  readonly redis: number;
  /** Bytes of the response, with its header. */
  readonly bytes: number;
}

export interface Costs {
  readonly requests: Readonly<Record<Kind, RequestCost>>;
  /** The additional processor time of a request whose key is not cached. */
  readonly keyCheck: {
    /** In a gateway with its database. */
    readonly embedded: number;
    /** In a gateway that asks a service, in the service, and in PostgreSQL. */
    readonly gateway: number;
    readonly service: number;
    readonly database: number;
  };
  /** Processor time of a sign-in with a password: the hash. */
  readonly signIn: number;
  /** What an account with one key takes in Redis for a month in which it is used every day. */
  readonly redisBytes: number;
  /** What a key takes in PostgreSQL, with its indexes. */
  readonly databaseBytes: number;
}

/** How accounts use the service. */
export interface Profile {
  /** Accepted requests of an account in a month. */
  readonly requestsPerMonth: number;
  /** Requests in the busiest second, divided by the average. */
  readonly peak: number;
  /** Requests of each kind for each accepted request. Papers and diagrams add up to 1. */
  readonly mix: Readonly<Record<Kind, number>>;
  /** Requests that an account sends in a row, and the seconds that they take. */
  readonly session: { readonly requests: number; readonly seconds: number };
  readonly signInsPerMonth: number;
  /** The share of metadata that a CDN serves. */
  readonly cdn: number;
}

/** The share of its time that a part may be busy at the peak: the rest is for bursts, failures and growth. */
const target = 0.5;
const secondsPerMonth = 30.4 * 86_400;
/** Seconds for which a gateway caches a key check. */
const cacheSeconds = 10;
/** Months that Redis stores: 400 days. */
const storedMonths = 400 / 30.4;
/** Memory of a Redis process that can still be copied and restarted within minutes. */
const shardBytes = 32 * 2 ** 30;
/** Seconds that a message between two machines of a data centre takes. */
const networkDelay = 0.000_25;

/** What a number of accounts needs at the peak. */
export interface Capacity {
  readonly accounts: number;
  /** Accepted requests per second. */
  readonly average: number;
  readonly peak: number;
  /** Whether one process with everything embedded is enough. */
  readonly isEmbedded: boolean;
  /** Processor cores of gateways, each with one process. */
  readonly gateways: number;
  /** The share of time that each of them is busy. */
  readonly gatewayUse: number;
  /** The cores of gateways if the balancer sends all requests of an account to the same one. */
  readonly withAffinity: number;
  /** The processor cores that the metadata would need without a CDN. */
  readonly coresOfCdn: number;
  readonly shards: number;
  readonly shardUse: number;
  readonly redisMemory: number;
  readonly keyChecks: number;
  /** Processor cores of the authentication service and of PostgreSQL. */
  readonly serviceCores: number;
  readonly databaseCores: number;
  readonly databaseSize: number;
  readonly signIns: number;
  /** Bits per second, with metadata that no CDN serves. */
  readonly bandwidth: number;
}

/** What this number of accounts needs. */
export function capacityOf(accounts: number, costs: Costs, profile: Profile): Capacity {
  const average = (accounts * profile.requestsPerMonth) / secondsPerMonth;
  const peak = average * profile.peak;
  const sum = (figure: (cost: RequestCost) => number) =>
    kinds.reduce((total, kind) => total + shareOf(kind, profile) * figure(costs.requests[kind]), 0);
  const coresFor = (microseconds: number) => (peak * microseconds) / 1e6;
  const checksWith = (gateways: number) => peak * checksPerRequest(profile, gateways);

  const embeddedUse =
    coresFor(sum(({ embedded }) => embedded)) + (checksWith(1) * costs.keyCheck.embedded) / 1e6;
  const isEmbedded = embeddedUse <= target;
  const sharedCores = coresFor(sum(({ shared }) => shared));
  const coresWith = (keyChecks: number) => sharedCores + (keyChecks * costs.keyCheck.gateway) / 1e6;
  const withAffinity = isEmbedded ? 1 : Math.max(2, Math.ceil(coresWith(checksWith(1)) / target));
  let gateways = withAffinity;
  // More gateways check more keys, because each has a cache of its own.
  while (!isEmbedded && coresWith(checksWith(gateways)) / gateways > target) gateways += 1;
  const gatewayUse = isEmbedded ? embeddedUse : coresWith(checksWith(gateways)) / gateways;
  const keyChecks = checksWith(gateways);
  const redisMemory = isEmbedded ? 0 : accounts * costs.redisBytes * storedMonths;
  const redisCores = isEmbedded ? 0 : coresFor(sum(({ redis }) => redis));
  const shards = Math.ceil(Math.max(redisCores / target, redisMemory / shardBytes));
  const signIns = (accounts * profile.signInsPerMonth * profile.peak) / secondsPerMonth;
  const { metadata, metadata304 } = costs.requests;
  const { mix } = profile;
  return {
    accounts,
    average,
    peak,
    isEmbedded,
    gateways,
    gatewayUse,
    withAffinity,
    coresOfCdn: coresFor(mix.metadata * metadata.embedded + mix.metadata304 * metadata304.embedded) / target,
    shards,
    shardUse: shards > 0 ? redisCores / shards : 0,
    redisMemory,
    keyChecks,
    serviceCores: isEmbedded
      ? 0
      : (keyChecks * costs.keyCheck.service + signIns * costs.signIn) / 1e6 / target,
    databaseCores: isEmbedded ? 0 : (keyChecks * costs.keyCheck.database) / 1e6 / target,
    databaseSize: accounts * costs.databaseBytes,
    signIns,
    bandwidth: peak * sum(({ bytes }) => bytes) * 8,
  };
}

/** What one of a part carries, and the accounts that fill it. */
export interface Part {
  readonly name: string;
  readonly carries: number;
  readonly unit: string;
  readonly accounts: number;
  /** What to do then. */
  readonly then: string;
}

/** Gateways behind a balancer in the table of parts: a few, so that each checks a part of the keys. */
const fewGateways = 4;

/** What one of each part carries at half load, where it saturates, and what to do then. */
export function partsOf(costs: Costs, profile: Profile): Part[] {
  const peakOfAccount = (profile.requestsPerMonth * profile.peak) / secondsPerMonth;
  const sum = (figure: (cost: RequestCost) => number) =>
    kinds.reduce((total, kind) => total + shareOf(kind, profile) * figure(costs.requests[kind]), 0);
  const checks = checksPerRequest(profile, fewGateways);
  const perSecond = (name: string, cost: number, perRequest: number, unit: string, then: string): Part => {
    const carries = (target * 1e6) / cost;
    return { name, carries, unit, accounts: carries / perRequest / peakOfAccount, then };
  };
  const ofAccounts = (
    name: string,
    carries: number,
    ofAccount: number,
    unit: string,
    then: string,
  ): Part => ({
    ...{ name, carries, unit, then },
    accounts: carries / ofAccount,
  });
  const signIns = (profile.signInsPerMonth * profile.peak) / secondsPerMonth;
  const embeddedCost =
    sum(({ embedded }) => embedded) + checksPerRequest(profile, 1) * costs.keyCheck.embedded;
  const gatewayCost = sum(({ shared }) => shared) + checks * costs.keyCheck.gateway;
  return [
    perSecond('a process with everything embedded', embeddedCost, 1, 'requests/s', 'workers, then replicas'),
    perSecond('a gateway process with Redis', gatewayCost, 1, 'requests/s', 'more gateways'),
    perSecond(
      'Redis, thread',
      sum(({ redis }) => redis),
      1,
      'requests/s',
      'more shards',
    ),
    ofAccounts(
      'Redis, 32 GiB of memory',
      shardBytes,
      costs.redisBytes * storedMonths,
      'bytes',
      'more shards',
    ),
    perSecond(
      'an authentication service, thread',
      costs.keyCheck.service,
      checks,
      'key checks/s',
      'more services, or send an account to the same gateway',
    ),
    ofAccounts(
      'an authentication service, passwords',
      (target * 1e6) / costs.signIn,
      signIns,
      'sign-ins/s',
      'more services',
    ),
    perSecond('a core of PostgreSQL', costs.keyCheck.database, checks, 'key checks/s', 'more cores'),
    ofAccounts(
      'a link of 1 Gbit/s',
      (target * 1e9) / 8 / sum(({ bytes }) => bytes),
      peakOfAccount,
      'requests/s',
      'another machine',
    ),
  ];
}

/**
 * The latency of a paper at the peak in seconds, simulated. All gateways and all shards have the same load, so one gateway
 * is simulated, with the shards that it needs and what the other gateways send these.
 */
export function latencyOf(
  { peak, gateways, shards, isEmbedded }: Capacity,
  costs: Costs,
  profile: Profile,
): LoadOutcome | undefined {
  const used = isEmbedded ? 0 : Math.ceil(shards / gateways);
  const loads: (Load & { readonly kind?: Kind })[] = kinds.flatMap((kind) => {
    const { embedded, shared, redis } = costs.requests[kind];
    const rate = (peak * shareOf(kind, profile)) / gateways;
    if (isEmbedded || redis === 0)
      return [{ kind, rate, steps: [{ process: 0, cost: (isEmbedded ? embedded : shared) / 1e6 }] }];
    // The decision is in the middle of a request.
    const half = { process: 0, cost: shared / 2e6 };
    return Array.from({ length: used }, (_, shard) => 1 + shard).flatMap((process) => {
      const atShard = { process, cost: redis / 1e6 };
      const others = (rate * gateways) / shards - rate / used;
      return [
        {
          kind,
          rate: rate / used,
          steps: [half, { ...atShard, delay: networkDelay }, { ...half, delay: networkDelay }],
        },
        { rate: others, steps: [atShard] },
      ];
    });
  });
  const processes = Array.from({ length: 1 + used }, (_, core) => ({ cores: [core] }));
  // Enough requests for a 99th percentile.
  const seconds = (5_000 * gateways) / (peak * shareOf('paper', profile));
  const sent = loads.filter((load) => 'rate' in load && load.rate > 0);
  const { loads: outcomes } = simulate({ processes, loads: sent, seconds });
  return outcomes[sent.findIndex(({ kind }) => kind === 'paper')];
}

/** Requests of a kind that reach a gateway for each accepted request. */
function shareOf(kind: Kind, { mix, cdn }: Profile): number {
  return mix[kind] * (kind.startsWith('metadata') ? 1 - cdn : 1);
}

/**
 * Key checks for each accepted request. A balancer distributes the requests of a session over all gateways, and each
 * checks the key once while its cache has it.
 */
export function checksPerRequest({ session }: Pick<Profile, 'session'>, gateways: number): number {
  const windows = Math.max(1, session.seconds / cacheSeconds);
  const requests = session.requests / windows;
  const visited = gateways * (1 - (1 - 1 / gateways) ** requests);
  // With less than one request in the time of a cache entry, each is checked.
  return Math.min(1, visited / requests);
}

/** A figure that grows in a straight line with the papers of a bank. */
export interface Line {
  /** The figure for a number of papers. */
  at(papers: number): number;
  /** The number of papers at which it reaches a limit. */
  until(limit: number): number;
}

/** The line through two measurements. */
export function lineThrough(
  [papers, figure]: readonly [number, number],
  [morePapers, moreFigure]: readonly [number, number],
): Line {
  const slope = (moreFigure - figure) / (morePapers - papers);
  return {
    at: (count) => Math.max(0, figure + slope * (count - papers)),
    until: (limit) => papers + (limit - figure) / slope,
  };
}
