/** Backups of a gateway under load, and the steps of docs/operations.md that restore them. */
import assert from 'node:assert/strict';
import { copyFile, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'libsql';
import { plansFile } from '../../gateway/server-process.ts';
import { runPastpaper } from '../../gateway/started-process.ts';
import { plans } from '../accounts.ts';
import { inOneMonth } from '../one-month.ts';
import { failed, Load } from '../replicas/load.ts';
import {
  createGatewayFixture,
  type GatewayFixture,
  get,
  paths,
  remainingQuota,
  shortOrLong,
  timeout,
} from './gateway-fixture.ts';

/** Creates keys until `end` is called. */
function createKeys({ accounts }: GatewayFixture) {
  const keys: string[] = [];
  let isOver = false;
  const created = (async () => {
    while (!isOver) {
      keys.push((await accounts.create(`account-${keys.length}`, 'roomy')).key);
      await delay(5);
    }
  })();
  return {
    keys,
    async end() {
      isOver = true;
      await created;
    },
  };
}

async function statusOf(origin: string, key: string): Promise<number> {
  return (await get(origin, paths.paper, key)).status;
}

describe('Backups of a gateway under load', { timeout }, () => {
  it(
    'are consistent, and each one can be restored',
    inOneMonth(async (t) => {
      const fixture = await createGatewayFixture(t);
      const { dataDir: DATA_DIR, folder, accounts } = fixture;
      const { id, key } = await accounts.create('school', 'roomy');
      const counted = () => fixture.counted(id);
      const gateway = await fixture.start();
      const load = new Load(gateway.origin, key, 8);
      const creation = createKeys(fixture);
      const { keys } = creation;
      let copy = '';
      for (let round = 0; round < shortOrLong(2, 40); round += 1) {
        await load.waitForRequests(200);
        const [keysBefore, countBefore] = [keys.length, await counted()];
        copy = join(folder, `backup-${round}.db`);
        const { status, stderr } = await runPastpaper('backup', { DATA_DIR }, [copy]);
        assert.deepEqual([status, stderr], [0, '']);
        const countAfter = await counted();

        const file = new Sqlite(copy);
        assert.deepEqual(file.pragma('integrity_check'), [{ integrity_check: 'ok' }]);
        file.close();
        const restored = join(folder, `data-${round}`);
        await mkdir(restored, { mode: 0o700 });
        await copyFile(copy, join(restored, 'pastpaper.db'));
        const other = await fixture.start({ DATA_DIR: restored });
        const last = keys[keysBefore - 1] ?? key;
        assert.equal(await statusOf(other.origin, last), 200);
        const count =
          plans.roomy.perMonth - remainingQuota(await get(other.origin, paths.paper, key)) - 1;
        assert.ok(
          count >= countBefore && count <= countAfter,
          `${countBefore} <= ${count} <= ${countAfter}`,
        );
        assert.equal(await other.stop(), 0);
      }
      await creation.end();
      const requests = await load.end();
      assert.deepEqual(failed(requests), []);
      t.diagnostic(`${requests.length} requests, ${keys.length} keys`);

      // The steps of docs/operations.md, with the last backup.
      const { key: later } = await accounts.create('later', 'roomy');
      assert.equal(await statusOf(gateway.origin, later), 200);
      assert.equal(await gateway.stop(), 0);
      await mkdir(join(folder, 'before'));
      const names = ['pastpaper.db', 'pastpaper.db-journal'];
      for (const name of names) {
        const moved = rename(join(DATA_DIR, name), join(folder, 'before', name));
        await moved.catch((error: NodeJS.ErrnoException) => assert.equal(error.code, 'ENOENT'));
      }
      await copyFile(copy, join(DATA_DIR, 'pastpaper.db'));
      const restored = await fixture.start();
      assert.equal(await statusOf(restored.origin, key), 200);
      assert.equal(await statusOf(restored.origin, later), 403);
      const { status, stdout } = await runPastpaper('doctor', {
        DATA_DIR,
        DIST_DIR: fixture.distDir,
        PORT: '0',
        PLANS: plansFile,
      });
      assert.equal(status, 0, stdout);
      assert.equal(await restored.stop(), 0);
    }),
  );
});
