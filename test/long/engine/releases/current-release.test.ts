import assert from 'node:assert/strict';
import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DamagedRelease, formatVersion } from '../../../../build/release/manifest.ts';
import { readVerifiedManifest } from '../../../../build/release/verify.ts';
import {
  type BankFolder,
  type Files,
  makeBank,
  paperOf,
  paperPath,
  sampleQuestions,
  shiftPath,
  temporaryFolder,
} from '../../../build/bank-folder.ts';
import { buildFolder } from '../../../build/build-folder.ts';
import { checksum } from '../../../build/canonical-json.ts';
import {
  assertNoStackTrace,
  type Outcome,
  runCommand,
  runCommandOnSmallDisk,
} from '../../../build/command.ts';
import { filesBelow, publishedFolder, richFiles } from '../../../build/release-folder.ts';
import { copyFolder } from '../copy-folder.ts';

const { mcq } = sampleQuestions;

/** The entries of dist, and the checksums of all files of its releases. */
async function stateOf(dist: string) {
  const files = await filesBelow(join(dist, 'releases'));
  return {
    entries: (await readdir(dist)).sort(),
    current: await readlink(join(dist, 'current')),
    releases: (await readdir(join(dist, 'releases'))).sort(),
    files: Object.fromEntries([...files].map(([path, bytes]) => [path, checksum(bytes)])),
  };
}

/** An SVG of 400 KB, padded with a comment. */
const largeDrawing = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"><!-- ${'x'.repeat(400_000)} --></svg>`,
);

describe('A failed build changes nothing in dist/current and leaves no draft', () => {
  it('when the content has errors', async () => {
    const bank = await makeBank();
    const dist = await temporaryFolder();
    await publishedFolder(bank.dir, dist);
    const before = await stateOf(dist);
    await bank.set(paperPath, '/questions/0/answer', 'C');
    const { publication, report } = await buildFolder(bank.dir, dist);
    assert.equal(publication, undefined);
    assert.equal(report.summary.errors, 1);
    assert.deepEqual(await stateOf(dist), before);
  });

  it('when a file cannot be written completely, and reports the first error', async () => {
    const bank = await makeBank();
    const dist = await temporaryFolder();
    await publishedFolder(bank.dir, dist);
    const before = await stateOf(dist);
    const outcome = await buildTooLarge(bank, dist);
    assert.equal(outcome.status, 2, outcome.stderr);
    assertNoStackTrace(outcome);
    assert.deepEqual(await stateOf(dist), before);
    assert.match(outcome.stderr, /^The file system rejected write.*\(EFBIG\)\.\n$/);
    assert.doesNotMatch(outcome.stderr, /undefined/);
  });

  it('when dist/current is a folder', async () => {
    const bank = await makeBank();
    const dist = await temporaryFolder();
    await mkdir(join(dist, 'current'));
    await writeFile(join(dist, 'current', 'notes.txt'), 'Mine');
    const outcome = await runCommand(['build'], { CONTENT_DIR: bank.dir, DIST_DIR: dist });
    assert.equal(outcome.status, 2);
    assertNoStackTrace(outcome);
    assert.deepEqual((await readdir(dist)).sort(), ['changed.txt', 'current', 'history', 'releases']);
    assert.equal((await readdir(join(dist, 'releases'))).filter((name) => name.startsWith('.')).length, 0);
    assert.equal(await readFile(join(dist, 'current', 'notes.txt'), 'utf8'), 'Mine');
  });

  /** Builds a bank with a diagram that is too large for the disk and is written early, and with many other files. */
  async function buildTooLarge(bank: BankFolder, dist: string): Promise<Outcome> {
    const drawn = { ...mcq, diagrams: [{ file: 'q1.svg', alt: 'A large drawing.' }] };
    await bank.write(paperPath, paperOf(drawn));
    await bank.write(`${shiftPath}/diagrams/q1.svg`, largeDrawing);
    for (let shift = 2; shift <= 60; shift += 1) {
      const question = { ...mcq, id: `other-${shift}`, question: `Why ${shift}? `.repeat(100) };
      await bank.write(`neet/2024/2024-05-05-s${shift}/physics.json`, paperOf(question));
    }
    return runCommandOnSmallDisk(64, ['build'], { CONTENT_DIR: bank.dir, DIST_DIR: dist });
  }
});

describe('A reader of dist/current', () => {
  it('sees only complete releases while 8 builds publish', async () => {
    const bank = await makeBank(richFiles);
    const dist = await temporaryFolder();
    const ids = new Set([await idOf(bank, dist)]);
    const seen = new Set<string>();

    let building = true;
    const reader = async () => {
      while (building) {
        // Like a gateway, resolves the link once and then reads the release.
        const folder = await realpath(join(dist, 'current'));
        seen.add((await readVerifiedManifest(folder)).id);
        await readFile(join(dist, 'current', 'manifest.json'));
      }
    };
    const reading = reader();
    try {
      for (let turn = 1; turn <= 8; turn += 1) {
        await bank.set(paperPath, '/questions/0/topic', `Topic ${turn}`);
        ids.add(await idOf(bank, dist));
      }
    } finally {
      building = false;
    }
    await reading;
    assert.equal(ids.size, 9);
    assert.ok(seen.size > 1);
    for (const id of seen) assert.ok(ids.has(id), id);
  });

  async function idOf(bank: BankFolder, dist: string): Promise<string> {
    const { publication } = await buildFolder(bank.dir, dist);
    return publication?.manifest.id ?? assert.fail('Nothing was published');
  }
});

