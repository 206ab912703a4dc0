/** A disk that gives no answer: a pipe that no one writes to, in the place of a file of the release. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { constants } from 'node:fs';
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { switchTo } from '../../gateway/release/made-release.ts';
import { startPastpaper } from '../../gateway/started-process.ts';
import type { Vitals } from '../../gateway/watched-gateway.ts';
import { ask } from './asked.ts';
import { makeFaultPlace } from './fault-place.ts';
import { rounds } from './rounds.ts';
import { paths, publishSmallRelease, shiftFolder, writeSmallRelease } from './small-release.ts';
import { until } from './until.ts';

const timeout = 120_000;

/** More files than Node has threads. */
const papers = Array.from({ length: 12 }, (_, index) => `paper${index}.json`);
const pathOf = (paper: string) => `/neet/2024/s1/${paper}`;

/** Requests for what hangs, at once. */
const requests = rounds(100, 2000);

/** Has every read of a file hang, until it is told to go on: then it is as it was before. */
async function hang(file: string): Promise<() => Promise<void>> {
  const [bytes, aside] = [await readFile(file), `${file}.hung`];
  await rm(file);
  execFileSync('mkfifo', [file]);
  return async () => {
    await rename(file, aside);
    await writeFile(file, bytes);
    // Who waits to read it finds its end; where no one waits, there is no one to open it for.
    const writer = await open(aside, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => undefined);
    await writer?.close();
    await rm(aside);
  };
}

/** Open files but for connections. */
function filesOf({ descriptors, resources }: Vitals): number {
  return descriptors - (resources['TCPSocketWrap'] ?? 0);
}

