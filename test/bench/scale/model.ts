/**
 * The capacity model: what a number of accounts, or of questions, needs. Pure. Processor times are in microseconds,
 * memory and traffic in bytes.
 */
import { sum } from '../figures.ts';

/** The kinds of requests, in the order of the tables. */
export const kinds = [
  'metadata',
  'metadata304',
  'paper',
  'paper304',
  'diagram',
  '401',
  '429',
] as const;
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

/** What all requests cost for each accepted one. */
function costPerRequest(figure: keyof RequestCost, { requests }: Costs, profile: Profile): number {
  return sum(kinds.map((kind) => shareOf(kind, profile) * requests[kind][figure]));
}

/** What a number of accounts needs at the peak. */
export type Capacity = ReturnType<typeof capacityOf>;

export function capacityOf(accounts: number, costs: Costs, profile: Profile) {
  const { keyCheck, requests } = costs;
  const average = (accounts * profile.requestsPerMonth) / secondsPerMonth;
  const peak = average * profile.peak;
  const cost = (figure: keyof RequestCost) => costPerRequest(figure, costs, profile);
  const coresFor = (microseconds: number) => (peak * microseconds) / 1e6;
  const checksWith = (gateways: number) => peak * checksPerRequest(profile, gateways);

  const embeddedUse = coresFor(cost('embedded')) + (checksWith(1) * keyCheck.embedded) / 1e6;
  const isEmbedded = embeddedUse <= target;
  const coresWith = (keyChecks: number) =>
    coresFor(cost('shared')) + (keyChecks * keyCheck.gateway) / 1e6;
  const withAffinity = isEmbedded ? 1 : Math.max(2, Math.ceil(coresWith(checksWith(1)) / target));
  let gateways = withAffinity;
  // More gateways check more keys, because each has a cache of its own.
  while (!isEmbedded && coresWith(checksWith(gateways)) / gateways > target) gateways += 1;
  const keyChecks = checksWith(gateways);
  const signIns = (accounts * profile.signInsPerMonth * profile.peak) / secondsPerMonth;
  const redisMemory = isEmbedded ? 0 : accounts * costs.redisBytes * storedMonths;
  const redisCores = isEmbedded ? 0 : coresFor(cost('redis'));
  const shards = Math.ceil(Math.max(redisCores / target, redisMemory / shardBytes));
  const serviceTime = keyChecks * keyCheck.service + signIns * costs.signIn;
  const { metadata, metadata304 } = profile.mix;
  const metadataCost =
    metadata * requests.metadata.embedded + metadata304 * requests.metadata304.embedded;
  return {
    /** Accepted requests per second. */
    average,
    peak,
    /** Whether one process with everything embedded is enough. */
    isEmbedded,
    /** Processor cores of gateways, each with one process, and the share of time that each is busy. */
    gateways,
    gatewayUse: isEmbedded ? embeddedUse : coresWith(keyChecks) / gateways,
    /** The cores of gateways if the balancer sends all requests of an account to the same one. */
    withAffinity,
    /** The processor cores that the metadata would need without a CDN. */
    coresOfCdn: coresFor(metadataCost) / target,
    shards,
    shardUse: shards > 0 ? redisCores / shards : 0,
    redisMemory,
    keyChecks,
    /** Processor cores of the authentication service and of PostgreSQL. */
    serviceCores: isEmbedded ? 0 : serviceTime / 1e6 / target,
    databaseCores: isEmbedded ? 0 : (keyChecks * keyCheck.database) / 1e6 / target,
    databaseSize: accounts * costs.databaseBytes,
    /** Bits per second, with metadata that no CDN serves. */
    bandwidth: peak * cost('bytes') * 8,
  };
}

/** Gateways behind a balancer in the table of parts: a few, so that each checks a part of the keys. */
const fewGateways = 4;

/** What one of each part carries at half load, the accounts that fill it, and what to do then. */
export function partsOf(costs: Costs, profile: Profile) {
  const { keyCheck, signIn, redisBytes } = costs;
  const requests = (profile.requestsPerMonth * profile.peak) / secondsPerMonth;
  const signIns = (profile.signInsPerMonth * profile.peak) / secondsPerMonth;
  const checks = checksPerRequest(profile, fewGateways);
  const cost = (figure: keyof RequestCost) => costPerRequest(figure, costs, profile);
  const embedded = cost('embedded') + checksPerRequest(profile, 1) * keyCheck.embedded;
  const shared = cost('shared') + checks * keyCheck.gateway;
  const atHalf = (microseconds: number) => (target * 1e6) / microseconds;
  const bandwidth = (target * 1e9) / 8 / cost('bytes');
  const services = 'more services, or send an account to the same gateway';
  const rows: [name: string, carries: number, ofAccount: number, unit: string, then: string][] = [
    ['a process with everything embedded', atHalf(embedded), requests, 'requests/s', 'replicas'],
    ['a gateway process with Redis', atHalf(shared), requests, 'requests/s', 'more gateways'],
    ['Redis, thread', atHalf(cost('redis')), requests, 'requests/s', 'more shards'],
    ['Redis, 32 GiB of memory', shardBytes, redisBytes * storedMonths, 'bytes', 'more shards'],
    [
      'an authentication service, thread',
      atHalf(keyCheck.service),
      checks * requests,
      'key checks/s',
      services,
    ],
    [
      'an authentication service, passwords',
      atHalf(signIn),
      signIns,
      'sign-ins/s',
      'more services',
    ],
    [
      'a core of PostgreSQL',
      atHalf(keyCheck.database),
      checks * requests,
      'key checks/s',
      'more cores',
    ],
    ['a link of 1 Gbit/s', bandwidth, requests, 'requests/s', 'another machine'],
  ];
  return rows.map(([name, carries, ofAccount, unit, then]) => ({
    ...{ name, carries, unit, then },
    accounts: carries / ofAccount,
  }));
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

/** The straight line through two measurements of a figure that grows with the papers of a bank. */
export function lineThrough(
  [papers, figure]: readonly [number, number],
  [morePapers, moreFigure]: readonly [number, number],
) {
  const slope = (moreFigure - figure) / (morePapers - papers);
  return {
    /** The figure for a number of papers. */
    at: (count: number) => Math.max(0, figure + slope * (count - papers)),
    /** The number of papers at which it reaches a limit. */
    until: (limit: number) => papers + (limit - figure) / slope,
  };
}
