import assert from 'node:assert/strict';
import { link, mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { DamagedRelease, manifestFile, storedVariants } from '../../build/release/manifest.ts';
import { verifyRelease } from '../../build/release/verify.ts';
import { writeRelease } from '../gateway/release/write-release.ts';

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
  for (const file of [manifestFile, ...[...storedVariants(manifest)].map((variant) => variant.file)]) {
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
    const wholeSecond = new Date(Math.floor(Date.now() / 1000) * 1000);
    await utimes(join(release, 'public/neet'), wholeSecond, wholeSecond);
    const { marks } = await verifyRelease(release, new Set());
    const other = await linkedRelease(release);
    await changeUnnoticed(join(release, 'public/neet'));
    for (const folder of [release, other]) {
      assert.deepEqual((await verifyRelease(folder, marks)).marks, marks);
      await assert.rejects(verifyRelease(folder, new Set()), /public\/neet does not match its checksum/);
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
    const changed = responses.map((response) => ({ ...response, identity: Buffer.from('{"exam":"teen"}') }));
    const other = await writeRelease(distDir, `release-${++releases}`, changed, {});
    await rm(join(other, 'public/neet'));
    await link(join(release, 'public/neet'), join(other, 'public/neet'));
    await assert.rejects(verifyRelease(other, marks), /public\/neet does not match its checksum/);
  });

  it('reports a verified file that is missing', async () => {
    const release = await newRelease();
    const { marks } = await verifyRelease(release, new Set());
    await rm(join(release, 'public/neet'));
    await assert.rejects(verifyRelease(release, marks), /public\/neet is missing/);
  });
});
