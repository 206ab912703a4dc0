import assert from 'node:assert/strict';
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { build } from '../../build/build.ts';
import type { Report } from '../../build/check/diagnostic.ts';
import { type Bank, defaultBank } from '../../build/release/config.ts';
import { objectPath } from '../../build/release/objects.ts';
import { readCurrent } from '../../build/release/read.ts';
import { yearsOf } from '../../build/release/root.ts';
import { findDamage } from '../../build/release/verify.ts';
import {
  type BankFolder,
  examPath,
  makeBank,
  paperPath,
  sampleExam,
  shiftPath,
  temporaryFolder,
} from './bank-folder.ts';
import { png, svg } from './image-bytes.ts';
import { filesBelow, responsesOf, richFiles } from './release-folder.ts';

/** A time at which no content file counts as recently written. */
const later = new Date('2100-01-01T00:00:00Z');

describe('A build of unchanged content', () => {
  let bank: BankFolder;
  let distDir: string;
  let dataDir: string;
  let lastReport: Report;

  /** Its images are in the folder of the cache. */
  const config = (): Bank => ({
    ...defaultBank,
    logo: join(dataDir, 'logo.svg'),
    favicon: join(dataDir, 'icon.png'),
  });
  const run = (changes: object = {}) => {
    const setting = { contentDir: bank.dir, dataDir, now: later, bank: config() };
    return build({ ...setting, ...changes }, distDir);
  };
  const isUnchanged = async () => (await run()).publication?.isUnchanged;

  before(async () => {
    [bank, distDir, dataDir] = await Promise.all([
      makeBank(richFiles),
      temporaryFolder(),
      temporaryFolder(),
    ]);
    await writeFile(join(dataDir, 'logo.svg'), svg(8, 8));
    await writeFile(join(dataDir, 'icon.png'), png(8, 8));
    lastReport = (await run()).report;
  });

  it('returns the report of the last build and publishes nothing', async () => {
    const { root } = await readCurrent(distDir);
    const { report, publication } = await run();
    assert.ok(await isUnchanged());
    assert.deepEqual(report, lastReport);
    assert.ok(lastReport.diagnostics.length > 0);
    assert.deepEqual(publication?.release.root, root);
    assert.deepEqual([publication?.created, publication?.changedUrls], [0, 0]);
    assert.equal(await readFile(join(distDir, 'changed.txt'), 'utf8'), '');
  });

  const changes: [string, () => Promise<unknown>][] = [
    ['a file rewritten with the same size and date', rewriteInPlace],
    ['a new file', () => writeFile(join(bank.dir, shiftPath, 'diagrams/unnamed.png'), png(1, 1))],
    ['a removed file', () => rm(join(bank.dir, shiftPath, 'diagrams/unnamed.png'))],
    ['a missing index of a year', async () => rm(await yearIndex())],
    ['a replaced logo', () => writeFile(join(dataDir, 'logo.svg'), svg(9, 9))],
    ['a replaced icon', () => writeFile(join(dataDir, 'icon.png'), png(9, 9))],
    ['a damaged cache', damageCache],
  ];
  for (const [what, change] of changes) {
    it(`notices ${what}`, async () => {
      assert.ok(await isUnchanged());
      await change();
      assert.ok(!(await isUnchanged()));
      assert.deepEqual((await findDamage(await readCurrent(distDir))).problems, []);
    });
  }

  it('reads recently written files again', async () => {
    await rewriteInPlace();
    const { ctime: now } = await stat(join(bank.dir, paperPath));
    const setting = {
      contentDir: bank.dir,
      dataDir,
      now,
      isQuick: true,
      bank: config(),
    };
    await build(setting, distDir);
    assert.ok(!(await isUnchanged()));
    assert.ok(await isUnchanged());
  });

  async function rewriteInPlace(): Promise<void> {
    const file = join(bank.dir, paperPath);
    const { atime, mtime } = await stat(file);
    const text = await readFile(file, 'utf8');
    await writeFile(
      file,
      text
        .replace('"topic": "Spoken', '"topic": "Broken')
        .replace('"topic":"Spoken', '"topic":"Broken'),
    );
    await utimes(file, atime, mtime);
  }

  async function yearIndex(): Promise<string> {
    const [year] = yearsOf((await readCurrent(distDir)).root);
    assert.ok(year);
    return join(distDir, objectPath(year.index.sha256));
  }

  async function damageCache(): Promise<void> {
    for (const name of await readdir(join(dataDir, 'cache')))
      await writeFile(join(dataDir, 'cache', name), 'nonsense that is long enough to be read');
  }
});

it('A shift has the source of the bank, its exam or itself, whichever is the nearest, as soon as it changes', async () => {
  const [content, distDir, dataDir] = await Promise.all([
    makeBank(),
    temporaryFolder(),
    temporaryFolder(),
  ]);
  const textOf = async (path: string) => (await responsesOf(distDir)).get(path)?.toString() ?? '';
  /** Builds, and returns the sources that the API serves. */
  const release = async (bank: Partial<Bank> = {}) => {
    const samples = [`${shiftPath}/physics`];
    const changed = { ...defaultBank, samples, ...bank };
    const setting = { contentDir: content.dir, dataDir, now: later };
    await build({ ...setting, bank: changed }, distDir);
    const exam = JSON.parse(await textOf('neet'));
    const [shift] = JSON.parse(await textOf('neet/2024')).shifts;
    const paper = JSON.parse(await textOf(paperPath));
    return [exam, shift, paper].map(({ source }) => source?.title);
  };
  assert.deepEqual(await release(), [undefined, undefined, undefined]);
  const before = await filesBelow(join(distDir, 'current'));
  const bank = { source: { licence: 'MIT', title: 'Bank' } };
  assert.deepEqual(await release(bank), ['Bank', 'Bank', 'Bank']);
  await content.write(examPath, {
    ...sampleExam,
    source: { title: 'Exam', url: 'https://exam.example/?a&b' },
  });
  assert.deepEqual(await release(bank), ['Exam', 'Exam', 'Exam']);
  await content.write(`${shiftPath}/shift.json`, {
    source: { title: 'Shift <1>' },
  });
  assert.deepEqual(await release(bank), ['Exam', 'Shift <1>', 'Shift <1>']);
  const line = /<p class="hint">Source: (.*?)<\/p>/g;
  const lines = async (page: string) =>
    Array.from((await textOf(page)).matchAll(line), ([, text]) => text);
  const link = '<a href="https://exam.example/?a&#38;b">Exam</a>';
  assert.deepEqual(await lines('docs/catalogue'), [link]);
  assert.deepEqual(await lines('docs/catalogue/neet'), [link, 'Shift &#60;1&#62;']);
  assert.deepEqual(await lines(`docs/samples/${shiftPath}/physics`), ['Shift &#60;1&#62;']);
  await content.remove(`${shiftPath}/shift.json`);
  await content.write(examPath, sampleExam);
  await release();
  assert.deepEqual(await filesBelow(join(distDir, 'current')), before);
});
