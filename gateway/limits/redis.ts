/** Limits and usage that gateways share in Redis. While it is away, each gateway limits in memory. */
import { readFileSync } from 'node:fs';
import {
  type CommandParser,
  createClient,
  createCluster,
  createSentinel,
  defineScript,
} from '@redis/client';
import { LRUCache } from 'lru-cache';
import type { Plan } from '../../build/release/plans.ts';
import { inTime } from '../../build/release/waits.ts';
import type { Clock } from '../clock.ts';
import type { RedisLocation } from '../config-values.ts';
import { type Log, outageLog, reasonOf } from '../log/logger.ts';
import {
  calendarOf,
  type Decision,
  decide,
  decisionOf,
  microsecondsOf,
  type Outcome,
  quotaState,
  rateState,
  type Usage,
  usageOf,
} from './decision.ts';
import { type LimitStore, pageOf, pageSize, RedisUnavailable, type UsageReader } from './store.ts';

/** Milliseconds that Redis has to reply, and to open a connection. */
export const defaultTimeout = 500;
const openTimeout = 2000;

/** Milliseconds between attempts to connect. */
const retryInterval = 500;

/** Commands that may wait for their replies. */
const maxPending = 20_000;

/** Accounts whose usage and months whose totals are kept. */
const maxAccounts = 50_000;

/** Seconds until a month expires: more than a year, for the history. */
const monthAge = 400 * 86_400;

/** What take.lua returns. */
type Reply = readonly [accepted: number, used: number, taken: number, leavesIn: number];

/** The script that decides on a request. */
export const takeScript = readFileSync(new URL('take.lua', import.meta.url), 'utf8');

/** The keys of an account: the braces keep all of them in one slot of a cluster. */
const recentName = (account: string) => `pastpaper:{${account}}:recent`;
const monthName = (account: string, month: string) => `pastpaper:{${account}}:${month}`;
const probeName = (account: string) => `pastpaper:{${account}}:probe`;

/** What is used of a client; server, cluster and Sentinel have it alike. */
interface Client {
  connect(): Promise<unknown>;
  destroy(): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  take(keys: readonly string[], args: readonly (string | number)[]): Promise<Reply>;
  set(key: string, value: string, options: { PX: number }): Promise<unknown>;
  hGet(key: string, field: string): Promise<string | null>;
  hGetAll(key: string): Promise<Readonly<Record<string, string>>>;
}

/** Creates a client that does not reconnect, queues nothing while it is not connected, and repeats nothing. */
function createFor({ kind, urls, name, database }: RedisLocation, script: string): Client {
  const take = defineScript({
    SCRIPT: script,
    NUMBER_OF_KEYS: 2,
    parseCommand(parser: CommandParser, keys: readonly string[], args: readonly unknown[]) {
      parser.pushKeys([...keys]);
      parser.push(...args.map(String));
    },
    transformReply: (reply: Reply) => reply,
  });
  const shared = { RESP: 2, scripts: { take } } as const;
  const [url = ''] = urls;
  const { protocol, username, password } = new URL(url);
  const node = {
    disableOfflineQueue: true,
    disableClientInfo: true,
    commandsQueueMaxLength: maxPending,
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    socket: { connectTimeout: openTimeout, reconnectStrategy: false, tls: protocol === 'rediss:' },
  } as const;
  switch (kind) {
    case 'server':
      return createClient({ ...node, ...shared, url } as object) as unknown as Client;
    case 'cluster':
      return createCluster({
        ...shared,
        rootNodes: urls.map((each) => ({ url: each })),
        defaults: node,
        minimizeConnections: true,
      }) as unknown as Client;
    case 'sentinel':
      return createSentinel({
        ...shared,
        name,
        sentinelRootNodes: urls.map((each) => {
          const { hostname, port } = new URL(each);
          return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
        }),
        nodeClientOptions: { ...node, database },
        sentinelClientOptions: node,
        scanInterval: 1000,
      } as never) as unknown as Client;
  }
}

export interface RedisOptions {
  readonly location: RedisLocation;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds that Redis has to reply. */
  readonly timeout?: number;
  readonly script?: string;
}

/** Limits that gateways share, and who decides, for metrics. */
export interface SharedLimits extends LimitStore {
  /** Whether Redis decides, and not this gateway alone. */
  readonly isShared: boolean;
  /** Requests that this gateway has decided on alone since it started. */
  readonly decidedAlone: number;
}

export type OpenedRedis = Awaited<ReturnType<typeof openRedis>>;

/**
 * Opens limits and usage in Redis. If it is away, they begin as in an outage: the gateway limits in memory, from the
 * totals that it last saw, and tries to connect again every half second. What it counts meanwhile is not added to Redis.
 */
