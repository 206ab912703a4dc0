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
import { readVerifiedManifest } from '../../../../build/release/verify.ts';
import { makeBank, paperPath, temporaryFolder } from '../../../build/bank-folder.ts';
import { assertNoStackTrace, runCommand } from '../../../build/command.ts';
import { filesBelow, publishedFolder } from '../../../build/release-folder.ts';
import { copyFolder } from '../build-process.ts';

it('A failed build leaves no draft when dist/current is a folder', async () => {
  const bank = await makeBank();
  const dist = await temporaryFolder();
  await mkdir(join(dist, 'current'));
  await writeFile(join(dist, 'current', 'notes.txt'), 'Mine');
  const outcome = await runCommand(['build'], { CONTENT_DIR: bank.dir, DIST_DIR: dist });
  assert.equal(outcome.status, 2);
  assertNoStackTrace(outcome);
  assert.deepEqual((await readdir(dist)).sort(), ['changed.txt', 'current', 'history', 'releases']);
  assert.equal(
    (await readdir(join(dist, 'releases'))).filter((name) => name.startsWith('.')).length,
    0,
  );
  assert.equal(await readFile(join(dist, 'current', 'notes.txt'), 'utf8'), 'Mine');
});

describe('A release damaged on disk', async () => {
  const paper = `protected/${paperPath}`;
  const published = { content: (await makeBank()).dir, dist: await temporaryFolder() };
  await publishedFolder(published.content, published.dist);
  const damages: readonly [string, (folder: string) => Promise<unknown>][] = [
    ['by a file cut short', (folder) => truncate(join(folder, paper), 7)],
    [
      'by a folder in the place of a file',
      (folder) => rm(join(folder, paper)).then(() => mkdir(join(folder, paper))),
    ],
    ['by a tree that is gone', (folder) => rm(join(folder, 'public'), { recursive: true })],
    ['by a manifest that is gone', (folder) => rm(join(folder, 'manifest.json'))],
    [
      'by being a file',
      (folder) => rm(folder, { recursive: true }).then(() => writeFile(folder, '')),
    ],
  ];
  for (const [sentence, damage] of damages) {
    it(`${sentence} is replaced by the next build`, async () => {
      const dist = await temporaryFolder();
      await copyFolder(published.dist, dist);
      const folder = await realpath(join(dist, 'current'));
      const whole = await filesBelow(folder);
      await damage(folder);
      const replacement = await publishedFolder(published.content, dist);
      assert.deepEqual(await filesBelow(replacement), whole);
      assert.equal(
        await publishedFolder(published.content, dist),
        replacement,
        'nothing to replace',
      );
      const drafts = (await readdir(join(dist, 'releases'))).filter((name) => name.startsWith('.'));
      assert.deepEqual(drafts, []);
    });
  }

  it('so that dist/current leads nowhere is replaced too', async () => {
    const bank = await makeBank();
    const dist = await temporaryFolder();
    await symlink('releases/gone', join(dist, 'current'));
    await readVerifiedManifest(await publishedFolder(bank.dir, dist));
  });
});
