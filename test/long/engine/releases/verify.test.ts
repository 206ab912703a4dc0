import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { writeObject } from '../../../../build/release/objects.ts';
import { readCurrent } from '../../../../build/release/read.ts';
import { sealRoot } from '../../../../build/release/root.ts';
import {
  BankFolder,
  makeBank,
  paperOf,
  paperPath,
  sampleQuestions,
  temporaryFolder,
} from '../../../build/bank-folder.ts';
import { assertNoStackTrace, type Outcome, runCommand } from '../../../build/command.ts';
import { bodyPath, richFiles } from '../../../build/release-folder.ts';
import { copyFolder } from '../build-process.ts';

const published = await makePublished();

async function makePublished(): Promise<string> {
  const [bank, dist] = [await makeBank(richFiles), await temporaryFolder()];
  // By the command, as the configuration of the repository is that of both.
  const build = () => runCommand(['build'], { CONTENT_DIR: bank.dir, DIST_DIR: dist });
  await build();
  await bank.set('neet/2023/2023-05-07-s1/chemistry.json', '/lastUpdated', '2024-07-01T10:00:00Z');
  await build();
  const folder = await temporaryFolder();
  await copyFolder(bank.dir, join(folder, 'content'));
  await copyFolder(dist, join(folder, 'dist'));
  return folder;
}

/** A bank that is published, changed and published again. */
async function publishedTwice() {
  const folder = await temporaryFolder();
  await copyFolder(published, folder);
  const dist = join(folder, 'dist');
  return { bank: new BankFolder(join(folder, 'content')), dist, current: join(dist, 'current') };
}

async function verify(content: string, dist: string): Promise<Outcome> {
  const before = await readdir(dist);
  const outcome = await runCommand(['verify'], { CONTENT_DIR: content, DIST_DIR: dist });
  assertNoStackTrace(outcome);
  assert.deepEqual(await readdir(dist), before, 'nothing of the scratch folder stays');
  return outcome;
}

describe('verify', () => {
  it('accepts a release that matches its content, whatever was published before', async () => {
    const { bank, dist } = await publishedTwice();
    const { status, stdout, stderr } = await verify(bank.dir, dist);
    assert.equal(status, 0, stderr);
    assert.match(
      stdout,
      /^Release [0-9a-f]{16} is undamaged \(\d+ files\) and identical to a build of the content\.\n$/,
    );
  });

  it('lists the paths that differ after the content has changed', async () => {
    const { bank, dist } = await publishedTwice();
    await bank.set(paperPath, '/questions/1/topic', 'Waves');
    await bank.remove('neet/2023');
    await bank.write(
      'neet/2025/2025-05-04-s1/biology.json',
      paperOf({ ...sampleQuestions.msq, id: 'new' }),
    );
    const { status, stdout, stderr } = await verify(bank.dir, dist);
    assert.equal(status, 1);
    assert.equal(stdout, '');
    assert.match(
      stderr,
      /^Release \w+ is undamaged, but differs from a build of the content: \d+ differences\.\n/,
    );
    for (const line of [paperPath, 'neet/2023', 'neet/2025/2025-05-04-s1/biology.json'])
      assert.ok(stderr.includes(`  ${line}\n`), `${line}\n${stderr}`);
  });

  /** Changes a stored form of a paper, and the index and the root with it. */
  async function forge(
    dist: string,
    coding: 'identity' | 'gzip',
    change: (bytes: Buffer) => Buffer,
  ) {
    const { name, root, readYear, pathOf } = await readCurrent(dist);
    const [exam = '', year = '', shift = '', file = ''] = paperPath.split('/');
    const ofExam = root.years[exam] ?? assert.fail();
    const index = await readYear(ofExam[year] ?? assert.fail());
    const files = index.shifts[shift] ?? assert.fail();
    const paper = files[file] ?? assert.fail();
    const bytes = await readFile(pathOf(paper[coding] ?? assert.fail()));
    const forged = { ...paper, [coding]: writeObject(dist, change(bytes)) };
    const shifts = { ...index.shifts, [shift]: { ...files, [file]: forged } };
    const stored = writeObject(dist, Buffer.from(JSON.stringify({ ...index, shifts })));
    const years = { ...root.years, [exam]: { ...ofExam, [year]: stored } };
    const sealed = JSON.stringify(sealRoot({ ...root, years }));
    await writeFile(join(dist, 'releases', name, 'root.json'), sealed);
  }

  it('detects a response that was changed together with the root', async () => {
    const { bank, dist } = await publishedTwice();
    await forge(dist, 'identity', (bytes) =>
      Buffer.from(bytes.toString().replace('hidden', 'hijack')),
    );
    const { status, stderr } = await verify(bank.dir, dist);
    assert.equal(status, 1);
    assert.match(stderr, / 1 difference\.\n {2}\S+physics\.json\n$/);
  });

  it('lists every file that is missing or changed', async () => {
    const { bank, dist, current } = await publishedTwice();
    const paper = await bodyPath(dist, paperPath);
    await appendFile(join(current, 'public/robots.txt'), '#');
    await rm(paper);
    const { status, stderr } = await verify(bank.dir, dist);
    assert.equal(status, 1);
    const [first, ...lines] = stderr.trimEnd().split('\n');
    assert.equal(
      first,
      'The current release is damaged. Run npx pastpaper build --repair, or npx pastpaper releases pull STORE if it came from a store.',
    );
    assert.equal(lines[0], `  ${relative(dist, paper)} is missing`);
    assert.match(lines.at(-1) ?? '', /releases\/\w+\/public\/robots\.txt has \d+ bytes, not \d+$/);
  });

  it('names a command that replaces the damaged files', async () => {
    const { bank, dist, current } = await publishedTwice();
    const [flipped, removed] = [
      await bodyPath(dist, paperPath),
      join(current, 'public/robots.txt'),
    ];
    const [{ mtime }, damaged] = [await stat(flipped), await readFile(flipped)];
    damaged[7] = (damaged[7] ?? 0) ^ 1;
    await writeFile(flipped, damaged);
    // As bit rot leaves it.
    await utimes(flipped, mtime, mtime);
    await rm(removed);
    const settings = { CONTENT_DIR: bank.dir, DIST_DIR: dist, DATA_DIR: await temporaryFolder() };
    const { status, stdout, stderr } = await runCommand(['build', '--repair'], settings);
    assert.equal(status, 0, stderr);
    assert.match(
      stdout,
      /^Replacing objects\/\S+ does not match its checksum: it was changed\.\nReplacing releases\/\S+\/public\/robots\.txt is missing\.\n/,
    );
    assert.equal((await verify(bank.dir, dist)).status, 0);
  });
});
