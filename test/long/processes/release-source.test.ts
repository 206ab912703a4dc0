import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { sampleRelease } from '../../gateway/sample-release.ts';
import { runPastpaper, startPastpaper } from '../../gateway/started-process.ts';
import { startScriptedStore } from '../../store/scripted-store.ts';

const store = await startScriptedStore();
after(() => store.close());
const pushing = { ...store.env, DIST_DIR: await sampleRelease() };
assert.equal((await runPastpaper('releases', pushing, ['push', store.bucket])).status, 0);
const files = [...store.objects.keys()].filter((name) => name.startsWith('files/'));

describe('A gateway that downloads a release', () => {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    it(`leaves nothing partial when it ends with ${signal}`, { timeout: 60_000 }, async () => {
      const folder = await temporaryFolder();
      const dist = join(folder, 'dist');
      const settings = {
        PORT: '0',
        DIST_DIR: dist,
        DATA_DIR: join(folder, 'data'),
        RELEASE_SOURCE: store.url,
      };
      // The last files never arrive.
      store.respond = (_method, name) => files.indexOf(name) > files.length / 2;
      const gateway = startPastpaper('gateway', settings);
      while (!existsSync(join(dist, 'releases'))) await delay(20);
      gateway.process.kill(signal);
      await gateway.ended;
      while (existsSync(dist)) await delay(20);
      store.respond = () => false;
      const next = startPastpaper('gateway', settings);
      await next.waitForOutput(/ serves release /);
      next.process.kill('SIGTERM');
      assert.equal((await next.ended).status, 0);
    });
  }
});
