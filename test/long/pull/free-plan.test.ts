import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { startFaultProxy } from '../../build/client/fault-proxy.ts';
import { below, mirrorFiles, serve } from '../../build/client/served-bank.ts';
import { startPastpaper } from '../../gateway/started-process.ts';

const service = await serve(undefined, undefined, undefined, 'in-real-time');
const proxy = await startFaultProxy(service.url);
after(() => proxy.close());
const whole = below('neet/2024', service.files);

// Each test has its own account and spends most of its time waiting.
describe('On the free plan, 2 requests in any second and 1,000 a month', {
  concurrency: true,
}, () => {
  it('a pull gets no 429, nor does another one right after it', async () => {
    const { key } = await service.running.createKey('free', { plan: 'free' });
    for (let round = 0; round < 2; round += 1) {
      const folder = await temporaryFolder();
      const { status, stdout, stderr } = await pull(folder, key);
      assert.equal(status, 0, stderr);
      assert.match(stdout, /has all of neet\/2024: .* every checksum verified\./);
      assert.deepEqual(await mirrorFiles(folder), whole);
    }
    assert.deepEqual(statusesFor(key), Array(2 * whole.size).fill(200));
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
});

function startPull(folder: string, key: string) {
  return startPastpaper('pull', { API_KEY: key }, [proxy.url, 'neet/2024', '--out', folder]);
}

const pull = (folder: string, key: string) => startPull(folder, key).ended;

/** The statuses of the requests with this key, without those for packs, which the proxy does not have. */
function statusesFor(key: string): readonly (number | undefined)[] {
  return proxy.requests
    .filter(({ headers }) => headers.authorization === `Bearer ${key}`)
    .filter(({ path }) => !path.endsWith('.zip'))
    .map(({ status }) => status);
}
