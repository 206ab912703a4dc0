import { openDatabase } from '../../../gateway/accounts/store/store.ts';
import { storedUsage } from '../../../gateway/accounts/usage.ts';
import { type InProcessLimits, inProcessLimits } from '../../../gateway/limits/in-process.ts';
import type { LimitStore, UsageReader } from '../../../gateway/limits/store.ts';
import { engine } from '../accounts/engines.ts';
import { FakeClock } from './fake-clock.ts';
import { FakeTimeRedis } from './fake-time-redis.ts';

/** A limit store, its usage and a clock that the test sets. */
export interface StoreFixture {
  readonly clock: FakeClock;
  /** Opens a store as a process does. */
  open(): Promise<LimitStore>;
  readonly usage: UsageReader;
  /** Advances all clocks. */
  advance(milliseconds: number): Promise<void>;
  /** Writes what the stores have counted, if they write in the background. */
  flush(): Promise<void>;
  remove(): Promise<void>;
}

/** Each test of stores runs on both kinds. */
const inProcess = {
  name: `in the process, with ${engine.name}`,
  async createFixture(): Promise<StoreFixture> {
    const testDatabase = await engine.createDatabase();
    const database = await openDatabase(testDatabase.location);
    const usage = storedUsage(database);
    const clock = new FakeClock();
    const opened: InProcessLimits[] = [];
    return {
      clock,
      usage,
      async open() {
        // As the one before did when it was stopped.
        for (const limits of opened) await limits.flush();
        const limits = inProcessLimits(usage, clock, () => {});
        opened.push(limits);
        return limits;
      },
      async flush() {
        for (const limits of opened) await limits.flush();
      },
      advance: async (milliseconds) => clock.advance(milliseconds),
      async remove() {
        for (const limits of opened) await limits.close();
        await database.destroy();
        await testDatabase.remove();
      },
    };
  },
};

const shared = {
  name: 'in Redis',
  async createFixture(): Promise<StoreFixture> {
    const redis = await FakeTimeRedis.start();
    const { usage } = await redis.open();
    return {
      clock: redis.clock,
      usage,
      open: async () => (await redis.open()).limits,
      advance: (milliseconds) => redis.advance(milliseconds),
      flush: async () => {},
      remove: () => redis.remove(),
    };
  },
};

/** The store of a run of tests: in Redis with `npm run test:long -- redis`. */
export const storeKind = process.env['TEST_STORE'] === 'redis' ? shared : inProcess;
