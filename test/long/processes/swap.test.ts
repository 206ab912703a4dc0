import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { compiledFile } from '../../../build/program.js';
import { readConfig } from '../../../gateway/config.ts';
import { startGateway } from '../../../gateway/start.ts';
import { type ReleaseResponse, switchTo, writeRelease } from '../../gateway/release/write-release.ts';

const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
const distDir = join(folder, 'dist');
const shift = '2024-05-05-s1';
const shifts = { neet: { '2024': { s1: shift, [shift]: shift } } };
const json = 'application/json; charset=utf-8';
const paths = ['neet', `neet/2024/s1/physics.json`, 'neet/2024/s1/diagrams/large.png'];

/** Responses that contain the name of their release; the diagram is large enough to be streamed. */
function responsesFor(release: string): ReleaseResponse[] {
  const paper = Buffer.from(JSON.stringify({ release, text: 'so much to read '.repeat(200) }));
  const large = Buffer.alloc(2_000_000, release);
  return [
    { access: 'public', path: 'neet', mediaType: json, identity: paper, gzip: gzipSync(paper) },
    {
      access: 'protected',
      path: `neet/2024/${shift}/physics.json`,
      mediaType: json,
      identity: paper,
      gzip: gzipSync(paper),
    },
    {
      access: 'protected',
      path: `neet/2024/${shift}/diagrams/large.png`,
      mediaType: 'image/png',
      identity: large,
    },
  ];
}

const logged: string[] = [];
await writeRelease(distDir, 'first', responsesFor('first'), shifts);
await switchTo(distDir, 'first');
const gateway = await startGateway(
  readConfig({ PORT: '0', DIST_DIR: distDir, DATA_DIR: join(folder, 'data'), PLANS: 'plans.json' }, () =>
    JSON.stringify({ free: { perSecond: 100_000, perMonth: 1_000_000 } }),
  ),
  (message, error) => void logged.push(`${message} ${error ?? ''}`),
  { releaseReader: await compiledFile('release-reader') },
);
after(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true });
});

/** Publishes a release, and makes the gateway load it. */
async function publish(name: string): Promise<string> {
  const release = await writeRelease(distDir, name, responsesFor(name), shifts);
  await switchTo(distDir, name);
  await gateway.releases.refresh();
  return release;
}

interface BufferedResponse {
  readonly status: number | undefined;
  readonly etag: string | undefined;
  readonly length: string | undefined;
  readonly bytes: Buffer;
}

/** @param pause milliseconds before the body is read */
function request(path: string, coding = 'identity', pause = 0): Promise<BufferedResponse> {
  const headers = { Authorization: `Bearer ${gateway.developmentKey}`, 'Accept-Encoding': coding };
  return new Promise((resolve, reject) => {
    get(`${gateway.origin}/${path}`, { headers }, (response) => {
      const { statusCode: status, headers } = response;
      const read = () =>
        buffer(response).then(
          (bytes) => resolve({ status, etag: headers.etag, length: headers['content-length'], bytes }),
          reject,
        );
      setTimeout(() => void read(), pause);
    }).on('error', reject);
  });
}

/** Checks that the ETag and length of a response match its bytes. */
function assertWhole({ status, etag, length, bytes }: BufferedResponse): void {
  assert.equal(status, 200);
  assert.equal(Number(length), bytes.length);
  assert.equal(etag, `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`);
}

describe('A new release', () => {
  it('is loaded under load without a failed or mixed response', async () => {
    let going = true;
    let responses = 0;
    const workers = Array.from({ length: 6 }, async (_, worker) => {
      for (let turn = worker; going; turn += 1) {
        assertWhole(await request(paths[turn % paths.length] ?? '', turn % 2 === 0 ? 'gzip' : 'identity'));
        responses += 1;
      }
    });
    for (const name of ['second', 'third', 'fourth']) {
      await publish(name);
      assert.match(logged.at(-1) ?? '', /Now serving release/);
      assert.match((await request('neet')).bytes.toString(), new RegExp(name));
    }
    going = false;
    await Promise.all(workers);
    assert.ok(responses > 0);
  });

  it('is noticed by the gateway without a signal', async () => {
    await writeRelease(distDir, 'seen', responsesFor('seen'), shifts);
    await switchTo(distDir, 'seen');
    while (!(await request('neet')).bytes.includes('seen'))
      await new Promise((resolve) => setTimeout(resolve, 50));
  });

  it('that is damaged is rejected and logged, and the previous one is served', async () => {
    const release = await writeRelease(distDir, 'damaged', responsesFor('damaged'), shifts);
    await truncate(join(release, 'public/neet'), 10);
    await switchTo(distDir, 'damaged');
    await gateway.releases.refresh();
    await gateway.releases.refresh();
    const rejections = logged.filter((line) => /cannot be served/.test(line));
    assert.equal(rejections.length, 1, logged.join('\n'));
    assert.match(rejections[0] ?? '', /public\/neet has 10 bytes, not \d+/);
    for (const path of paths) {
      const response = await request(path);
      assertWhole(response);
      assert.ok(response.bytes.includes('seen'));
    }
  });

  it('that was repaired in place is loaded on reload', async () => {
    await writeRelease(distDir, 'damaged', responsesFor('mended'), shifts);
    await gateway.releases.refresh();
    assert.ok((await request('neet')).bytes.includes('seen'));
    await gateway.releases.reload();
    assert.ok((await request('neet')).bytes.includes('mended'));
  });

  it('serves requests if the previous one was removed immediately', async () => {
    await publish('short');
    await writeRelease(distDir, 'after', responsesFor('after'), shifts);
    await switchTo(distDir, 'after');
    await rm(join(distDir, 'releases/short'), { recursive: true });
    const response = await request('neet/2024/s1/diagrams/large.png');
    assertWhole(response);
    assert.ok(response.bytes.includes('after'));
  });

  it('does not change pending responses, even if their release is removed', async () => {
    await publish('leaving');
    const slow = request('neet/2024/s1/diagrams/large.png', 'identity', 500);
    await request('neet');
    await publish('last');
    await rm(join(distDir, 'releases/leaving'), { recursive: true });
    const response = await slow;
    assertWhole(response);
    assert.ok(response.bytes.includes('leaving'));
  });

  it('may be preceded by a moment without the current link', async () => {
    await rm(join(distDir, 'current'));
    await gateway.releases.refresh();
    assertWhole(await request('neet'));
    await switchTo(distDir, 'last');
    await gateway.releases.refresh();
    assertWhole(await request('neet'));
  });
});
