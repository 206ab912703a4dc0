import { randomUUID } from 'node:crypto';
import type { Plan } from '../../build/release/plans.ts';
import type { Clock } from '../clock.ts';
import { type Log, outageLog } from '../log/logger.ts';
import {
  calendarOf,
  type Decision,
  decide,
  microsecondsOf,
  type Outcome,
  outcomeOf,
  type Usage,
  usageOf,
} from './decision.ts';
import type { UsageBatch, UsageEntry, UsageLedger, UsageTotal } from './store.ts';

/** An entry that is not written yet. */
type Count = Pick<UsageEntry, 'account' | 'day' | 'key'> & Record<Outcome, number>;

/** Microseconds without a request after which an account is removed from memory: the ledger has its count. */
const idleTime = 1_000_000;

export type InProcessLimits = ReturnType<typeof inProcessLimits>;

/** Limits decided in this process. The ledger is read on an account's first request, and written in the background. */
export function inProcessLimits(ledger: UsageLedger, clock: Clock, log: Log) {
  const accounts = new Map<string, Usage>();
  const loading = new Map<string, Promise<void>>();
  /** By account: one entry for each key and day, in practice a few. */
  let unwritten = new Map<string, Count[]>();
  /** Being written, or to be retried. */
  let batch: UsageBatch | undefined;
  /** Writes as long as an account is in memory. */
  const writer = backgroundWriter(write, () => accounts.size > 0);
  const outage = outageLog(log);

  /** Whether there are counts that the ledger does not have yet. */
  const hasUnwritten = () => batch !== undefined || unwritten.size > 0;

  /** Synchronous, so that no other request is decided between reading and updating the usage. */
  function decideNow(
    account: string,
    usage: Usage,
    plan: Plan,
    key: string,
    now: number,
  ): Decision {
    const decision = decide(usage, plan, { now, microseconds: microsecondsOf(clock) });
    count(account, key, calendarOf(now).day, outcomeOf(decision));
    return decision;
  }

  async function loadAndTake(account: string, plan: Plan, key: string): Promise<Decision> {
    for (;;) {
      const now = clock.now();
      const { month } = calendarOf(now);
      const usage = accounts.get(account);
      if (usage?.month === month) return decideNow(account, usage, plan, key, now);
      await load(account, month);
    }
  }

  function load(account: string, month: string): Promise<void> {
    const key = `${month} ${account}`;
    const reading = loading.get(key) ?? read(account, month).finally(() => loading.delete(key));
    loading.set(key, reading);
    return reading;
  }

  async function read(account: string, month: string): Promise<void> {
    await writer.settled();
    const stored = await ledger.read(account, month).catch((error: unknown) => {
      // The next successful write returns the right total.
      log('Usage could not be read. Until it can be read, counts start at zero.', error);
      return 0;
    });
    const used = stored + unwrittenIn(account, month);
    const usage = accounts.get(account);
    if (usage) Object.assign(usage, { month, used });
    else accounts.set(account, usageOf(month, used));
  }

  function count(account: string, key: string, day: string, outcome: Outcome): void {
    const counts = unwritten.get(account) ?? [];
    let today = counts.find((each) => each.key === key && each.day === day);
    if (!today) {
      today = { account, key, day, used: 0, rejectedByRate: 0, rejectedByQuota: 0 };
      unwritten.set(account, [...counts, today]);
    }
    today[outcome] += 1;
    writer.schedule();
  }

  function unwrittenIn(account: string, month: string): number {
    const inBatch = batch?.entries.filter((entry) => entry.account === account) ?? [];
    const entries = [...inBatch, ...(unwritten.get(account) ?? [])];
    return entries.reduce((sum, { day, used }) => sum + (day.startsWith(month) ? used : 0), 0);
  }

  async function write(): Promise<void> {
    batch ??= nextBatch();
    if (batch) {
      const totals = await add(batch);
      batch = undefined;
      for (const total of totals) update(total);
    }
    removeIdle();
  }

  async function add(entries: UsageBatch): Promise<readonly UsageTotal[]> {
    try {
      const totals = await ledger.add(entries);
      outage.end('Usage can be written again.');
      return totals;
    } catch (error) {
      outage.begin('Usage could not be written. The gateway retries until it can.', error);
      throw error;
    }
  }

  function nextBatch(): UsageBatch | undefined {
    if (unwritten.size === 0) return undefined;
    const entries = [...unwritten.values()].flat();
    unwritten = new Map();
    return { id: randomUUID(), at: clock.now(), entries };
  }

  /** Sets the total to the ledger's, plus what has been counted since. */
  function update({ account, month, used }: UsageTotal): void {
    const usage = accounts.get(account);
    if (usage?.month === month) usage.used = used + unwrittenIn(account, month);
  }

  function removeIdle(): void {
    const microseconds = microsecondsOf(clock);
    for (const [account, { recent }] of accounts) {
      const last = recent.at(recent.length - 1) ?? Number.NEGATIVE_INFINITY;
      if (microseconds - last >= idleTime && !unwritten.has(account)) accounts.delete(account);
    }
  }

  return {
    take(account: string, plan: Plan, key = ''): Decision | Promise<Decision> {
      const usage = accounts.get(account);
      const now = clock.now();
      const { month } = calendarOf(now);
      return usage?.month === month
        ? decideNow(account, usage, plan, key, now)
        : loadAndTake(account, plan, key);
    },

    hasUnwritten,

    /** Writes the counts. @throws what the ledger throws; the counts are written again later */
    flush: writer.flush,

    async close(): Promise<void> {
      await writer.close();
      while (hasUnwritten()) await writer.flush();
    },
  };
}

/** Milliseconds between two writes of counts: a killed process loses that much at most. */
const writeInterval = 500;

/**
 * Writes in the background what requests have counted, in batches, one after the other. No request waits for the disk.
 *
 * @param write writes a batch; if it fails, what is still pending is written again after the interval
 * @param isPending whether to write again after the interval
 */
export function backgroundWriter(write: () => Promise<void>, isPending: () => boolean) {
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let isClosed = false;

  function schedule(): void {
    timer ??= setTimeout(async () => {
      timer = undefined;
      await flush().catch(() => {});
      if (isPending() && !isClosed) schedule();
      // `close` writes the rest, so that the timer need not keep the process running.
    }, writeInterval).unref();
  }

  /** Writes a batch, after the one under way. @throws what `write` throws */
  function flush(): Promise<void> {
    const written = writing.then(write);
    writing = written.catch(() => {});
    return written;
  }

  return {
    schedule,
    flush,
    settled: () => writing,
    /** Ends the writes after the interval, and waits for the one under way. The caller flushes the rest. */
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await writing;
    },
  };
}