export async function openRedis(options: RedisOptions) {
  const { location, clock, log, timeout = defaultTimeout, script = takeScript } = options;
  /** Undefined while Redis is away. */
  let client: Client | undefined;
  let isClosed = false;
  let decidedAlone = 0;
  let retry: NodeJS.Timeout | undefined;
  const outage = outageLog(log);
  /** The totals of months that Redis last returned. */
  const totals = new LRUCache<string, number>({ max: maxAccounts });
  const own = new LRUCache<string, Usage>({ max: maxAccounts });

  const within = <Result>(work: Promise<Result>, time = timeout) =>
    inTime(work, time, () => new RedisUnavailable(`no reply within ${time} ms`));

  async function connect(account: string): Promise<void> {
    const opened = createFor(location, script);
    let reason: Error | undefined;
    opened.on('error', (error) => {
      reason = error;
      if (opened === client) lose(error, account);
    });
    try {
      await within(opened.connect(), openTimeout);
      // Proves that the primary of the account accepts writes.
      await within(opened.set(probeName(account), '', { PX: 1000 }));
      if (isClosed) throw new RedisUnavailable('closed');
      client = opened;
      own.clear();
      outage.end(
        `Redis is available again. Since its start, this process has decided on ${decidedAlone} requests by itself.`,
      );
    } catch (error) {
      close(opened);
      const { message } = error as Error;
      lose(/^no reply/.test(message) ? (reason ?? error) : error, account);
    }
  }

  function lose(error: unknown, account: string): void {
    if (client) close(client);
    client = undefined;
    if (isClosed) return;
    outage.begin(
      `Redis is unavailable (${reasonOf(error)}). Until it is available again, limits are ` +
        'kept by this process alone, and usage cannot be shown.',
    );
    clearTimeout(retry);
    retry = setTimeout(() => void connect(account), retryInterval).unref();
  }

  /** Runs a command. @throws RedisUnavailable */
  async function ask<Result>(account: string, run: (client: Client) => Promise<Result>) {
    const asked = client;
    if (!asked) throw new RedisUnavailable('Redis is unavailable');
    try {
      return await within(run(asked));
    } catch (error) {
      const { message } = error as Error;
      if (asked === client && !isMoving(message)) lose(error, account);
      throw new RedisUnavailable(message);
    }
  }

  async function takeShared(account: string, plan: Plan, key: string): Promise<Decision> {
    const now = clock.now();
    const { day, month } = calendarOf(now);
    const name = monthName(account, month);
    const { perSecond, perMonth } = plan;
    const keys = [recentName(account), name];
    const args = [perSecond, perMonth, day, totals.get(name) ?? 0, monthAge, key];
    const [accepted, used, taken, leavesIn] = await ask(account, (redis) => redis.take(keys, args));
    totals.set(name, used);
    const rate = rateState(plan, taken, leavesIn);
    return decisionOf(accepted === 1, rate, quotaState(plan, used, now));
  }

  function takeAlone(account: string, plan: Plan): Decision {
    decidedAlone += 1;
    const now = clock.now();
    const { month } = calendarOf(now);
    const seen = totals.get(monthName(account, month)) ?? 0;
    const known = own.get(account);
    const usage = known?.month === month ? known : usageOf(month, seen);
    own.set(account, usage);
    return decide(usage, plan, { now, microseconds: microsecondsOf(clock) });
  }

  const limits: SharedLimits = {
    get isShared() {
      return client !== undefined;
    },
    get decidedAlone() {
      return decidedAlone;
    },
    take(account, plan, key = '') {
      if (!client) return takeAlone(account, plan);
      return takeShared(account, plan, key).catch((error: unknown) => {
        if (error instanceof RedisUnavailable) return takeAlone(account, plan);
        throw error;
      });
    },
  };

  const usage: UsageReader = {
    read: async (account, month) =>
      Number((await ask(account, (redis) => redis.hGet(monthName(account, month), 'used'))) ?? 0),
    async readMonth(account, month, page = 1) {
      const fields = await ask(account, (redis) => redis.hGetAll(monthName(account, month)));
      const days = new Map<string, Sum<{ day: string }>>();
      const keys = new Map<string, Sum<{ key: string }>>();
      for (const [field, count] of Object.entries(fields)) {
        const [, day, outcome, key = ''] = /^(\d{4}-\d\d-\d\d) (\w+) (.*)$/s.exec(field) ?? [];
        if (day === undefined) continue;
        for (const sum of [sumOf(days, day, { day }), sumOf(keys, key, { key })])
          sum[outcome as Outcome] += Number(count);
      }
      const sorted = [...keys.values()].sort(
        (one, other) => other.used - one.used || (one.key < other.key ? -1 : 1),
      );
      const { rows, hasMore } = pageOf(sorted.slice((page - 1) * pageSize, page * pageSize + 1));
      const inOrder = [...days.values()].sort((one, other) => (one.day < other.day ? -1 : 1));
      return { days: inOrder, keys: rows, hasMore };
    },
  };

  await connect('any');
  return {
    limits,
    usage,
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(retry);
      if (client) close(client);
      client = undefined;
    },
  };
}

/** Ends a client's connections, also if it is still connecting. */
function close(client: Client): void {
  try {
    void Promise.resolve(client.destroy()).catch(() => {});
  } catch {
    // It was not open.
  }
}

/** Whether a slot is being moved to another node: only this request is affected, and the next one follows it. */
const isMoving = (message: string) =>
  /^(TRYAGAIN|ASK) |non local key in a cluster|^Cannot find node/.test(message);

type Sum<Of> = Of & Record<Outcome, number>;

/** The sums under a name, which begin at zero. */
function sumOf<Of>(sums: Map<string, Sum<Of>>, name: string, of: Of): Sum<Of> {
  const sum = sums.get(name) ?? { ...of, used: 0, rejectedByRate: 0, rejectedByQuota: 0 };
  sums.set(name, sum);
  return sum;
}
