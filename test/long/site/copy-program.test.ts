import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { filesBelow } from '../../build/release-folder.ts';
import { type ProxiedRequest, startFaultProxy } from '../../pull/fault-proxy.ts';
import { below, sampleBank, serve } from '../../pull/served-bank.ts';
import { guidePrograms } from './guide-programs.ts';

const year = 'neet/2023';
const changed = `${year}/2023-05-07-s1/physics.json`;
const bank = await sampleBank();
const service = await serve(bank);
await bank.set(changed, '/questions/0/topic', 'Gravitation');
const next = await serve(bank, service);
const whole = below(year, service.files);
const { key } = await service.running.createKey('reader');
const programs = await guidePrograms(service.running, 'copy', ['javascript', 'python']);

for (const { language, skip, save } of programs) {
  describe(`The mirror program in the guide, in ${language}`, { skip, concurrency: true }, () => {
    /** Creates a mirror of the year with the program. `sync` runs it again. */
    async function createMirror() {
      const proxy = await startFaultProxy(service.url);
      after(() => proxy.close());
      const { folder, run } = await save(proxy.url, key);
      const sync = async () => {
        proxy.requests.length = 0;
        return run(year);
      };
      assert.deepEqual(await sync(), success(whole.size));
      const copy = join(folder, 'copy');
      assert.deepEqual(await filesOf(copy), whole);
      return { proxy, copy, sync };
    }

    it('downloads a year; a second run makes one public request and downloads nothing', async () => {
      const { proxy, copy, sync } = await createMirror();
      assert.deepEqual(await sync(), success(0));
      assert.deepEqual(requestsIn(proxy.requests), [[`/${year}`, 200]]);
      assert.deepEqual(await filesOf(copy), whole);
    });

    it('downloads only the changed paper of a new release and its translation; other papers of its shift get a 304', async () => {
      const { proxy, copy, sync } = await createMirror();
      proxy.setUpstream(next.url);
      assert.deepEqual(await sync(), success(2));
      assert.deepEqual(requestsIn(proxy.requests), [
        [`/${year}`, 200],
        [`/${changed}`, 200],
        [`/${changed.replace('physics', 'chemistry')}`, 304],
        [`/${changed.replace('physics', 'biology')}`, 304],
        [`/${changed.replace('physics', 'physics.hi')}`, 200],
      ]);
      assert.deepEqual(await filesOf(copy), below(year, next.files));
    });

    it('downloads damaged and missing files again', async () => {
      const { copy, sync } = await createMirror();
      const [diagram = ''] = [...whole.keys()].filter((path) => path.includes('/diagrams/'));
      const text = await readFile(join(copy, changed), 'utf8');
      await writeFile(join(copy, changed), text.replace('"topic":"', '"topic":"X'));
      await rm(join(copy, diagram));
      await rm(join(copy, changed.replace('physics', 'biology')));
      assert.deepEqual(await sync(), success(3));
      assert.deepEqual(await filesOf(copy), whole);
    });

    it('rejects a damaged download and exits with 1', async () => {
      const { proxy, copy, sync } = await createMirror();
      proxy.setUpstream(next.url);
      proxy.intercept((path) =>
        path === `/${changed}`
          ? {
              kind: 'change',
              change: (body) => Buffer.from(body.toString().replace('"Gravitation"', '"Levitation"')),
            }
          : undefined,
      );
      const { status, stderr } = await sync();
      assert.deepEqual([status, stderr], [1, `${changed} arrived damaged. Run this again.\n`]);
      assert.deepEqual(await filesOf(copy), whole);
      proxy.intercept(() => undefined);
      assert.deepEqual(await sync(), success(2));
    });
  });
}

function success(downloaded: number) {
  const stdout = `copy has all of ${year}. Files downloaded: ${downloaded}.\n`;
  return { status: 0, stdout, stderr: '' };
}

function requestsIn(requests: readonly ProxiedRequest[]) {
  return requests.map(({ path, status }) => [path, status]);
}

/** The files of the mirror that come from the service. */
async function filesOf(copy: string): Promise<Map<string, Buffer>> {
  const files = await filesBelow(copy);
  files.delete('tags.json');
  return files;
}
