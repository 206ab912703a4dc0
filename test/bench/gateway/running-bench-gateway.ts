import type { ChildProcess } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createKey } from '../../../gateway/auth/keys.ts';
import { openDatabase } from '../../../gateway/auth/store/store.ts';
import { systemClock } from '../../../gateway/clock.ts';
import type { DatabaseLocation } from '../../../gateway/config-values.ts';
import { freePort } from '../../free-port.ts';
import { repository } from '../../gateway/started-process.ts';
import { startPinned, waitForServer } from './pinned.ts';

/** A gateway process on the core of the server. */
export interface BenchGateway {
  readonly process: ChildProcess;
  readonly origin: string;
  /** Its database. */
  readonly location: DatabaseLocation;
  /** A key whose limits are never reached, and one with a rate of one request per second. */
  readonly roomyKey: string;
  readonly tightKey: string;
}

/** Limits that are never reached. */
export const roomy = { perSecond: 1_000_000, perMonth: 1_000_000_000 };
export const plans = {
  free: { perSecond: 2, perMonth: 1000 },
  roomy,
  tight: { perSecond: 1, perMonth: 1_000_000 },
};

/**
 * Starts a gateway with the release in `dist`.
 *
 * @param folder the folder for its data
 * @param node the command that runs it, with arguments
 * @param without a flag of V8 that it does not set
 */
export async function startBenchGateway(
  folder: string,
  distDir: string,
  settings: Readonly<Record<string, string>> = {},
  node: readonly string[] = [process.execPath],
  without?: string,
): Promise<BenchGateway> {
  const port = await freePort();
  const dataDir = join(folder, 'data');
  const plansFile = join(folder, 'plans.json');
  await writeFile(plansFile, JSON.stringify(plans));
  const location = { kind: 'sqlite', file: join(dataDir, 'pastpaper.db') } as const;
  const keys = await createBenchKeys(location);
  const child = startPinned([...node, ...(await commandOf('gateway', without))], {
    NODE_ENV: 'production',
    WORKERS: '1',
    PORT: String(port),
    DIST_DIR: distDir,
    DATA_DIR: dataDir,
    PLANS: plansFile,
    // Unknown keys are measured too.
    FAILED_KEYS_PER_MINUTE: '0',
    ...settings,
  });
  const origin = `http://127.0.0.1:${port}`;
  await waitForServer(origin);
  return { process: child, origin, location, ...keys };
}

/** Creates a key on the plan `roomy` and one on `tight`. */
export async function createBenchKeys(
  location: DatabaseLocation,
): Promise<{ readonly roomyKey: string; readonly tightKey: string }> {
  const database = await openDatabase(location, 5000);
  const newKey = async (plan: string) => {
    const request = { account: plan, plan, fallbackPlan: plan, lifetime: undefined, prefix: 'pfx_' };
    return (await createKey(database, systemClock, request)).key;
  };
  const [roomyKey, tightKey] = await Promise.all([newKey('roomy'), newKey('tight')]);
  await database.destroy();
  return { roomyKey, tightKey };
}

/**
 * The arguments of Node in `npm run gateway` or `npm run auth`.
 *
 * @param without a flag of V8 that the process does not set
 */
export async function commandOf(script: 'gateway' | 'auth', without?: string): Promise<readonly string[]> {
  const { scripts } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'));
  const [, words = ''] = /^exec node (.*)$/.exec(scripts[script]) ?? [];
  const args = words.split(' ').map((word) => (word.endsWith('.js') ? join(repository, word) : word));
  if (without === undefined) return args;
  const ignore = `import v8 from 'node:v8';
    import { syncBuiltinESMExports } from 'node:module';
    const { setFlagsFromString } = v8;
    v8.setFlagsFromString = (flag) => flag === '${without}' || setFlagsFromString(flag);
    syncBuiltinESMExports();`;
  return [
    '--import',
    `data:text/javascript,${encodeURIComponent(ignore)}`,
    ...args.filter((arg) => arg !== without),
  ];
}
