import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { readRelease } from '../../../build/release/read.ts';
import { readTable } from '../../../gateway/release/current-release.ts';
import { DamagedBody } from '../../../gateway/release/files.ts';
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
      assert.equal(bodies.get(variant), undefined);
      const expected = bytesOf(sizes[index] ?? 0, index);
      assert.deepEqual(asBytes(await bodies.read(variant)), expected);
      await rm(fileOf(variant));
      assert.deepEqual(asBytes(bodies.get(variant)), expected);
    }
  });

  it('reads a body once for concurrent requests', async () => {
    const bodies = new BodyCache(1_000_000);
    const [variant] = await variants('at-once', [5000]);
    assert.ok(variant);
    const [one, other] = [bodies.read(variant), bodies.read(variant)];
    assert.equal(one, other);
    assert.equal(await one, await other);
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
      assert.ok(bodies.get(used));
    }
    const kept = all.filter((variant) => bodies.get(variant) !== undefined);
    assert.ok(kept.length > 5 && kept.length * 4000 <= 50_000, String(kept.length));
  });

  it('keeps bodies whose bytes are the same in the next release', async () => {
    const bodies = new BodyCache(50_000);
    const [one] = await variants('one', [4000]);
    const [same] = await variants('same', [4000]);
    assert.ok(one && same);
    await bodies.read(one);
    assert.ok(bodies.get(same));
  });

  it('rejects bodies that do not match their hash', async () => {
    const bodies = new BodyCache(50_000);
    const [longer, changed, missing] = await variants('changed', [4000, 4000, 4000]);
    assert.ok(longer && changed && missing);
    await writeFile(fileOf(longer), Buffer.concat([bytesOf(4000, 0), Buffer.from('!')]));
    await writeFile(fileOf(changed), bytesOf(4000, 7));
    await rm(fileOf(missing));
    for (const variant of [longer, changed, missing])
      await assert.rejects(bodies.read(variant), DamagedBody);
    await writeFile(fileOf(changed), bytesOf(4000, 1));
    assert.deepEqual(asBytes(await bodies.read(changed)), bytesOf(4000, 1));
  });
});

/** The bytes of a body, which is cached as a string or a buffer. */
function asBytes(body: Body | undefined): Buffer | undefined {
  return typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
}