describe('Two builds at once', () => {
  async function publishTogether(contents: readonly Files[]): Promise<{ dist: string; ids: string[] }> {
    const dist = join(await temporaryFolder(), 'not', 'made', 'yet');
    const banks = await Promise.all(contents.map(makeBank));
    const outcomes = await Promise.all(
      banks.map(({ dir }) => runCommand(['build'], { CONTENT_DIR: dir, DIST_DIR: dist })),
    );
    const ids = outcomes.map(({ status, stdout, stderr }) => {
      assert.equal(status, 0, stderr);
      return /^Published release (\w+):/.exec(stdout)?.[1] ?? assert.fail(stdout);
    });
    return { dist, ids };
  }

  it('both succeed with the same content, with one release', async () => {
    const { dist, ids } = await publishTogether([richFiles, richFiles]);
    assert.equal(ids[0], ids[1]);
    assert.deepEqual(await readdir(join(dist, 'releases')), [ids[0]]);
    assert.equal((await readVerifiedManifest(join(dist, 'current'))).id, ids[0]);
  });

  it('both succeed with different content, and one is current', async () => {
    const { dist, ids } = await publishTogether([richFiles, {}]);
    assert.deepEqual((await readdir(join(dist, 'releases'))).sort(), [...ids].sort());
    for (const id of ids) assert.equal((await readVerifiedManifest(join(dist, 'releases', id))).id, id);
    assert.ok(ids.includes((await readVerifiedManifest(join(dist, 'current'))).id));
    assert.deepEqual((await readdir(dist)).sort(), ['changed.txt', 'current', 'history', 'releases']);
  });
});

describe('A release damaged on disk', async () => {
  const paper = `protected/${paperPath}`;
  const published = { content: (await makeBank()).dir, dist: await temporaryFolder() };
  await publishedFolder(published.content, published.dist);
  const damages: readonly [string, (folder: string) => Promise<void>, string][] = [
    [
      'by a changed letter',
      (folder) => edit(join(folder, paper), (text) => text.replace('metre', 'meter')),
      `${paper} does not match its checksum: it was changed`,
    ],
    [
      'by a file cut short',
      (folder) => edit(join(folder, paper), (text) => text.slice(0, -7)),
      `${paper} has `,
    ],
    ['by a file that grew', (folder) => appendFile(join(folder, paper), '\n'), `${paper} has `],
    ['by a file that is gone', (folder) => rm(join(folder, paper)), `${paper} is missing`],
    [
      'by a folder in the place of a file',
      (folder) => replaceByFolder(join(folder, paper)),
      `${paper} cannot be read (EISDIR)`,
    ],
    ['by a tree that is gone', (folder) => rm(join(folder, 'public'), { recursive: true }), 'public/'],
    ['by a manifest that is gone', (folder) => rm(join(folder, 'manifest.json')), 'manifest.json is missing'],
    [
      'by a manifest cut short',
      (folder) => edit(join(folder, 'manifest.json'), (text) => text.slice(0, 99)),
      'manifest.json is not JSON: it is truncated or was changed',
    ],
    [
      'by a manifest of nothing',
      (folder) => writeFile(join(folder, 'manifest.json'), 'null'),
      `manifest.json is not of format ${formatVersion}`,
    ],
    [
      'by a manifest of another format',
      (folder) =>
        edit(join(folder, 'manifest.json'), (text) =>
          text.replace(`"format":${formatVersion}`, '"format":999'),
        ),
      `manifest.json is not of format ${formatVersion}`,
    ],
    [
      'by a manifest that was changed',
      (folder) => edit(join(folder, 'manifest.json'), (text) => text.replace('"s1"', '"s9"')),
      'manifest.json does not match its own checksum: it was changed',
    ],
    ['by being a file', replaceByFile, 'manifest.json is missing'],
    ['by being empty', emptyFolder, 'manifest.json is missing'],
  ];
  for (const [sentence, damage, message] of damages) {
    it(`${sentence} is detected and replaced by the next build`, async () => {
      const dist = await temporaryFolder();
      await copyFolder(published.dist, dist);
      const folder = await realpath(join(dist, 'current'));
      const whole = await filesBelow(folder);
      await damage(folder);
      await assert.rejects(readVerifiedManifest(folder), (error) => {
        assert.ok(error instanceof DamagedRelease);
        assert.ok(error.message.startsWith(message), error.message);
        return true;
      });

      const replacement = await publishedFolder(published.content, dist);
      assert.deepEqual(await filesBelow(replacement), whole);
      assert.equal(
        await publishedFolder(published.content, dist),
        replacement,
        'a third build has nothing to replace',
      );
      const drafts = (await readdir(join(dist, 'releases'))).filter((name) => name.startsWith('.'));
      assert.deepEqual(drafts, []);
    });
  }

  it('twice is replaced twice', async () => {
    const { content } = published;
    const dist = await temporaryFolder();
    for (let time = 0; time < 3; time += 1) {
      const folder = await publishedFolder(content, dist);
      await readVerifiedManifest(folder);
      await rm(join(folder, paper));
    }
    await readVerifiedManifest(await publishedFolder(content, dist));
  });

  it('so that dist/current leads nowhere is replaced too', async () => {
    const bank = await makeBank();
    const dist = await temporaryFolder();
    await symlink('releases/gone', join(dist, 'current'));
    await readVerifiedManifest(await publishedFolder(bank.dir, dist));
  });

  async function edit(file: string, change: (text: string) => string): Promise<void> {
    const text = await readFile(file, 'utf8');
    const changed = change(text);
    assert.notEqual(changed, text);
    await writeFile(file, changed);
  }

  async function replaceByFolder(path: string): Promise<void> {
    await emptyFolder(path);
  }

  async function emptyFolder(path: string): Promise<void> {
    await rm(path, { recursive: true });
    await mkdir(path);
  }

  async function replaceByFile(path: string): Promise<void> {
    await rm(path, { recursive: true });
    await writeFile(path, '');
  }
});
