/** Runs Stryker, with its options as arguments: `npm run test:long -- mutation --mutate gateway/limits/decision.ts`. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../gateway/started-process.ts';

const folder = join(repository, 'test/mutation');
const stryker = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js');
if (!existsSync(stryker)) {
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts'], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`npm ci in ${folder} ended with ${status}`);
}

// A test that detects its mutant is killed without cleaning up.
const temporary = await mkdtemp(join(tmpdir(), 'pastpaper-mutation-'));
const { CI: _, ...environment } = process.env;
const run = spawn(
  process.execPath,
  [stryker, 'run', join(folder, 'stryker.config.js'), ...process.argv.slice(2)],
  {
    cwd: repository,
    stdio: 'inherit',
    env: {
      ...environment,
      TMPDIR: temporary,
      // Nothing listens on this port: the mutated code is the same on both databases, and SQLite is faster.
      TEST_DATABASE_URL: 'postgres://127.0.0.1:9/none',
      TEST_STORE: 'every',
    },
  },
);
const [status] = await once(run, 'close');
await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
process.exitCode = status ?? 1;
