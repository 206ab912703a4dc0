import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type Body, BodyCache } from '../../../gateway/release/body-cache.ts';
import { MissingFile } from '../../../gateway/release/files.ts';
import { readRelease } from '../../../gateway/release/read-release.ts';
import type { Resource, Variant } from '../../../gateway/release/response-table.ts';
import { writeRelease } from './made-release.ts';

const distDir = await mkdtemp(join(tmpdir(), 'pastpaper-'));
after(() => rm(distDir, { recursive: true }));

/** Exams whose resources are of so many bytes, which all differ. */
async function variants(name: string, sizes: readonly number[]): Promise<Variant[]> {
  const exams = sizes.map((size, index) => ({ path: `exam${index}`, identity: bytesOf(size, index) }));
  const answers = exams.map((exam) => ({ ...exam, access: 'public' as const, mediaType: 'image/png' }));
  const { release } = await readRelease(await writeRelease(distDir, name, answers, {}));
  return exams.map(({ path }) => (release.find({ kind: 'exam', exam: path }) as Resource).identity);
}

function bytesOf(size: number, seed: number): Buffer {
  return Buffer.from(Array.from({ length: size }, (_, place) => (place * 31 + seed) % 256));
}

function fileOf({ folder, file }: Variant): string {
  return join(folder, file);
}

describe('Bodies', () => {
  it('are read once and kept, small and large, byte by byte', async () => {
    const bodies = new BodyCache(1_000_000);
    const sizes = [1, 5000, 100_000];
    for (const [index, variant] of (await variants('kept', sizes)).entries()) {
      assert.equal(bodies.get(variant), undefined);
      const expected = bytesOf(sizes[index] ?? 0, index);
      assert.deepEqual(asBytes(await bodies.read(variant)), expected);
      await rm(fileOf(variant));
      assert.deepEqual(asBytes(bodies.get(variant)), expected);
    }
  });

  it('that several ask for at once are read once', async () => {
    const bodies = new BodyCache(1_000_000);
    const [variant] = await variants('at-once', [5000]);
    assert.ok(variant);
    const [one, other] = [bodies.read(variant), bodies.read(variant)];
    assert.equal(one, other);
    assert.equal(await one, await other);
  });

  it('take no more than their bound, whatever is asked for; the last used ones stay', async () => {
    const bodies = new BodyCache(50_000);
    const all = await variants(
      'bound',
      Array.from({ length: 40 }, () => 4000),
    );
    const [favourite] = all;
    assert.ok(favourite);
    for (const variant of all) {
      await bodies.read(variant);
      assert.ok(bodies.get(favourite));
    }
    const kept = all.filter((variant) => bodies.get(variant) !== undefined);
    assert.ok(kept.length > 5 && kept.length * 4000 <= 50_000, String(kept.length));
  });

  it('of which a release has the same bytes as the one before are kept for it', async () => {
    const bodies = new BodyCache(50_000);
    const [one] = await variants('one', [4000]);
    const [same] = await variants('same', [4000]);
    assert.ok(one && same);
    await bodies.read(one);
    assert.ok(bodies.get(same));
  });

  it('with other bytes than the manifest says are no answer', async () => {
    const bodies = new BodyCache(50_000);
    const [longer, other, gone] = await variants('changed', [4000, 4000, 4000]);
    assert.ok(longer && other && gone);
    await writeFile(fileOf(longer), Buffer.concat([bytesOf(4000, 0), Buffer.from('!')]));
    await writeFile(fileOf(other), bytesOf(4000, 7));
    await rm(fileOf(gone));
    for (const variant of [longer, other]) await assert.rejects(bodies.read(variant), /other bytes than/);
    await assert.rejects(bodies.read(gone), MissingFile);
    await writeFile(fileOf(other), bytesOf(4000, 1));
    assert.deepEqual(asBytes(await bodies.read(other)), bytesOf(4000, 1));
  });
});

/** The bytes of a body, in whichever form it is kept. */
function asBytes(body: Body | undefined): Buffer | undefined {
  return typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
}
