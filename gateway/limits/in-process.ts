import { randomUUID } from 'node:crypto';
import type { Plan } from '../../build/release/plans.ts';
import { BackgroundWriter, type Clock, calendarOf } from '../clock.ts';
import { type Log, type OutageLog, outageLog } from '../log/logger.ts';
import { type Decision, decide, microsecondsOf, type Outcome, outcomeOf, type Usage, usageOf } from './decision.ts';
import type { LimitStore, UsageBatch, UsageEntry, UsageLedger, UsageTotal } from './store.ts';

/** An entry that is not written yet. */
type Count = Pick<UsageEntry, 'account' | 'day' | 'key'> & Record<Outcome, number>;

/**
 * Requests of an account that are accepted before they are written: other processes do not know of them, and may accept
 * as many beyond the quota, each. Then the next request waits for a write.
 */
function maxUnwritten({ perMonth }: Plan): number {
  return Math.max(10, perMonth / 100);
}

/** Microseconds without a request after which an account is removed from memory: the ledger has its count. */
const idleTime = 1_000_000;

/** The usage of an account, and how much of it is in the ledger as far as this process knows. */
interface LedgerUsage extends Usage {
  written: number;
}

/** Limits decided in this process. The ledger is read on an account's first request, and written in the background. */
export class InProcessLimits implements LimitStore {
  readonly #ledger: UsageLedger;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #usage = new Map<string, LedgerUsage>();
  readonly #loading = new Map<string, Promise<void>>();
  /** By account: one entry for each key and day, in practice a few. */
  #unwritten = new Map<string, Count[]>();
  /** Being written, or to be retried. */
  #batch: UsageBatch | undefined;
  /** Writes as long as an account is in memory. */
  readonly #writer = new BackgroundWriter(
    () => this.#write(),
    () => this.#usage.size > 0,
  );
  /** The write that requests wait for. */
  #awaited: Promise<void> | undefined;
  readonly #outage: OutageLog;

  constructor(ledger: UsageLedger, clock: Clock, log: Log) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#log = log;
    this.#outage = outageLog(log);
  }

  take(account: string, plan: Plan, key = ''): Decision | Promise<Decision> {
    const usage = this.#usage.get(account);
    const { month } = calendarOf(this.#clock.now());
    return usage?.month === month && this.#mayDecide(usage, plan)
      ? this.#decide(account, usage, plan, key)
      : this.#waitAndTake(account, plan, key);
  }

  /** Whether there are counts that the ledger does not have yet. */
  get hasUnwritten(): boolean {
    return this.#batch !== undefined || this.#unwritten.size > 0;
  }

  /** Writes the counts. @throws what the ledger throws; the counts are written again later */
  flush(): Promise<void> {
    return this.#writer.flush();
  }

  async close(): Promise<void> {
    await this.#writer.close();
    while (this.hasUnwritten) await this.flush();
  }

  /** During an outage of the ledger, nothing waits for it. */
  #mayDecide({ used, written }: LedgerUsage, plan: Plan): boolean {
    return used - written < maxUnwritten(plan) || this.#outage.isOngoing;
  }

  /** Synchronous, so that no other request is decided between reading and updating the usage. */
  #decide(account: string, usage: Usage, plan: Plan, key: string): Decision {
    const now = this.#clock.now();
    const decision = decide(usage, plan, { now, microseconds: microsecondsOf(this.#clock) });
    this.#count(account, key, calendarOf(now).day, outcomeOf(decision));
    return decision;
  }

  async #waitAndTake(account: string, plan: Plan, key: string): Promise<Decision> {
    for (;;) {
      const { month } = calendarOf(this.#clock.now());
      const usage = this.#usage.get(account);
      if (usage?.month !== month) await this.#load(account, month);
      else if (this.#mayDecide(usage, plan)) return this.#decide(account, usage, plan, key);
      else await this.#awaitWrite();
    }
  }

  /** One write for all requests that wait. */
  #awaitWrite(): Promise<void> {
    this.#awaited ??= this.flush()
      .catch(() => {})
      .finally(() => {
        this.#awaited = undefined;
      });
    return this.#awaited;
  }

  #load(account: string, month: string): Promise<void> {
    const key = `${month} ${account}`;
    const loading = this.#loading.get(key) ?? this.#read(account, month).finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    return loading;
  }

  async #read(account: string, month: string): Promise<void> {
    await this.#writer.settled;
    const written = await this.#ledger.read(account, month).catch((error: unknown) => {
      // The next successful write returns the right total.
      this.#log('Usage could not be read. Until it can be read, counts start at zero.', error);
      return 0;
    });
    const used = written + this.#unwrittenIn(account, month);
    const usage = this.#usage.get(account);
    if (usage) Object.assign(usage, { month, used, written });
    else this.#usage.set(account, { ...usageOf(month, used), written });
  }

  #count(account: string, key: string, day: string, outcome: Outcome): void {
    const counts = this.#unwritten.get(account) ?? [];
    let count = counts.find((each) => each.key === key && each.day === day);
    if (!count) {
      count = { account, key, day, used: 0, rejectedByRate: 0, rejectedByQuota: 0 };
      this.#unwritten.set(account, [...counts, count]);
    }
    count[outcome] += 1;
    this.#writer.schedule();
  }

  #unwrittenIn(account: string, month: string): number {
    const inBatch = this.#batch?.entries.filter((entry) => entry.account === account) ?? [];
    const entries = [...inBatch, ...(this.#unwritten.get(account) ?? [])];
    return entries.reduce((sum, { day, used }) => sum + (day.startsWith(month) ? used : 0), 0);
  }

  async #write(): Promise<void> {
    this.#batch ??= this.#nextBatch();
    if (this.#batch) {
      const totals = await this.#add(this.#batch);
      this.#batch = undefined;
      for (const total of totals) this.#update(total);
    }
    this.#removeIdle();
  }

  async #add(batch: UsageBatch): Promise<readonly UsageTotal[]> {
    try {
      const totals = await this.#ledger.add(batch);
      this.#outage.end('Usage can be written again.');
      return totals;
    } catch (error) {
      this.#outage.begin('Usage could not be written. The gateway retries until it can.', error);
      throw error;
    }
  }

  #nextBatch(): UsageBatch | undefined {
    if (this.#unwritten.size === 0) return undefined;
    const entries = [...this.#unwritten.values()].flat();
    this.#unwritten = new Map();
    return { id: randomUUID(), at: this.#clock.now(), entries };
  }

  /** Sets the total to the ledger's, plus what has been counted since. */
  #update({ account, month, used }: UsageTotal): void {
    const usage = this.#usage.get(account);
    if (usage?.month !== month) return;
    usage.used = used + this.#unwrittenIn(account, month);
    usage.written = used;
  }

  #removeIdle(): void {
    const microseconds = microsecondsOf(this.#clock);
    for (const [account, { recent }] of this.#usage) {
      const last = recent.at(recent.length - 1) ?? Number.NEGATIVE_INFINITY;
      if (microseconds - last >= idleTime && !this.#unwritten.has(account)) this.#usage.delete(account);
    }
  }
}
