/**
 * Releases that are replaced while responses are pending, or downloaded; test/long/soak compares responses under load.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { request } from 'undici';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { switchTo } from '../../gateway/release/write-release.ts';
import { runGateway } from '../../gateway/running-gateway.ts';
import { sampleRelease } from '../../gateway/sample-release.ts';
import { runPastpaper, startPastpaper } from '../../gateway/started-process.ts';
import { startS3 } from '../../store/s3-server.ts';
import { waitUntil } from '../../wait-until.ts';
import { get, paths, publishSmallRelease } from '../faults/gateway-fixture.ts';

const DIST_DIR = await temporaryFolder();
await publishSmallRelease(DIST_DIR, 'first');
const { gateway, baseUrl, createKey, close } = await runGateway({ DIST_DIR }, 'in-real-time');
after(close);
const { key } = await createKey('reader');

const store = await startS3();
after(() => store.close());
const pushing = { ...store.env, DIST_DIR: await sampleRelease() };
assert.equal((await runPastpaper('releases', pushing, ['push', store.bucket])).status, 0);
const files = [...store.objects.keys()].filter((name) => name.startsWith('files/'));

/** Publishes a release, and makes the gateway load it. */
async function publish(name: string): Promise<string> {
  const folder = await publishSmallRelease(DIST_DIR, name);
  await gateway.releases.refresh();
  return folder;
}

async function assertServes(name: string): Promise<void> {
  for (const path of [paths.large, paths.paper, paths.public]) {
    const { status, bytes } = await get(baseUrl, path, key);
    assert.ok(status === 200 && bytes.includes(name), `${path} of ${name}`);
  }
}

describe('A new release', () => {
  it('serves requests if the previous one was removed immediately', async () => {
    const folder = await publish('short');
    await publishSmallRelease(DIST_DIR, 'after');
    await rm(folder, { recursive: true });
    await assertServes('after');
  });

  it('does not change pending responses, even if their release is removed', async () => {
    const folder = await publish('leaving');
    const headers = { authorization: `Bearer ${key}` };
    // It is larger than the buffers of sockets, and streamed as the client reads.
    const { statusCode, body } = await request(`${baseUrl}${paths.large}`, { headers });
    await publish('last');
    await rm(folder, { recursive: true });
    const bytes = Buffer.from(await body.arrayBuffer());
    assert.deepEqual(
      [statusCode, bytes.includes('leaving'), bytes.includes('last')],
      [200, true, false],
    );
  });

  it('may be preceded by a moment without the current link', async () => {
    await rm(join(DIST_DIR, 'current'));
    await gateway.releases.refresh();
    await assertServes('last');
    await switchTo(DIST_DIR, 'last');
    await gateway.releases.refresh();
    await assertServes('last');
  });
});

describe('A gateway that downloads a release', () => {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    it(`leaves nothing partial when it ends with ${signal}`, async () => {
      const folder = await temporaryFolder();
      const [dist, DATA_DIR] = [join(folder, 'dist'), join(folder, 'data')];
      const settings = { PORT: '0', DIST_DIR: dist, DATA_DIR, RELEASE_SOURCE: store.url };
      // The last files never arrive.
      store.respond = (_method, name) => files.indexOf(name) > files.length / 2;
      const gateway = startPastpaper('gateway', settings);
      await waitUntil(() => existsSync(join(dist, 'releases')));
      await gateway.stop(signal);
      await waitUntil(() => !existsSync(dist));
      store.respond = () => false;
      const next = startPastpaper('gateway', settings);
      await next.waitForOutput(/ serves release /);
      assert.equal((await next.stop()).status, 0);
    });
  }
});
