import assert from 'node:assert/strict';
import { objectsOf as reachedObjects } from '../../build/release/objects.ts';
import { type Release, readCurrent, readRelease } from '../../build/release/read.ts';
import { findDamage } from '../../build/release/verify.ts';

/**
 * Reads a release, all of whose files must be undamaged.
 *
 * @param name its folder under `releases/`; default: the current one
 * @throws DamagedRelease; AssertionError with what is damaged
 */
export async function verifiedRelease(distDir: string, name?: string): Promise<Release> {
  const release =
    name === undefined ? await readCurrent(distDir) : await readRelease(distDir, name);
  const { problems } = await findDamage(release);
  assert.deepEqual(problems, []);
  return release;
}

/** The id of a release, all of whose files must be undamaged. */
export async function verifiedId(distDir: string, name?: string): Promise<string> {
  return (await verifiedRelease(distDir, name)).root.id;
}

/** The sizes in bytes of all objects that the current release reaches, by hash. */
export async function objectsOf(distDir: string): Promise<ReadonlyMap<string, number>> {
  const objects = await reachedObjects(await readCurrent(distDir));
  return new Map(Array.from(objects, ([sha256, { size }]) => [sha256, size]));
}
