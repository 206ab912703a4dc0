import assert from 'node:assert/strict';
import {
  mkdir,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readCurrent } from '../../../../build/release/read.ts';
import { yearsOf } from '../../../../build/release/root.ts';
import { makeBank, paperPath, temporaryFolder } from '../../../build/bank-folder.ts';
import { assertNoStackTrace, runCommand } from '../../../build/command.ts';
import { bodyPath, publishedFolder } from '../../../build/release-folder.ts';
import { verifiedRelease } from '../../../build/verified-release.ts';
import { copyFolder } from '../build-process.ts';

it('A failed build leaves no draft when dist/current is a folder', async () => {
  const bank = await makeBank();
  const dist = await temporaryFolder();
  await mkdir(join(dist, 'current'));
  await writeFile(join(dist, 'current', 'notes.txt'), 'Mine');
  const outcome = await runCommand(['build'], { CONTENT_DIR: bank.dir, DIST_DIR: dist });
  assert.equal(outcome.status, 2);
  assertNoStackTrace(outcome);
  assert.deepEqual((await readdir(dist)).sort(), [
    'changed.txt',
    'changes.json',
    'current',
    'history',
    'objects',
    'releases',
  ]);
  assert.equal(
    (await readdir(join(dist, 'releases'))).filter((name) => name.startsWith('.')).length,
    0,
  );
  assert.equal(await readFile(join(dist, 'current', 'notes.txt'), 'utf8'), 'Mine');
});

describe('A release damaged on disk', async () => {
  const published = { content: (await makeBank()).dir, dist: await temporaryFolder() };
  await publishedFolder(published.content, published.dist);
  const indexOf = async (dist: string) => {
    const { root, pathOf } = await readCurrent(dist);
    const [{ index } = assert.fail()] = [...yearsOf(root)];
    return pathOf(index);
  };
  const current = (dist: string) => realpath(join(dist, 'current'));
  const damages: readonly [string, readonly string[], (dist: string) => Promise<unknown>][] = [
    ['by a year index that is gone', [], async (dist) => rm(await indexOf(dist))],
    [
      'by a file cut short',
      ['--repair'],
      async (dist) => truncate(await bodyPath(dist, paperPath), 7),
    ],
    ['by a root that is gone', [], async (dist) => rm(join(await current(dist), 'root.json'))],
  ];
  for (const [sentence, options, damage] of damages) {
    it(`${sentence} is replaced by build ${options.join(' ')}`, async () => {
      const dist = await temporaryFolder();
      await copyFolder(published.dist, dist);
      await damage(dist);
      const settings = { CONTENT_DIR: published.content, DIST_DIR: dist };
      const { status, stderr } = await runCommand(['build', ...options], settings);
      assert.equal(status, 0, stderr);
      await verifiedRelease(dist);
      const drafts = (await readdir(join(dist, 'releases'))).filter((name) => name.startsWith('.'));
      assert.deepEqual(drafts, []);
    });
  }

  it('so that dist/current leads nowhere is replaced too', async () => {
    const bank = await makeBank();
    const dist = await temporaryFolder();
    await symlink('releases/gone', join(dist, 'current'));
    await publishedFolder(bank.dir, dist);
    await verifiedRelease(dist);
  });
});
