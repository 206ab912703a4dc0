import assert from 'node:assert/strict';
import {
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { writeFileOnce } from '../../build/release/files.ts';
import {
  DamagedRelease,
  manifestFile,
  parseManifest,
  type StoredResource,
  sealManifest,
  storedVariants,
} from '../../build/release/manifest.ts';
import { verifyRelease } from '../../build/release/verify.ts';
import { writeRelease } from '../gateway/release/write-release.ts';
import { temporaryFolder } from './bank-folder.ts';
import { anyCharacter } from './report/sample-report.ts';

const variant = fc.record({
  file: fc.stringMatching(/^(?:public|protected|hosts)(?:\/[a-z0-9_-]{1,9}){1,3}$/),
  size: fc.nat(),
  sha256: fc.stringMatching(/^[0-9a-f]{64}$/),
});
const resource: fc.Arbitrary<StoredResource> = fc.record(
  { mediaType: fc.stringMatching(/^[\x20-\x7e]+$/), identity: variant, br: variant, gzip: variant },
  { requiredKeys: ['mediaType', 'identity'] },
);
const resources = fc.dictionary(fc.string({ unit: anyCharacter }), resource);
const aliases = fc.dictionary(
  fc.string(),
  fc.dictionary(fc.stringMatching(/^[0-9]{4}$/), fc.dictionary(fc.string(), fc.string())),
);
const tables = fc.record({
  encoder: fc.string(),
  public: resources,
  protected: resources,
  shifts: aliases,
  hosts: fc.dictionary(fc.string(), variant),
});

describe('A manifest', () => {
  it('is parsed to what was written', () => {
    fc.assert(
      fc.property(tables, (some) => {
        const text = JSON.stringify(sealManifest(some));
        assert.deepEqual(parseManifest(text), JSON.parse(text));
      }),
    );
  });
});

const distDir = await mkdtemp(join(tmpdir(), 'pastpaper-'));
after(() => rm(distDir, { recursive: true }));

const responses = ['neet', 'jeemain'].map((path) => ({
  access: 'public' as const,
  path,
  mediaType: 'application/json',
  identity: Buffer.from(`{"exam":"${path}"}`),
}));

let releases = 0;

const newRelease = () => writeRelease(distDir, `release-${++releases}`, responses, {});

/** Creates a release whose files are hard links to those of another. */
async function linkedRelease(release: string): Promise<string> {
  const folder = join(distDir, `release-${++releases}`);
  const { manifest } = await verifyRelease(release, new Set());
  for (const file of [
    manifestFile,
    ...[...storedVariants(manifest)].map((variant) => variant.file),
  ]) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await link(join(release, file), join(folder, file));
  }
  return folder;
}

/** Changes the bytes of a file, but not its size or modification time. */
async function changeUnnoticed(file: string): Promise<void> {
  const { atime, mtime } = await stat(file);
  await writeFile(file, '{"exam":"teen"}');
  await utimes(file, atime, mtime);
}

describe('verifyRelease', () => {
  it('skips files that were verified before, also in another release with the same files', async () => {
    const release = await newRelease();
    const wholeSecond = new Date('2026-02-01T00:00:00Z');
    await utimes(join(release, 'public/neet'), wholeSecond, wholeSecond);
    const { marks } = await verifyRelease(release, new Set());
    const other = await linkedRelease(release);
    await changeUnnoticed(join(release, 'public/neet'));
    for (const folder of [release, other]) {
      assert.deepEqual((await verifyRelease(folder, marks)).marks, marks);
      await assert.rejects(
        verifyRelease(folder, new Set()),
        /public\/neet does not match its checksum/,
      );
    }
  });

  it('reads a file that was written to after verification', async () => {
    const release = await newRelease();
    const { marks } = await verifyRelease(release, new Set());
    await writeFile(join(release, 'public/neet'), '{"exam":"teen"}');
    await assert.rejects(verifyRelease(release, marks), DamagedRelease);
  });

  it('reads a verified file that is linked in place of another', async () => {
    const release = await newRelease();
    const { marks } = await verifyRelease(release, new Set());
    const changed = responses.map((response) => ({
      ...response,
      identity: Buffer.from('{"exam":"teen"}'),
    }));
    const other = await writeRelease(distDir, `release-${++releases}`, changed, {});
    await rm(join(other, 'public/neet'));
    await link(join(release, 'public/neet'), join(other, 'public/neet'));
    await assert.rejects(verifyRelease(other, marks), /public\/neet does not match its checksum/);
  });
});

describe('writeFileOnce', () => {
  for (const [state, before] of [
    ['missing', undefined],
    ['empty', ''],
  ] as const)
    it(`writes a file that is ${state} for its owner only, and the same for all that write it at once`, async () => {
      for (let round = 0; round < 20; round += 1) {
        const folder = await temporaryFolder();
        const file = join(folder, 'secret');
        if (before !== undefined) await writeFile(file, before);
        const texts = await Promise.all(
          Array.from({ length: 8 }, (_, index) => writeFileOnce(file, `text ${index}`)),
        );
        assert.deepEqual(new Set(texts), new Set([await readFile(file, 'utf8')]));
        assert.match(texts[0] ?? '', /^text \d$/);
        assert.deepEqual(
          [await readdir(folder), (await stat(file)).mode & 0o777],
          [['secret'], 0o600],
        );
        assert.equal(await writeFileOnce(file, 'another text'), texts[0]);
      }
    });

  it('completes what a process that was killed has begun', async () => {
    const file = join(await temporaryFolder(), 'secret');
    await writeFile(`${file}.new`, 'of the killed process');
    assert.equal(await writeFileOnce(file, 'another text'), 'of the killed process');
    assert.equal(await readFile(file, 'utf8'), 'of the killed process');
  });
});
