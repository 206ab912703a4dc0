import { Memory } from '../cache.ts';
import type { Report } from '../check/diagnostic.ts';
import { censusOf } from '../content/stamps.ts';
import { compiledProgram } from '../program.js';
import { switchCurrent } from '../release/switch.ts';
import { LastRelease } from './last-release.ts';
import { type BuildResult, bytesOf, Stopwatch } from './result.ts';

/** Where a build finds what, and where it puts it. */
interface Places {
  readonly contentDir: string;
  readonly distDir: string;
  readonly dataDir: string;
  readonly now: Date;
}

/** What is remembered of a build that published. */
interface Remembered {
  /** Of the content that it was made of. */
  readonly census: string;
  /** Of the release that it published. */
  readonly id: string;
  readonly report: Report;
}

/** The last build, which stands as long as no file of the content is another one, and none of its release. */
export class StandingBuild {
  readonly #places: Places;
  readonly #memory: Memory;
  /** Taken before any file is read, so that what is saved meanwhile is found the next time. */
  readonly #census: string | undefined;
  readonly #stopwatch = new Stopwatch(() => performance.now());

  private constructor(places: Places, memory: Memory, census: string | undefined) {
    this.#places = places;
    this.#memory = memory;
    this.#census = census;
  }

  static async open(places: Places): Promise<StandingBuild> {
    const memory = new Memory(places.dataDir, 'build', (await compiledProgram()).version);
    return new StandingBuild(places, memory, censusOf(places.contentDir, places.now.getTime()));
  }

  /**
   * What a build would come to that finds nothing changed; undefined where it may find something.
   *
   * @throws the file system's own error when `distDir` cannot be written
   */
  async result(): Promise<BuildResult | undefined> {
    const { distDir, now } = this.#places;
    const stored = await this.#memory.read();
    if (!stored || this.#census === undefined) return undefined;
    const { census, id, report }: Remembered = JSON.parse(stored.toString());
    if (census !== this.#census) return undefined;
    this.#stopwatch.lap('find');
    const last = await LastRelease.open(distDir);
    if (last?.manifest.id !== id || !last.isWhole()) return undefined;
    const { folder, manifest } = last;
    const changedUrls = await switchCurrent(distDir, last, now);
    this.#stopwatch.lap('look at the release');
    const taken = [manifest.public, manifest.protected].flatMap(Object.keys).length;
    const figures = { bytes: bytesOf(manifest), stages: this.#stopwatch.laps, slowest: [] };
    return {
      report,
      publication: { manifest, folder, changedUrls, taken, made: 0, figures },
    };
  }

  /** Keeps what a build came to. */
  async remember({ report, publication }: BuildResult): Promise<void> {
    if (!publication || this.#census === undefined) return;
    const remembered: Remembered = { census: this.#census, id: publication.manifest.id, report };
    await this.#memory.write(() => [Buffer.from(JSON.stringify(remembered))]);
  }
}
