import { defaultPlans } from '../../../build/release/plans.ts';
import type { NewOperatorKey } from '../../../gateway/accounts/keys.ts';
import { openDatabase } from '../../../gateway/accounts/store/store.ts';
import { lastUsedWriter, verifyStoredKeys } from '../../../gateway/accounts/verify-keys.ts';
import { FakeSystem, fixDate } from '../fake-system.ts';
import type { Engine } from './engines.ts';

const gold = { perSecond: 100, perMonth: 100_000 };
const plans = { ...defaultPlans, gold };

/** A clock that only changes when the test sets it. */
export class FakeClock extends FakeSystem {
  time = Date.UTC(2026, 10, 21);
  override now = () => this.time;
  override elapsed = () => this.time;
}

/** Opens a database on an engine, with the gateway's functions for it. */
export async function openStore(engine: Engine) {
  // A date that changed during a migration would put its steps into another order.
  fixDate();
  const testDatabase = await engine.createMigrated();
  const database = await openDatabase(testDatabase.location);
  const clock = new FakeClock();
  const logged: string[] = [];
  const log = (message: string) => void logged.push(message);
  const lastUsed = lastUsedWriter(database, log);
  return {
    testDatabase,
    database,
    clock,
    lastUsed,
    verify: verifyStoredKeys(database, 'pfx_', plans, lastUsed, clock, log),
    logged,
    async close(): Promise<void> {
      await lastUsed.close();
      await database.destroy();
      await testDatabase.remove();
    },
  };
}

/** The operator's request for a key, with changes. */
export function operatorKey(changes: Partial<NewOperatorKey> = {}): NewOperatorKey {
  const none = { plan: undefined, lifetime: undefined };
  return {
    account: 'school',
    ...none,
    fallbackPlan: 'free',
    prefix: 'pfx_',
    maxKeys: 1000,
    ...changes,
  };
}
