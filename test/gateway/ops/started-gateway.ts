import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createKey } from '../../../gateway/accounts/keys.ts';
import { openDatabase } from '../../../gateway/accounts/store/store.ts';
import { realSystem } from '../../../gateway/clock.ts';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { sampleRelease } from '../sample-release.ts';
import { type StartedProcess, startPastpaper } from '../started-process.ts';

/** A process with health and metrics on a port that the system chooses. */
export interface Started extends StartedProcess {
  readonly baseUrl: string;
  readonly adminUrl: string;
}

/** The specification's plan, one with its monthly quota alone, and one whose limits no test reaches. */
const plans = {
  free: { perSecond: 2, perMonth: 1000 },
  burst: { perSecond: 100_000, perMonth: 1000 },
  roomy: { perSecond: 100_000, perMonth: 1_000_000 },
};

/** Creates a release of the sample bank, data folders and keys for processes. */
export async function createFixture() {
  const folder = await temporaryFolder();
  const distDir = join(folder, 'dist');
  const plansFile = join(folder, 'plans.json');
  await writeFile(plansFile, JSON.stringify(plans));
  await cp(await sampleRelease(), distDir, { recursive: true, verbatimSymlinks: true });
  let count = 0;
  return {
    folder,
    distDir,
    /** Settings of a process with its own data folder. */
    async settings(
      changes: Readonly<Record<string, string>> = {},
    ): Promise<Readonly<Record<string, string>>> {
      count += 1;
      const own = { DIST_DIR: distDir, DATA_DIR: join(folder, `data-${count}`), PLANS: plansFile };
      return { PORT: '0', ADMIN_PORT: '0', NODE_ENV: 'production', ...own, ...changes };
    },
    async newKey(env: Readonly<Record<string, string>>, plan: keyof typeof plans) {
      const file = join(env['DATA_DIR'] ?? '', 'pastpaper.db');
      const database = await openDatabase({ kind: 'sqlite', file });
      const named = { account: plan, plan, fallbackPlan: plan, lifetime: undefined };
      const { key } = await createKey(database, realSystem, {
        ...named,
        ...{ prefix: 'pfx_', maxKeys: 20 },
      });
      await database.destroy();
      return key;
    },
  };
}

/** Starts the gateway and waits until it listens. */
export function startGateway(env: Readonly<Record<string, string>>): Promise<Started> {
  return start('gateway', env, /at (http:\/\/\S+)\/\n[\s\S]*\n {2}curl -H .*\n\n(.+\n)+$/);
}

/** Starts the authentication service and waits until it listens. */
export function startService(env: Readonly<Record<string, string>>): Promise<Started> {
  return start('auth', env, /listens at (http:\/\/\S+)\/\n[\s\S]*for users .*\n/);
}

async function start(
  module: string,
  env: Readonly<Record<string, string>>,
  welcome: RegExp,
): Promise<Started> {
  const started = startPastpaper(module, env);
  const [, baseUrl = ''] = await started.waitForOutput(welcome);
  const [, , adminUrl = ''] = await started.waitForOutput(
    /^(Health and metrics are at (\S+)\/metrics)?/,
  );
  return { ...started, baseUrl, adminUrl };
}
