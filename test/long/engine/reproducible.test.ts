import assert from 'node:assert/strict';
import { chmod, realpath, utimes } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../build/command.ts';
import { filesBelow } from '../../build/release-folder.ts';
import { verifiedRelease } from '../../build/verified-release.ts';
import { build, buildCold, newBuildFolders } from './build-process.ts';
import { ContentFolder, editedContents, mediumBank } from './medium-bank.ts';

const files = mediumBank();
const folder = await ContentFolder.of(files);
const content = folder.dir;
const buildFolders = await newBuildFolders(content);
await build(buildFolders);
const expected = await filesOf(buildFolders.dist);

/** The root, which has the hashes of all objects, and the public files of an undamaged release. */
async function filesOf(dist: string): Promise<ReadonlyMap<string, Buffer>> {
  await verifiedRelease(dist);
  return filesBelow(await realpath(join(dist, 'current')));
}

/** Compares the names and bytes of all files of two releases. */
function assertSame(
  actual: ReadonlyMap<string, Buffer>,
  wanted: ReadonlyMap<string, Buffer>,
): void {
  assert.deepEqual([...actual.keys()], [...wanted.keys()]);
  for (const [path, bytes] of wanted) assert.ok(actual.get(path)?.equals(bytes), path);
}

describe('The same content produces the same bytes', () => {
  it('with a time zone east of the date line, a Turkish locale, umask 077 and another order of directory entries', async () => {
    const dist = await buildCold(content, {
      settings: { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
      wrapper: ['/bin/sh', '-c', 'umask 077; exec "$@"', 'sh'],
      preload: [fileURLToPath(new URL('shuffled-listings.mjs', import.meta.url))],
    });
    assertSame(await filesOf(dist), expected);
  });

  it('with a time zone west of it, the C locale, umask 000, and files with another creation order, other times and permissions', async () => {
    const { dir } = await ContentFolder.of(Object.fromEntries(Object.entries(files).reverse()));
    for (const path of Object.keys(files)) {
      await utimes(join(dir, path), path.length, path.length * 1000);
      await chmod(join(dir, path), 0o400);
    }
    const dist = await buildCold(dir, {
      settings: { TZ: 'America/Adak', LANG: 'C', LC_ALL: 'C' },
      wrapper: ['/bin/sh', '-c', 'umask 000; exec "$@"', 'sh'],
    });
    assertSame(await filesOf(dist), expected);
  });

  const oneCore = ['taskset', '--cpu-list', '0'];
  const skip =
    (availableParallelism() < 2 && 'this machine has one core') ||
    (process.platform !== 'linux' && 'taskset requires Linux');
  it('on one core and on all', { skip }, async () => {
    const dist = await buildCold(content, { wrapper: oneCore });
    assertSame(await filesOf(dist), expected);
  });
});

const seed = 2026;

it('A build with a cache produces the same bytes as one without, after edits in any order', async (test) => {
  const { dist, data } = buildFolders;
  for (const edited of editedContents(files, seed)) {
    test.diagnostic(edited.name);
    await folder.update(edited.files);
    const settings = { CONTENT_DIR: content, DIST_DIR: dist, DATA_DIR: data };
    const { status, stderr } = await runCommand(['build'], settings);
    assert.equal(status, 0, stderr);
  }
  const built = await filesOf(dist);
  assertSame(built, await filesOf(await buildCold(content)));
  // Whatever was built before.
  const { dir } = await ContentFolder.of(editedContents(files, seed).at(-1)?.files ?? {});
  assertSame(built, await filesOf(await buildCold(dir)));
});
