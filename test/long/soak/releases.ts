import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleContentDir } from '../../content/sample-bank.ts';
import { type BuildFolders, build } from '../engine/build-process.ts';
import { readStoredRelease, type StoredBody } from '../fuzz/http/stored-release.ts';

/** The number of previous releases that are kept, as a gateway may still serve them. */
const keptBefore = 1;
const minute = 60_000;

/** A body, and the numbers of the first and the last release that contain it, from 0. */
interface SoakBody {
  readonly served: StoredBody;
  readonly first: number;
  readonly last: number;
}

/**
 * Builds a release from the sample bank, and others one after the other, in which every paper, and so the list of every
 * year, differs.
 */
export async function startReleases(places: BuildFolders) {
  await cp(sampleContentDir, places.content, { recursive: true });
  const folders: string[] = [];
  /** Bodies by path and ETag. */
  const served = new Map<string, SoakBody>();

  async function buildNext(): Promise<readonly StoredBody[]> {
    const number = folders.length;
    if (number > 0) await edit(places.content, number);
    const folder = await build(places);
    const release = await readStoredRelease(places.dist);
    for (const body of release) {
      const name = `${body.path} ${body.etag}`;
      served.set(name, { served: body, first: served.get(name)?.first ?? number, last: number });
    }
    folders.push(folder);
    const old = folders.at(-2 - keptBefore);
    if (old !== undefined) await rm(old, { recursive: true });
    return release;
  }

  let building = buildNext();
  return {
    /** The first release; the others have the same paths. */
    first: await building,
    /** Edits every paper, builds a release, and makes it the current one. */
    async next(): Promise<void> {
      building = buildNext();
      await building;
    },
    /** Finds the body with an ETag at a path; undefined if no release has it. */
    async find(path: string, etag: string): Promise<SoakBody | undefined> {
      const name = `${path} ${etag}`;
      // The gateway may already serve the release that is being built.
      if (!served.has(name)) await building;
      return served.get(name);
    },
  };
}

/** Changes every paper. */
async function edit(content: string, number: number): Promise<void> {
  const paths = (await readdir(content, { recursive: true })).filter(
    (path) => path.split('/').length === 4,
  );
  // Not translations, which have no property that changes without the original, and not what describes a shift.
  for (const path of paths.filter((one) => /\/(?!shift\.json)[^/.]+\.json$/.test(one))) {
    const file = join(content, path);
    const paper = JSON.parse(await readFile(file, 'utf8'));
    paper.lastUpdated = new Date(Date.parse(paper.lastUpdated) + minute).toISOString();
    paper.questions[number % paper.questions.length].marking = { correct: 1 + (number % 1000) };
    await writeFile(file, JSON.stringify(paper, undefined, 2));
  }
}
