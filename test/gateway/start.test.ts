import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { StorageError } from '../../gateway/auth/store/store.ts';
import { readConfig } from '../../gateway/config.ts';
import { openCurrentRelease } from '../../gateway/release/current-release.ts';
import { startGateway } from '../../gateway/start.ts';
import { temporaryFolder } from '../build/bank-folder.ts';
import { switchTo, writeRelease } from './release/write-release.ts';

it('A gateway that cannot start no longer follows releases', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const folder = await temporaryFolder();
  const distDir = join(folder, 'dist');
  for (const name of ['first', 'second']) await writeRelease(distDir, name, [], {});
  await switchTo(distDir, 'first');
  const env = { PORT: '0', DIST_DIR: distDir, DATABASE_URL: 'file:/dev/null/database' };
  const config = readConfig(env, () => assert.fail());
  const logged: string[] = [];
  const start = startGateway(config, (message) => void logged.push(message));
  await assert.rejects(start, StorageError);
  await switchTo(distDir, 'second');
  t.mock.timers.tick(1_000);
  // Takes longer than a check for a new release.
  await (await openCurrentRelease(distDir, assert.fail)).close();
  assert.deepEqual(logged, []);
});
