/** Releases that are replaced while responses are pending; test/long/soak compares responses under load. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { request } from 'undici';
import { gracePeriod, prune } from '../../../build/release/releases.ts';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { runGateway } from '../../gateway/running-gateway.ts';
import { paths, publishSmallRelease } from '../faults/gateway-fixture.ts';

const DIST_DIR = await temporaryFolder();
await publishSmallRelease(DIST_DIR, 'first');
const { gateway, baseUrl, createKey, close } = await runGateway({ DIST_DIR }, 'in-real-time');
after(close);
const { key } = await createKey('reader');

/** Publishes a release, and makes the gateway load it. */
async function publish(name: string): Promise<void> {
  await publishSmallRelease(DIST_DIR, name);
  await gateway.releases.refresh();
}

/** Removes all releases but the current one, and their objects. */
async function removeOthers(): Promise<void> {
  const { removed } = await prune(DIST_DIR, 1, new Date(Date.now() + 2 * gracePeriod));
  assert.ok(removed.length > 0);
}

it('A new release does not change pending responses, even if their release is removed', async () => {
  await publish('leaving');
  const headers = { authorization: `Bearer ${key}` };
  // It is larger than the buffers of sockets, and streamed as the client reads.
  const { statusCode, body } = await request(`${baseUrl}${paths.large}`, { headers });
  await publish('last');
  await removeOthers();
  const bytes = Buffer.from(await body.arrayBuffer());
  assert.deepEqual(
    [statusCode, bytes.includes('leaving'), bytes.includes('last')],
    [200, true, false],
  );
});
