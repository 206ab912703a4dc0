import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { readRelease } from '../../../build/release/read.ts';
import { readTable } from '../../../gateway/release/current-release.ts';
import type { Resource, Variant } from '../../../gateway/release/resource.ts';
import { type Body, BodyCache } from '../../../gateway/release/send.ts';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { writeRelease } from './write-release.ts';

const distDir = await temporaryFolder();

/** Writes a release with one exam of each size, all with different bytes. */
async function variants(name: string, sizes: readonly number[]): Promise<Variant[]> {
  const exams = sizes.map((size, index) => ({
    path: `exam${index}`,
    identity: bytesOf(size, index),
  }));
  const responses = exams.map((exam) => ({
    ...exam,
    access: 'public' as const,
    mediaType: 'image/png',
  }));
  await writeRelease(distDir, name, responses, {});
  const release = await readTable(await readRelease(distDir, name));
  return exams.map(({ path }) => (release.find({ kind: 'exam', exam: path }) as Resource).identity);
}

function bytesOf(size: number, seed: number): Buffer {
  return Buffer.from(Array.from({ length: size }, (_, index) => (index * 31 + seed) % 256));
}

function fileOf({ object, pathOf }: Variant): string {
  return pathOf(object);
}

describe('BodyCache', () => {
  it('reads small and large bodies once, and keeps their bytes', async () => {
    const bodies = new BodyCache(1_000_000);
    const sizes = [1, 5000, 100_000];
    for (const [index, variant] of (await variants('kept', sizes)).entries()) {
      assert.equal(cached(bodies, variant), undefined);
      const expected = bytesOf(sizes[index] ?? 0, index);
      assert.deepEqual(asBytes(await bodies.read(variant)), expected);
      await rm(fileOf(variant));
      assert.deepEqual(asBytes(cached(bodies, variant)), expected);
    }
  });

  it('stays within its limit, and keeps the most recently used bodies', async () => {
    const bodies = new BodyCache(50_000);
    const all = await variants(
      'bound',
      Array.from({ length: 40 }, () => 4000),
    );
    const [used] = all;
    assert.ok(used);
    for (const variant of all) {
      await bodies.read(variant);
      assert.ok(cached(bodies, used));
    }
    const kept = all.filter((variant) => cached(bodies, variant) !== undefined);
    assert.ok(kept.length > 5 && kept.length * 4000 <= 50_000, String(kept.length));
  });
});

function cached(bodies: BodyCache, { etag, object, body }: Variant): Body | undefined {
  return bodies.get({ etag, size: object.size, body });
}

/** The bytes of a body, which is cached as a string or a buffer. */
function asBytes(body: Body | undefined): Buffer | undefined {
  return typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
}
