/** Disk reads that hang: a FIFO without a writer replaces a file of the release. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { constants } from 'node:fs';
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { ResourceUsage } from '../../gateway/server-process.ts';
import { waitUntil } from '../../wait-until.ts';
import { inOneMonth } from '../one-month.ts';
import { createGatewayFixture, get, objectOf, paths, timeout } from './gateway-fixture.ts';

/** More files than Node has threads. */
const papers = Array.from({ length: 12 }, (_, index) => `paper${index}.json`);
const pathOf = (paper: string) => `/neet/2024/s1/${paper}`;

/** Makes every read of a file hang. The returned function restores the file. */
async function hang(file: string): Promise<() => Promise<void>> {
  const [bytes, aside] = [await readFile(file), `${file}.hung`];
  await rm(file);
  execFileSync('mkfifo', [file]);
  return async () => {
    await rename(file, aside);
    await writeFile(file, bytes);
    // Pending reads get an end of file; without a pending read, opening the FIFO fails.
    const writer = await open(aside, constants.O_WRONLY | constants.O_NONBLOCK).catch(
      () => undefined,
    );
    await writer?.close();
    await rm(aside);
  };
}

/** Open descriptors without sockets. */
function filesOf({ descriptors, resources }: ResourceUsage): number {
  return descriptors - (resources['TCPSocketWrap'] ?? 0);
}

/** Threads that read; for a moment also that which looks for a new release. */
function blockedThreads({ resources }: ResourceUsage): number {
  return resources['FSReqPromise'] ?? 0;
}

describe('When disk reads hang', { concurrency: true, timeout }, () => {
  it(
    'of more files than Node has threads, cached bodies and responses that need no file are still sent',
    inOneMonth(async (t) => {
      const fixture = await createGatewayFixture(t, papers);
      const { id, key } = await fixture.accounts.create('reader', 'roomy');
      const { origin, resourceUsage, stop } = await fixture.start({ FAILED_KEYS_PER_MINUTE: '0' });
      let accepted = 0;
      const cached = {
        [paths.public]: await get(origin, paths.public),
        [paths.paper]: await get(origin, paths.paper, key),
      };
      accepted += 1;
      const before = await resourceUsage();
      const files = [...papers, 'diagrams/large.png'];
      const restores = await Promise.all(
        files.map(async (file) => hang(await objectOf(fixture.distDir, 'first', file))),
      );
      const all = Promise.all(
        files.flatMap((file) => [1, 2, 3].map(() => get(origin, pathOf(file), key))),
      );
      accepted += files.length * 3;
      let isOver = false;
      void all.finally(() => {
        isOver = true;
      });
      while (!isOver) {
        for (const [path, { bytes, headers }] of Object.entries(cached)) {
          const response = await get(origin, path, key);
          assert.equal(response.status, 200);
          assert.ok(response.bytes.equals(bytes));
          const unchanged = await get(origin, path, key, {
            'if-none-match': String(headers['etag']),
          });
          assert.equal(unchanged.status, 304);
          accepted += path === paths.paper ? 2 : 0;
        }
        await delay(5);
        assert.equal((await get(origin, paths.paper)).status, 401);
        assert.equal((await get(origin, paths.paper, 'pfx_none')).status, 403);
        assert.equal((await get(origin, pathOf('none.json'), key)).status, 404);
        accepted += 1;
      }
      assert.deepEqual(new Set((await all).map(({ status }) => status)), new Set([500]));
      await waitUntil(async () => blockedThreads(await resourceUsage()) <= 3);
      t.diagnostic(`${files.length} files hung, ${accepted} requests were counted`);
      await Promise.all(restores.map((restore) => restore()));
      for (const file of files) {
        await waitUntil(async () => {
          accepted += 1;
          return (await get(origin, pathOf(file), key)).status === 200;
        });
      }
      await waitUntil(async () => filesOf(await resourceUsage()) <= filesOf(before));
      assert.equal(await stop(), 0);
      assert.equal(await fixture.counted(id), accepted);
    }),
  );

  it(
    'a gateway still stops and writes its counts',
    inOneMonth(async (t) => {
      const fixture = await createGatewayFixture(t, papers);
      const { id, key } = await fixture.accounts.create('reader', 'roomy');
      const { origin, stop } = await fixture.start();
      assert.equal((await get(origin, paths.paper, key)).status, 200);
      for (const paper of papers) await hang(await objectOf(fixture.distDir, 'first', paper));
      const hung = papers.map((paper) => get(origin, pathOf(paper), key).catch(() => undefined));
      await waitUntil(async () => (await fixture.counted(id)) === 1 + papers.length);
      // Node cannot exit while its threads are blocked, so the gateway kills itself with a signal.
      assert.equal(await stop(), null);
      await Promise.all(hung);
      assert.equal(await fixture.counted(id), 1 + papers.length);
    }),
  );
});
