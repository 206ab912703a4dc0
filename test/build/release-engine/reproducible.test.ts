import assert from 'node:assert/strict';
import { chmod, utimes } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Files, temporaryFolder } from '../bank-folder.ts';
import { filesBelow } from '../release-folder.ts';
import { build, buildCold, coldPlaces, type Surroundings } from './build-process.ts';
import { ContentFolder, writeContent } from './content-folder.ts';
import { editedContents } from './edits.ts';
import { mediumBank } from './medium-bank.ts';

const files = mediumBank();
const content = await contentOf(files);
const expected = await filesBelow(await buildCold(content));

async function contentOf(all: Files): Promise<string> {
  const folder = new ContentFolder(await temporaryFolder());
  await folder.become(all);
  return folder.dir;
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

/** Each test waits for processes of its own. */
const sideBySide = { concurrency: 2 };

describe('The same content gives the same bytes', sideBySide, () => {
  const shuffledListings = fileURLToPath(new URL('shuffled-listings.mjs', import.meta.url));
  const surroundings: readonly [string, Surroundings][] = [
    [
      'east of the date line, under a Turkish locale, where nobody else may read new files',
      {
        settings: { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
        before: ['/bin/sh', '-c', 'umask 077; exec "$@"', 'sh'],
      },
    ],
    [
      'west of it, under the locale of C, where everybody may write new files',
      {
        settings: { TZ: 'America/Adak', LANG: 'C', LC_ALL: 'C' },
        before: ['/bin/sh', '-c', 'umask 000; exec "$@"', 'sh'],
      },
    ],
    ['from folders that are listed in another order', { preload: [shuffledListings] }],
  ];
  for (const [sentence, each] of surroundings) {
    it(sentence, async () => {
      assertSame(await filesBelow(await buildCold(content, undefined, each)), expected);
    });
  }

  const oneCore = ['taskset', '--cpu-list', '0'];
  const skip =
    (availableParallelism() < 2 && 'this machine has one core') ||
    (process.platform !== 'linux' && 'taskset is of Linux');
  it('on one core as on all', { skip }, async () => {
    const release = await buildCold(content, undefined, { before: oneCore });
    assertSame(await filesBelow(release), expected);
  });

  it('from files that were made in another order, at other times, with other rights', async () => {
    const folder = await temporaryFolder();
    for (const [path, file] of Object.entries(files).reverse()) {
      await writeContent(join(folder, path), file);
      await utimes(join(folder, path), path.length, path.length * 1000);
      await chmod(join(folder, path), 0o400);
    }
    assertSame(await filesBelow(await buildCold(folder)), expected);
  });

  it('built again, where everything is remembered', async () => {
    const places = await coldPlaces(content);
    const first = await build(places);
    assert.equal(await build(places), first);
    assertSame(await filesBelow(first), expected);
  });
});

describe('A build on top of others gives the bytes of one with nothing remembered', sideBySide, () => {
  const seed = 2026;

  it('after every kind of edit, in any order', async (test) => {
    const folder = new ContentFolder(await temporaryFolder());
    await folder.become(files);
    const places = await coldPlaces(folder.dir);
    let release = await build(places);
    let before = release;
    for (const edited of editedContents(files, seed)) {
      test.diagnostic(edited.name);
      await folder.become(edited.files);
      before = release;
      release = await build(places);
    }
    const built = await filesBelow(release);
    assertSame(built, await filesBelow(await buildCold(folder.dir, before)));
    // Nor did the release before hand a fault on.
    const alone = await filesBelow(
      await buildCold(await contentOf(editedContents(files, seed).at(-1)?.files ?? {})),
    );
    const catalogueHasChanges = 'public/docs/catalogue/changes.json';
    assert.ok(built.has(catalogueHasChanges) && !alone.has(catalogueHasChanges));
    assertSame(apartFromLast(built), apartFromLast(alone));
  });
});
