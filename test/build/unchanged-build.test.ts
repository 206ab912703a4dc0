import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { build } from '../../build/build.ts';
import type { Report } from '../../build/check/diagnostic.ts';
import { type Bank, defaultBank } from '../../build/release/config.ts';
import { readVerifiedManifest } from '../../build/release/verify.ts';
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
import { filesBelow, richFiles } from './release-folder.ts';

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
  const run = () =>
    build({ contentDir: bank.dir, dataDir, now: later, isQuick: true, bank: config() }, distDir);
  const stagesOf = async () => {
    const { publication } = await run();
    return publication?.stages.map(({ name }) => name);
  };
  const isUnchanged = async () => !(await stagesOf())?.includes('check');
  const current = () => join(distDir, 'current');

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
    const manifest = await readVerifiedManifest(current());
    const { report, publication } = await run();
    assert.ok(await isUnchanged());
    assert.deepEqual(report, lastReport);
    assert.ok(lastReport.diagnostics.length > 0);
    assert.deepEqual(publication?.manifest, manifest);
    assert.deepEqual([publication?.created, publication?.changedUrls], [0, 0]);
    assert.equal(
      publication?.reused,
      Object.keys({ ...manifest.public, ...manifest.protected }).length,
    );
    assert.equal(await readFile(join(distDir, 'changed.txt'), 'utf8'), '');
  });

  const changes: [string, () => Promise<unknown>][] = [
    ['a file rewritten with the same size and date', rewriteInPlace],
    ['a new file', () => writeFile(join(bank.dir, shiftPath, 'diagrams/unnamed.png'), png(1, 1))],
    ['a removed file', () => rm(join(bank.dir, shiftPath, 'diagrams/unnamed.png'))],
    ['a file removed from the release', async () => rm(await releasedFile())],
    ['a changed file of the release', async () => appendFile(await releasedFile(), ' ')],
    [
      'a changed file of the release for static hosts',
      () => appendFile(join(current(), 'public/_redirects'), ' '),
    ],
    ['a replaced logo', () => writeFile(join(dataDir, 'logo.svg'), svg(9, 9))],
    ['a replaced icon', () => writeFile(join(dataDir, 'icon.png'), png(9, 9))],
    ['a damaged cache', damageCache],
  ];
  for (const [what, change] of changes) {
    it(`notices ${what}`, async () => {
      assert.ok(await isUnchanged());
      await change();
      assert.ok(!(await isUnchanged()));
      if (what.includes('release')) await readVerifiedManifest(current());
    });
  }

  it('compresses again what a quick build has published, and the other way round', async () => {
    const quick = await run();
    const setting = { contentDir: bank.dir, dataDir, now: later, bank: config() };
    const best = await build(setting, distDir);
    assert.notEqual(best.publication?.manifest.encoder, quick.publication?.manifest.encoder);
    assert.equal((await run()).publication?.manifest.id, quick.publication?.manifest.id);
  });

  it('reads recently written files again', async () => {
    await rewriteInPlace();
    const { ctime: now } = await stat(join(bank.dir, paperPath));
    const setting = { contentDir: bank.dir, dataDir, now, isQuick: true, bank: config() };
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

  async function releasedFile(): Promise<string> {
    const { protected: resources } = await readVerifiedManifest(current());
    // The release keeps the other responses of its shift.
    const [, resource] = Object.entries(resources).find(([path]) => path.endsWith('.svg')) ?? [];
    assert.ok(resource);
    return join(current(), resource.identity.file);
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
  const textOf = (path: string) => readFile(join(distDir, 'current', path), 'utf8');
  /** Builds, and returns the sources that the API serves. */
  const release = async (bank: Partial<Bank> = {}) => {
    const samples = [`${shiftPath}/physics`];
    const changed = { ...defaultBank, samples, ...bank };
    await build(
      { contentDir: content.dir, dataDir, now: later, isQuick: true, bank: changed },
      distDir,
    );
    const exam = JSON.parse(await textOf('public/neet/index.json'));
    const [shift] = JSON.parse(await textOf('public/neet/2024/index.json')).shifts;
    const paper = JSON.parse(await textOf(`protected/${shiftPath}/physics.json`));
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
  await content.write(`${shiftPath}/shift.json`, { source: { title: 'Shift <1>' } });
  assert.deepEqual(await release(bank), ['Exam', 'Shift <1>', 'Shift <1>']);
  const line = /<p class="hint">Source: (.*?)<\/p>/g;
  const lines = async (page: string) =>
    Array.from((await textOf(page)).matchAll(line), ([, text]) => text);
  const link = '<a href="https://exam.example/?a&#38;b">Exam</a>';
  assert.deepEqual(await lines('public/docs/catalogue/index.html'), [link]);
  assert.deepEqual(await lines('public/docs/catalogue/neet/index.html'), [
    link,
    'Shift &#60;1&#62;',
  ]);
  assert.deepEqual(await lines(`public/docs/samples/${shiftPath}/physics/index.html`), [
    'Shift &#60;1&#62;',
  ]);
  await content.remove(`${shiftPath}/shift.json`);
  await content.write(examPath, sampleExam);
  await release();
  assert.deepEqual(await filesBelow(join(distDir, 'current')), before);
});