describe('Where reads of the disk hang', { concurrency: true }, () => {
  it('one file is 500 for all who ask, takes one thread, and all others are served', {
    timeout,
  }, async (t) => {
    const place = await makeFaultPlace(t, papers);
    const { key } = await place.accounts.create('reader', 'roomy');
    const { origin, vitals, stop, complaints } = await place.start();
    const [hung = '', ...others] = papers;
    const goOn = await hang(join(place.release, shiftFolder, hung));
    let isOver = false;
    const all = Promise.all(Array.from({ length: requests }, () => ask(origin, pathOf(hung), key)));
    void all.finally(() => {
      isOver = true;
    });
    // None of them has been read before.
    for (const other of others) {
      assert.equal((await ask(origin, pathOf(other), key)).status, 200, other);
      assert.equal(isOver, false);
    }
    for (const answer of await all) {
      assert.equal(answer.status, 500);
      assert.match(String(answer.headers['x-request-id']), /./);
    }
    t.diagnostic(`${requests} requests for one file were 500, ${others.length} others 200 meanwhile`);
    assert.match(complaints.join('\n'), /paper0\.json could not be read within 5 s: its disk hangs\./);
    assert.equal((await vitals()).resources['FSReqPromise'] ?? 0, 1);
    assert.equal((await ask(origin, pathOf(hung), key)).status, 500);
    assert.equal((await vitals()).resources['FSReqPromise'] ?? 0, 1);
    await goOn();
    await until(async () => (await ask(origin, pathOf(hung), key)).status === 200);
    assert.equal(await stop(), 0);
  });

  it('more files than there are threads leave all that is in memory, and what needs no file', {
    timeout,
  }, async (t) => {
    const place = await makeFaultPlace(t, papers);
    const { id, key } = await place.accounts.create('reader', 'roomy');
    const { origin, vitals, stop } = await place.start();
    let accepted = 0;
    const known = {
      [paths.open]: await ask(origin, paths.open),
      [paths.paper]: await ask(origin, paths.paper, key),
    };
    accepted += 1;
    const before = await vitals();
    const files = [...papers, 'diagrams/large.png'];
    const goOns = await Promise.all(files.map((file) => hang(join(place.release, shiftFolder, file))));
    const all = Promise.all(files.flatMap((file) => [1, 2, 3].map(() => ask(origin, pathOf(file), key))));
    accepted += files.length * 3;
    let isOver = false;
    void all.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      for (const [path, { bytes, headers }] of Object.entries(known)) {
        const answer = await ask(origin, path, key);
        assert.equal(answer.status, 200);
        assert.ok(answer.bytes.equals(bytes));
        const unchanged = await ask(origin, path, key, { 'if-none-match': String(headers['etag']) });
        assert.equal(unchanged.status, 304);
        accepted += path === paths.paper ? 2 : 0;
      }
      await delay(5);
      assert.equal((await ask(origin, paths.paper)).status, 401);
      assert.equal((await ask(origin, paths.paper, 'pfx_none')).status, 403);
      assert.equal((await ask(origin, pathOf('none.json'), key)).status, 404);
      accepted += 1;
    }
    assert.deepEqual(new Set((await all).map(({ status }) => status)), new Set([500]));
    const hanging = (await vitals()).resources['FSReqPromise'] ?? 0;
    assert.ok(hanging <= 3, `${hanging} threads wait`);
    t.diagnostic(`${files.length} files hung, ${hanging} threads waited, ${accepted} requests were counted`);
    await Promise.all(goOns.map((goOn) => goOn()));
    for (const file of files) {
      await until(async () => {
        accepted += 1;
        return (await ask(origin, pathOf(file), key)).status === 200;
      });
    }
    assert.equal(filesOf(await vitals()), filesOf(before));
    assert.equal(await stop(), 0);
    assert.deepEqual([...(await place.accounts.counted(id)).values()], [accepted]);
  });

  it('a gateway still stops, and writes its counts', { timeout }, async (t) => {
    const place = await makeFaultPlace(t, papers);
    const { id, key } = await place.accounts.create('reader', 'roomy');
    const { origin, stop } = await place.start({ DRAIN_SECONDS: '1' });
    assert.equal((await ask(origin, paths.paper, key)).status, 200);
    for (const paper of papers) await hang(join(place.release, shiftFolder, paper));
    const hung = papers.map((paper) => ask(origin, pathOf(paper), key).catch(() => undefined));
    await until(async () => [...(await place.accounts.counted(id)).values()][0] === 1 + papers.length);
    // Node itself cannot end while its threads wait: it is a signal that ends it.
    assert.equal(await stop(), null);
    await Promise.all(hung);
    assert.deepEqual([...(await place.accounts.counted(id)).values()], [1 + papers.length]);
  });

  it('a new release of which a file hangs is refused, the old one stays, and the next is taken up', {
    timeout,
  }, async (t) => {
    const place = await makeFaultPlace(t);
    const { key } = await place.accounts.create('reader', 'roomy');
    const { origin, complaints, stop } = await place.start();
    const before = await ask(origin, paths.paper, key);
    const second = await writeSmallRelease(place.distDir, 'second');
    await hang(join(second, shiftFolder, 'physics.json'));
    await switchTo(place.distDir, 'second');
    await until(() => complaints.some((line) => /A new release is refused/.test(line)));
    assert.match(
      complaints.join('\n'),
      /physics\.json cannot be read \(nothing came from the disk within 10 s\)/,
    );
    assert.ok((await ask(origin, paths.paper, key)).bytes.equals(before.bytes));
    await publishSmallRelease(place.distDir, 'third');
    await until(async () => (await ask(origin, paths.paper, key)).bytes.includes('third'));
    assert.equal(await stop(), 0);
  });

  it('a gateway that cannot read its release does not start, and says why', { timeout }, async (t) => {
    const place = await makeFaultPlace(t);
    await hang(join(place.release, shiftFolder, 'diagrams/small.png'));
    const settings = { PORT: '0', DIST_DIR: place.distDir, DATA_DIR: place.dataDir };
    const { stderr } = await startPastpaper('gateway', settings).ended;
    assert.match(
      stderr,
      /^The release cannot be served: .*small\.png cannot be read \(nothing came from the disk within 10 s\)/,
    );
  });
});
