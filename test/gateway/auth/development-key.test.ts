import assert from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { defaultPlans } from '../../../build/release/plans.ts';
import { createKey, listKeys, revokeKey } from '../../../gateway/auth/keys.ts';
import { developmentKey } from '../../../gateway/auth/open.ts';
import { engines } from './engines.ts';
import { openStore, operatorKey } from './open-store.ts';

for (const engine of engines) {
  describe(`The development key, with ${engine.name}`, { skip: engine.skip }, async () => {
    if (engine.skip) return;
    const dataDir = await mkdtemp(join(tmpdir(), 'pastpaper-'));
    const { database, clock, verify, close } = await openStore(engine);
    after(async () => {
      await close();
      await rm(dataDir, { recursive: true });
    });
    const settings = { dataDir, apiKeyPrefix: 'pfx_', plans: defaultPlans };

    it('is created and stored when there is no key at all', async () => {
      const key = await developmentKey(database, verify, clock, settings);
      assert.equal((await verify(key ?? '')).state, 'valid');
      assert.equal(await developmentKey(database, verify, clock, settings), key);
      assert.equal((await listKeys(database, clock)).length, 1);
      assert.equal((await stat(join(dataDir, 'development-key'))).mode & 0o777, 0o600);
      await revokeKey(database, clock, key ?? '');
      assert.equal(await developmentKey(database, verify, clock, settings), undefined);
    });

    it('is not created beside other keys', async () => {
      await createKey(database, clock, operatorKey());
      const elsewhere = { ...settings, dataDir: join(dataDir, 'empty') };
      assert.equal(await developmentKey(database, verify, clock, elsewhere), undefined);
    });
  });
}
