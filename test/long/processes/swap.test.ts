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
import { type MadeAnswer, switchTo, writeRelease } from '../../gateway/release/made-release.ts';

const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
const distDir = join(folder, 'dist');
const shift = '2024-05-05-s1';
const shifts = { neet: { '2024': { s1: shift, [shift]: shift } } };
const json = 'application/json; charset=utf-8';
const paths = ['neet', `neet/2024/s1/physics.json`, 'neet/2024/s1/diagrams/large.png'];

/** Answers that all name their release; the diagram is one that is streamed. */
function answersOf(release: string): MadeAnswer[] {
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
await writeRelease(distDir, 'first', answersOf('first'), shifts);
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

/** Publishes a release, and has it taken up. */
async function publish(name: string): Promise<string> {
  const release = await writeRelease(distDir, name, answersOf(name), shifts);
  await switchTo(distDir, name);
  await gateway.releases.refresh();
  return release;
}

interface Answer {
  readonly status: number | undefined;
  readonly etag: string | undefined;
  readonly length: string | undefined;
  readonly bytes: Buffer;
}

/** @param pause milliseconds before the body is read */
function ask(path: string, coding = 'identity', pause = 0): Promise<Answer> {
  const headers = { Authorization: `Bearer ${gateway.developmentKey}`, 'Accept-Encoding': coding };
  return new Promise((resolve, reject) => {
    get(`${gateway.origin}/${path}`, { headers }, (answer) => {
      const { statusCode: status, headers } = answer;
      const read = () =>
        buffer(answer).then(
          (bytes) => resolve({ status, etag: headers.etag, length: headers['content-length'], bytes }),
          reject,
        );
      setTimeout(() => void read(), pause);
    }).on('error', reject);
  });
}

/** Holds an answer against itself: its tag and its length are those of its bytes. */
function assertWhole({ status, etag, length, bytes }: Answer): void {
  assert.equal(status, 200);
  assert.equal(Number(length), bytes.length);
  assert.equal(etag, `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`);
}

describe('A new release', () => {
  it('is taken up under load, without one failed or mixed answer', async () => {
    let going = true;
    let answers = 0;
    const workers = Array.from({ length: 6 }, async (_, worker) => {
      for (let turn = worker; going; turn += 1) {
        assertWhole(await ask(paths[turn % paths.length] ?? '', turn % 2 === 0 ? 'gzip' : 'identity'));
        answers += 1;
      }
    });
    for (const name of ['second', 'third', 'fourth']) {
      await publish(name);
      assert.match(logged.at(-1) ?? '', /is served now/);
      assert.match((await ask('neet')).bytes.toString(), new RegExp(name));
    }
    going = false;
    await Promise.all(workers);
    assert.ok(answers > 0);
  });

  it('is seen by the gateway itself', async () => {
    await writeRelease(distDir, 'seen', answersOf('seen'), shifts);
    await switchTo(distDir, 'seen');
    while (!(await ask('neet')).bytes.includes('seen'))
      await new Promise((resolve) => setTimeout(resolve, 50));
  });

  it('that is damaged is refused and logged, and the old one stays', async () => {
    const release = await writeRelease(distDir, 'damaged', answersOf('damaged'), shifts);
    await truncate(join(release, 'public/neet'), 10);
    await switchTo(distDir, 'damaged');
    await gateway.releases.refresh();
    await gateway.releases.refresh();
    const refusals = logged.filter((line) => /is refused/.test(line));
    assert.equal(refusals.length, 1, logged.join('\n'));
    assert.match(refusals[0] ?? '', /public\/neet has 10 bytes, not \d+/);
    for (const path of paths) {
      const answer = await ask(path);
      assertWhole(answer);
      assert.ok(answer.bytes.includes('seen'));
    }
  });

  it('that was mended where it stands is taken up when the gateway is told to look again', async () => {
    await writeRelease(distDir, 'damaged', answersOf('mended'), shifts);
    await gateway.releases.refresh();
    assert.ok((await ask('neet')).bytes.includes('seen'));
    await gateway.releases.reload();
    assert.ok((await ask('neet')).bytes.includes('mended'));
  });

  it('answers what the old one can no more, where that was removed at once', async () => {
    await publish('short');
    await writeRelease(distDir, 'after', answersOf('after'), shifts);
    await switchTo(distDir, 'after');
    await rm(join(distDir, 'releases/short'), { recursive: true });
    const answer = await ask('neet/2024/s1/diagrams/large.png');
    assertWhole(answer);
    assert.ok(answer.bytes.includes('after'));
  });

  it('leaves answers under way those of the old one, even when that is removed', async () => {
    await publish('leaving');
    const slow = ask('neet/2024/s1/diagrams/large.png', 'identity', 500);
    await ask('neet');
    await publish('last');
    await rm(join(distDir, 'releases/leaving'), { recursive: true });
    const answer = await slow;
    assertWhole(answer);
    assert.ok(answer.bytes.includes('leaving'));
  });

  it('may have the link missing for a moment', async () => {
    await rm(join(distDir, 'current'));
    await gateway.releases.refresh();
    assertWhole(await ask('neet'));
    await switchTo(distDir, 'last');
    await gateway.releases.refresh();
    assertWhole(await ask('neet'));
  });
});
