import assert from 'node:assert/strict';
import { copyFile, link, rename, rm } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { runGateway } from '../running-gateway.ts';
import { newUser, pollUntil, signedIn } from './users/visitor.ts';

describe('While a gateway runs, a SQLite file', async () => {
  const running = await runGateway({}, 'embedded');
  const { database: location } = running.config;
  assert.ok(location.kind === 'sqlite');
  const { file } = location;
  const [original, copy] = [`${file}.original`, `${file}.copy`];
  const ada = await signedIn(running.authUrl, newUser());
  const { key } = await running.createKey('cached');
  await copyFile(file, copy);
  // A second name of the same file: as long as it exists, the file can be put back.
  await link(file, original);
  after(running.close);

  let accepted = 0;
  const statusOf = async (token: string) => {
    const headers = { Authorization: `Bearer ${token}` };
    const { status } = await fetch(`${running.baseUrl}/neet/2024/s1/physics.json`, { headers });
    if (status === 200) accepted += 1;
    return status;
  };
  const usedInAll = async () => {
    const rows = await running.database.selectFrom('usage').select('used').execute();
    return rows.reduce((sum, { used }) => sum + used, 0);
  };
  const messages = () => running.logged.filter((line) => line.includes('Restart this process'));

  const rows: readonly (readonly [string, () => Promise<void>])[] = [
    ['deleted', () => rm(file)],
    ['replaced by a rename', () => copyFile(copy, `${file}.new`).then(() => rename(`${file}.new`, file))],
    ['deleted and restored from a copy', () => rm(file).then(() => copyFile(copy, file))],
  ];
  for (const [name, change] of rows) {
    it(`that is ${name} causes 502 and 503, and one log line that says to restart`, async () => {
      assert.equal(await statusOf(key), 200);
      const { key: uncached } = await running.createKey('uncached');
      running.logged.length = 0;
      await change();
      assert.equal(await statusOf(uncached), 502);
      // A cached key may be accepted for another second.
      await pollUntil(
        () => statusOf(key),
        (status) => status !== 200,
      );
      assert.deepEqual([await statusOf(key), await statusOf(uncached)], [502, 502]);
      const created = await ada.post('keys', { name: 'laptop', expiresIn: null });
      assert.deepEqual([created.status, (await ada.get('account')).status], [503, 503]);
      const lines = messages().filter((line) => line.startsWith('The keys could not be read.'));
      assert.equal(lines.length, 1, running.logged.join('\n'));
      assert.ok(lines[0]?.includes(`The database file ${file} was deleted or replaced.`));
      assert.equal((await fetch(`${running.baseUrl}/neet`)).status, 200);

      await link(original, `${file}.back`);
      await rename(`${file}.back`, file);
      assert.deepEqual([await statusOf(key), (await ada.get('account')).status], [200, 200]);
    });
  }

  it('that is overwritten with a copy has the same effect', async () => {
    assert.equal(await statusOf(key), 200);
    // No count is pending: a write while the file is copied could damage it.
    await pollUntil(usedInAll, (used) => used === accepted);
    running.logged.length = 0;
    await copyFile(copy, file);
    assert.equal(await statusOf(key), 502);
    assert.equal((await ada.get('account')).status, 503);
    assert.equal(messages().length, 1, running.logged.join('\n'));
  });
});
