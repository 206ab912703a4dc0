import assert from 'node:assert/strict';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleContentDir } from '../../content/sample-bank.ts';
import { type BuildFolders, build } from '../engine/build-process.ts';
import { readStoredRelease, type StoredBody, type StoredRelease } from '../fuzz/http/stored-release.ts';

/** The number of previous releases that are kept, as a gateway may still serve them. */
const keptBefore = 1;
const minute = 60_000;

/** A body, and the numbers of the first and the last release that contain it, from 0. */
interface SoakBody {
  readonly served: StoredBody;
  readonly first: number;
  readonly last: number;
}

/** Builds releases one after the other, in which every paper, and so the list of every year, differs. */
export class Releases {
  readonly #places: BuildFolders;
  readonly #folders: string[] = [];
  /** Bodies by path and ETag, with the numbers of the first and the last release that contain them. */
  readonly #served = new Map<string, SoakBody>();
  #first: StoredRelease | undefined;
  #building: Promise<void> = Promise.resolve();

  private constructor(places: BuildFolders) {
    this.#places = places;
  }

  /** Builds the first release, from the sample bank. */
  static async create(places: BuildFolders): Promise<Releases> {
    await cp(sampleContentDir, places.content, { recursive: true });
    const releases = new Releases(places);
    await releases.next();
    return releases;
  }

  /** The number of releases so far. */
  get count(): number {
    return this.#folders.length;
  }

  /** The content of the first release; the others have the same paths. */
  get first(): StoredRelease {
    return this.#first ?? assert.fail('Nothing was built.');
  }

  /** Edits every paper, builds a release, and makes it the current one. */
  next(): Promise<void> {
    this.#building = this.#next();
    return this.#building;
  }

  /**
   * Finds the body with an ETag at a path.
   *
   * @returns undefined if no release has it
   */
  async find(path: string, etag: string): Promise<SoakBody | undefined> {
    const name = `${path} ${etag}`;
    const known = this.#served.get(name);
    if (known) return known;
    // The gateway may already serve the release that is being built.
    await this.#building;
    return this.#served.get(name);
  }

  async #next(): Promise<void> {
    const number = this.#folders.length;
    if (number > 0) await this.#edit(number);
    const folder = await build(this.#places);
    const release = await readStoredRelease(folder);
    this.#first ??= release;
    for (const served of [...release.resources.public.values(), ...release.resources.protected.values()].flat()) {
      const name = `${served.path} ${served.etag}`;
      this.#served.set(name, { served, first: this.#served.get(name)?.first ?? number, last: number });
    }
    this.#folders.push(folder);
    const old = this.#folders.at(-2 - keptBefore);
    if (old !== undefined) await rm(old, { recursive: true });
  }

  async #edit(number: number): Promise<void> {
    const { content } = this.#places;
    const paths = (await readdir(content, { recursive: true })).filter((path) => path.split('/').length === 4);
    // Not translations, which have no property that changes without the original.
    for (const path of paths.filter((one) => /\/[^/.]+\.json$/.test(one))) {
      const file = join(content, path);
      const paper = JSON.parse(await readFile(file, 'utf8'));
      paper.lastUpdated = new Date(Date.parse(paper.lastUpdated) + minute).toISOString();
      paper.questions[number % paper.questions.length].marking = { correct: 1 + (number % 1000) };
      await writeFile(file, JSON.stringify(paper, undefined, 2));
    }
  }
}
