import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { startFaultProxy } from '../../build/client/fault-proxy.ts';
import {
  below,
  mirrorFiles,
  type ServedBank,
  sampleBank,
  serve,
} from '../../build/client/served-bank.ts';
import { svg } from '../../build/image-bytes.ts';
import { startPastpaper } from '../../gateway/started-process.ts';
import { waitUntil } from '../../wait-until.ts';

/** `npm run test:long -- pull` kills a hundred. */
const kills = Number(process.env['KILLS'] ?? 15);

/**
 * Pulls an exam repeatedly and kills each process at a random point: some milliseconds after a random request. If a pull
 * ends before that, the mirror must be complete, and the service switches to its other release, in which papers and
 * diagrams are changed, added and removed. A final pull, which is not killed, must make the mirror identical to one that
 * was never interrupted.
 *
 * @returns how many pulls ended before they would have been killed, and the number of responses to all of them
 */
async function killPulls() {
  const bank = await sampleBank();
  const first = await serve(bank, undefined, undefined, 'in-real-time');
  const { key } = await first.running.createKey('killed');
  const shift = 'neet/2024/2024-03-01-s1';
  await bank.set(`${shift}/physics.json`, '/questions/0/topic', 'Gravitation');
  await bank.set(`${shift}/chemistry.json`, '/questions/0/topic', 'Solutions');
  await bank.write(`${shift}/diagrams/neet-2024-03-01-s1-physics-04-circuit.svg`, svg(640, 480));
  await bank.remove('neet/2024/2024-01-01-s1');
  const second = await serve(bank, first, undefined, 'in-real-time');
  const proxy = await startFaultProxy(first.url);
  const folder = await temporaryFolder();
  let [current, other]: readonly [ServedBank, ServedBank] = [first, second];
  let ended = 0;

  const startPull = () =>
    startPastpaper('pull', { API_KEY: key }, [proxy.url, 'neet', '--out', folder]);

  async function assertComplete(): Promise<void> {
    const [copy, served] = [await mirrorFiles(folder), below('neet', current.files)];
    // A killed pull may leave a draft, which is removed after an hour.
    for (const path of copy.keys()) if (path.startsWith('.draft-')) copy.delete(path);
    assert.deepEqual([...copy.keys()], [...served.keys()]);
    for (const [path, bytes] of served) assert.ok(copy.get(path)?.equals(bytes), path);
  }

  for (let killed = 0; killed < kills; ) {
    const before = proxy.requests.length;
    // Metadata and a pack of each year, and some time to write what they bring.
    const [request, later] = [Math.floor(Math.random() * 10), Math.random() * 100];
    const pull = startPull();
    let isOver = false;
    void pull.ended.then(() => {
      isOver = true;
    });
    await waitUntil(() => isOver || proxy.requests.length - before >= request, 1);
    await delay(later);
    const { status, stderr } = await pull.stop('SIGKILL');
    if (status === null) {
      killed += 1;
      continue;
    }
    assert.equal(status, 0, stderr);
    ended += 1;
    await assertComplete();
    [current, other] = [other, current];
    proxy.setUpstream(current.url);
  }
  const { status, stderr } = await startPull().ended;
  assert.equal(status, 0, stderr);
  await assertComplete();
  await proxy.close();
  return { ended, requests: proxy.requests.length };
}

it(`A pull that is killed is continued by the next one, and the mirror has the same bytes (${kills} times)`, async (test) => {
  const { ended, requests } = await killPulls();
  assert.ok(requests > kills);
  test.diagnostic(`${kills} pulls were killed, ${ended} ended first, over ${requests} requests`);
});
