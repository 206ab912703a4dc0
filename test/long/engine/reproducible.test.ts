import assert from 'node:assert/strict';
import { chmod, realpath, utimes } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Files, temporaryFolder } from '../../build/bank-folder.ts';
import { runCommand } from '../../build/command.ts';
import { filesBelow } from '../../build/release-folder.ts';
import { build, buildCold, coldPlaces } from './build-process.ts';
import { ContentFolder, writeContent } from './content-folder.ts';
import { editedContents } from './edits.ts';
import { mediumBank } from './medium-bank.ts';

const files = mediumBank();
const folder = await folderOf(files);
const content = folder.dir;
const places = await coldPlaces(content);
const first = await build(places);
const expected = await filesBelow(first);

async function folderOf(all: Files): Promise<ContentFolder> {
  const folder = new ContentFolder(await temporaryFolder());
  await folder.become(all);
  return folder;
}

/** Every file of two releases, by name and bytes. */
function assertSame(actual: ReadonlyMap<string, Buffer>, wanted: ReadonlyMap<string, Buffer>): void {
  assert.deepEqual([...actual.keys()], [...wanted.keys()]);
  for (const [path, bytes] of wanted) assert.ok(actual.get(path)?.equals(bytes), path);
}

/** What a release says of the one before it, and what lists that: nothing else of it depends on it. */
const tellsOfLast =
  /^(manifest\.json|hosts\/.*|public\/docs\/catalogue(\/.*)?\/?index\.html(\.br|\.gz)?|public\/docs\/catalogue\/changes\.json(\.br|\.gz)?)$/;

function apartFromLast(release: ReadonlyMap<string, Buffer>): Map<string, Buffer> {
  return new Map([...release].filter(([path]) => !tellsOfLast.test(path)));
}

describe('The same content gives the same bytes', () => {
  it('east of the date line, under a Turkish locale, where nobody else may read new files, from folders that are listed in another order', async () => {
    const release = await buildCold(content, undefined, {
      settings: { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
      before: ['/bin/sh', '-c', 'umask 077; exec "$@"', 'sh'],
      preload: [fileURLToPath(new URL('shuffled-listings.mjs', import.meta.url))],
    });
    assertSame(await filesBelow(release), expected);
  });

  it('west of it, under the locale of C, where everybody may write new files, from files that were made in another order, at other times, with other rights', async () => {
    const folder = await temporaryFolder();
    for (const [path, file] of Object.entries(files).reverse()) {
      await writeContent(join(folder, path), file);
      await utimes(join(folder, path), path.length, path.length * 1000);
      await chmod(join(folder, path), 0o400);
    }
    const release = await buildCold(folder, undefined, {
      settings: { TZ: 'America/Adak', LANG: 'C', LC_ALL: 'C' },
      before: ['/bin/sh', '-c', 'umask 000; exec "$@"', 'sh'],
    });
    assertSame(await filesBelow(release), expected);
  });

  const oneCore = ['taskset', '--cpu-list', '0'];
  const skip =
    (availableParallelism() < 2 && 'this machine has one core') ||
    (process.platform !== 'linux' && 'taskset is of Linux');
  it('on one core as on all', { skip }, async () => {
    const release = await buildCold(content, undefined, { before: oneCore });
    assertSame(await filesBelow(release), expected);
  });

  it('built again, where everything is remembered', async () => {
    assert.equal(await build(places), first);
    assertSame(await filesBelow(first), expected);
  });
});

describe('A build on top of others gives the bytes of one with nothing remembered', () => {
  const seed = 2026;

  it('after every kind of edit, in any order', async (test) => {
    const { dist, data } = places;
    let [before, release] = ['', first];
    for (const edited of editedContents(files, seed)) {
      test.diagnostic(edited.name);
      await folder.become(edited.files);
      const settings = { CONTENT_DIR: content, DIST_DIR: dist, DATA_DIR: data };
      const { status, stderr } = await runCommand(['build'], settings);
      assert.equal(status, 0, stderr);
      before = release;
      release = await realpath(join(dist, 'current'));
    }
    const built = await filesBelow(release);
    assertSame(built, await filesBelow(await buildCold(content, before)));
    // Nor did the release before hand a fault on.
    const { dir } = await folderOf(editedContents(files, seed).at(-1)?.files ?? {});
    const alone = await filesBelow(await buildCold(dir));
    const catalogueHasChanges = 'public/docs/catalogue/changes.json';
    assert.ok(built.has(catalogueHasChanges) && !alone.has(catalogueHasChanges));
    assertSame(apartFromLast(built), apartFromLast(alone));
  });
});
