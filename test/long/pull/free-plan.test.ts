import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { calendarOf } from '../../../gateway/clock.ts';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { addUsage } from '../../gateway/auth/add-usage.ts';
import { startPastpaper } from '../../gateway/started-process.ts';
import { startFaultProxy } from '../../pull/fault-proxy.ts';
import { below, countsOf, mirrorFiles, serve } from '../../pull/served-bank.ts';
import { waitUntil } from '../../wait-until.ts';
import { inOneMonth } from '../one-month.ts';

const service = await serve(undefined, undefined, undefined, 'in-real-time');
const proxy = await startFaultProxy(service.url);
after(() => proxy.close());
const whole = below('neet/2023', service.files);

// Each test has its own account and spends most of its time waiting.
describe('On the free plan, 2 requests in any second and 1,000 a month', { concurrency: true }, () => {
  it('a pull gets no 429, nor does another one right after it', async () => {
    const { key } = await service.running.createKey('free', { plan: 'free' });
    for (let round = 0; round < 2; round += 1) {
      const folder = await temporaryFolder();
      const { status, stdout, stderr } = await pull(folder, key);
      assert.equal(status, 0, stderr);
      assert.match(stdout, /has all of neet\/2023: .* every checksum verified\./);
      assert.deepEqual(await mirrorFiles(folder), whole);
    }
    assert.deepEqual(statusesFor(key), Array(2 * whole.size).fill(200));
  });

  it('a pull that is killed and restarted gets no 429', async () => {
    const { key } = await service.running.createKey('free-killed', { plan: 'free' });
    const folder = await temporaryFolder();
    for (let asked = 2; asked <= whole.size; asked += 2) {
      const started = startPull(folder, key);
      await waitUntil(() => statusesFor(key).length >= asked, 5);
      await started.stop('SIGKILL');
    }
    assert.equal((await pull(folder, key)).status, 0);
    assert.deepEqual(await mirrorFiles(folder), whole);
    assert.deepEqual(new Set(statusesFor(key)), new Set([200]));
  });

  it('two pulls of one account at the same time are complete in the end', async () => {
    const { key } = await service.running.createKey('free-twice', { plan: 'free' });
    const folders = [await temporaryFolder(), await temporaryFolder()];
    const ends = await Promise.all(folders.map((folder) => pull(folder, key)));
    assert.deepEqual(
      ends.map(({ status }) => status),
      [0, 0],
    );
    for (const folder of folders) assert.deepEqual(await mirrorFiles(folder), whole);
  });

  it(
    'a pull that uses up the quota says when to retry, keeps its files, and exits with 1',
    inOneMonth(async () => {
      const name = randomUUID();
      // All papers and translations, and one diagram.
      const { papers } = countsOf(whole);
      const left = papers + 1;
      const { key } = await service.running.createKey(name, { plan: 'free' });
      const { id: account } = await service.running.database
        .selectFrom('accounts')
        .select('id')
        .where('name', '=', name)
        .executeTakeFirstOrThrow();
      await addUsage(service.running.database, [{ account, day: calendarOf(Date.now()).day, used: 1000 - left }]);
      const folder = await temporaryFolder();
      const { status, stdout, stderr } = await pull(folder, key);
      const reset = new Date(calendarOf(Date.now()).monthEnd).toISOString().slice(0, 10);
      assert.equal(status, 1);
      assert.equal(stdout, '');
      assert.ok(stderr.includes(`The quota of 1,000 requests is used up. It resets at ${reset} 00:00 UTC`), stderr);
      assert.match(stderr, /does not have all of neet\/2023 yet\. In \d+ s downloaded /);
      assert.ok(stderr.includes(` downloaded ${papers} papers and 1 diagram`), stderr);
      assert.deepEqual(statusesFor(key), Array(left).fill(200));
      assert.equal((await mirrorFiles(folder)).size, left);
      // With a new quota it continues where it stopped.
      const { key: other } = await service.running.createKey(randomUUID(), { plan: 'free' });
      assert.equal((await pull(folder, other)).status, 0);
      assert.deepEqual(statusesFor(other), Array(whole.size - left).fill(200));
      assert.deepEqual(await mirrorFiles(folder), whole);
    }),
  );
});

function startPull(folder: string, key: string) {
  return startPastpaper('pull', { API_KEY: key }, [proxy.url, 'neet/2023', '--out', folder]);
}

const pull = (folder: string, key: string) => startPull(folder, key).ended;

/** The statuses of the requests with this key. */
function statusesFor(key: string): readonly (number | undefined)[] {
  return proxy.requests.filter(({ headers }) => headers.authorization === `Bearer ${key}`).map(({ status }) => status);
}
