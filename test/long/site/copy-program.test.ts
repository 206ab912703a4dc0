import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { filesBelow } from '../../build/release-folder.ts';
import { below, sampleBank, serve } from '../../pull/bank.ts';
import { type Passed, startProxy } from '../../pull/proxy.ts';
import { guidePrograms } from './guide-programs.ts';

const year = 'neet/2024';
const changed = `${year}/2024-05-05-s1/physics.json`;
const bank = await sampleBank();
const service = await serve(bank);
await bank.set(changed, '/questions/0/topic', 'Motion');
const next = await serve(bank, service);
const whole = below(year, service.files);
const { key } = await service.running.createKey('reader');
const programs = await guidePrograms(service.running, 'copy', ['javascript', 'python']);

for (const { language, skip, save } of programs) {
  describe(`The program of the guide on copies, in ${language}`, { skip, concurrency: true }, () => {
    /** A copy of the year, made by the program, and the way to bring it in step. */
    async function madeCopy() {
      const proxy = await startProxy(service.url);
      after(() => proxy.close());
      const { folder, run } = await save(proxy.url, key);
      const bring = async () => {
        proxy.passed.length = 0;
        return run(year);
      };
      assert.deepEqual(await bring(), done(whole.size));
      const copy = join(folder, 'copy');
      assert.deepEqual(await filesOf(copy), whole);
      return { proxy, copy, bring };
    }

    it('downloads a year, and the second time nothing: it makes one public request', async () => {
      const { proxy, copy, bring } = await madeCopy();
      assert.deepEqual(await bring(), done(0));
      assert.deepEqual(asked(proxy.passed), [[`/${year}`, 200]]);
      assert.deepEqual(await filesOf(copy), whole);
    });

    it('downloads the one paper that a release changed; the others of its shift get a 304', async () => {
      const { proxy, copy, bring } = await madeCopy();
      proxy.leadTo(next.url);
      assert.deepEqual(await bring(), done(1));
      assert.deepEqual(asked(proxy.passed), [
        [`/${year}`, 200],
        [`/${changed}`, 200],
        [`/${changed.replace('physics', 'chemistry')}`, 304],
        [`/${changed.replace('physics', 'biology')}`, 304],
      ]);
      assert.deepEqual(await filesOf(copy), below(year, next.files));
    });

    it('mends what was damaged or lost here', async () => {
      const { copy, bring } = await madeCopy();
      const [diagram = ''] = [...whole.keys()].filter((path) => path.includes('/diagrams/'));
      const text = await readFile(join(copy, changed), 'utf8');
      await writeFile(join(copy, changed), text.replace('"topic":"', '"topic":"X'));
      await rm(join(copy, diagram));
      await rm(join(copy, changed.replace('physics', 'biology')));
      assert.deepEqual(await bring(), done(3));
      assert.deepEqual(await filesOf(copy), whole);
    });

    it('puts nothing damaged in its place, and ends with 1', async () => {
      const { proxy, copy, bring } = await madeCopy();
      proxy.leadTo(next.url);
      proxy.tamper((path) =>
        path === `/${changed}`
          ? { kind: 'change', change: (body) => Buffer.from(body.toString().replace('"Motion"', '"Notion"')) }
          : undefined,
      );
      const { status, stderr } = await bring();
      assert.deepEqual([status, stderr], [1, `${changed} arrived damaged. Run this again.\n`]);
      assert.deepEqual(await filesOf(copy), whole);
      proxy.tamper(() => undefined);
      assert.deepEqual(await bring(), done(1));
    });
  });
}

function done(downloaded: number) {
  const stdout = `copy has all of ${year}. Files downloaded: ${downloaded}.\n`;
  return { status: 0, stdout, stderr: '' };
}

function asked(passed: readonly Passed[]) {
  return passed.map(({ path, status }) => [path, status]);
}

/** What of a copy the service has. */
async function filesOf(copy: string): Promise<Map<string, Buffer>> {
  const files = await filesBelow(copy);
  files.delete('tags.json');
  return files;
}
