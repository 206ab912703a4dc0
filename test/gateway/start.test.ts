import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { StorageError } from '../../gateway/accounts/store/store.ts';
import { readConfig } from '../../gateway/config.ts';
import { startGateway } from '../../gateway/start.ts';
import { temporaryFolder } from '../build/bank-folder.ts';
import { switchTo, writeRelease } from './release/write-release.ts';

it('A gateway that cannot start no longer follows releases', async (t) => {
  const set = t.mock.method(globalThis, 'setInterval');
  const clear = t.mock.method(globalThis, 'clearInterval');
  const distDir = join(await temporaryFolder(), 'dist');
  await writeRelease(distDir, 'made', [], {});
  await switchTo(distDir, 'made');
  const env = { PORT: '0', DIST_DIR: distDir, DATABASE_URL: 'file:/dev/null/database' };
  const config = readConfig(env, () => assert.fail());
  await assert.rejects(
    startGateway(config, () => {}),
    StorageError,
  );
  const started = set.mock.calls.map(({ result }) => result);
  assert.ok(started.length > 0);
  const cleared = clear.mock.calls.map(({ arguments: [timer] }) => timer);
  assert.ok(started.every((timer) => cleared.includes(timer)));
});
