import { lstat, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { inTime } from '../../build/release/in-time.ts';
import { currentLink, DamagedRelease } from '../../build/release/manifest.ts';
import type { Log } from '../log/log.ts';
import { readRelease, readReleaseAside } from './read-release.ts';
import type { Release } from './release.ts';

/** Milliseconds from one look at the link to the next: on every file system it is seen that way. */
const lookInterval = 1_000;

/** Milliseconds until a release that was refused is tried again, for it may be mended where it stands. */
const refusedTime = 60_000;

/** Milliseconds for which a request, or the end of the process, waits for a look: it takes as long as the disk does. */
const lookPatience = 5_000;

/** The release that `dist/current` names, and each that takes its place: whole, or not at all. */
export class CurrentRelease {
  readonly #distDir: string;
  readonly #log: Log;
  readonly #end = new AbortController();
  #current: Release;
  #marks: string;
  /** How the link looked when the release was read that it named. */
  #seen: Look | undefined;
  #refused: { readonly mark: string; readonly until: number } | undefined;
  /** The look under way or the last one, and the one after it. */
  #looking: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  readonly #timer: NodeJS.Timeout;

  private constructor(distDir: string, log: Log, seen: Look | undefined, current: Release, marks: string) {
    this.#distDir = distDir;
    this.#log = log;
    this.#seen = seen;
    this.#current = current;
    this.#marks = marks;
    this.#timer = setInterval(() => void this.look(), lookInterval).unref();
  }

  /**
   * Reads the current release, every file of it held against the manifest.
   *
   * @throws DamagedRelease when there is none, or a file of it is missing or changed
   */
  static async open(distDir: string, log: Log): Promise<CurrentRelease> {
    const link = join(distDir, currentLink);
    const seen = await lookOf(link);
    // Resolved once, so that a release published later cannot mix with this one.
    const folder = await realpath(link).catch(() => {
      throw new DamagedRelease(`${link} is missing`);
    });
    const { release, marks } = await readRelease(folder);
    return new CurrentRelease(distDir, log, seen, release, marks);
  }

  /** To be asked once a request: what comes from it belongs together. */
  get current(): Release {
    return this.#current;
  }

  /**
   * When the current release became the one to serve, whichever process does: milliseconds since 1970, UTC. Undefined
   * where no link names it.
   */
  get publishedAt(): number | undefined {
    return this.#seen?.at;
  }

  /** Whether the link names a release that is damaged, so that the one before it is served. */
  get isRefusing(): boolean {
    return this.#refused !== undefined;
  }

  /**
   * Takes up the release that the link names now, if it is another one; a damaged one is refused and logged. A look
   * that is under way may have come too early: then there is one more.
   */
  look(): Promise<void> {
    this.#next ??= this.#looking.then(() => {
      this.#next = undefined;
      this.#looking = this.#look();
      return this.#looking;
    });
    return this.#next;
  }

  /** Looks as well at a release that was refused. */
  lookAgain(): Promise<void> {
    this.#refused = undefined;
    return this.look();
  }

  /**
   * Looks, but waits no longer than a request can.
   *
   * @throws Error when the look takes longer
   */
  lookInTime(): Promise<void> {
    return inTime(
      this.look(),
      lookPatience,
      () => new Error(`${this.#distDir} does not answer: its disk hangs.`),
    );
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#end.abort();
    // What hangs keeps no process from its end.
    await this.lookInTime().catch(() => {});
  }

  async #look(): Promise<void> {
    if (this.#end.signal.aborted) return;
    const link = join(this.#distDir, currentLink);
    const seen = await lookOf(link);
    if (seen?.mark === this.#seen?.mark) this.#refused = undefined;
    if (seen === undefined || seen.mark === this.#seen?.mark || this.#isRefused(seen)) return;
    try {
      const folder = await realpath(link);
      const { release, marks } = await readReleaseAside(folder, this.#marks, this.#end.signal);
      this.#log(`Release ${release.id} is served now, in place of ${this.#current.id}.`, undefined, {
        level: 'info',
        release: release.id,
      });
      this.#current = release;
      this.#marks = marks;
      this.#seen = seen;
      this.#refused = undefined;
    } catch (error) {
      if (this.#end.signal.aborted) return;
      // It may have been pruned because there is a newer one: then that is looked at next.
      if ((await lookOf(link))?.mark !== seen.mark) return;
      this.#refused = { mark: seen.mark, until: performance.now() + refusedTime };
      const { message } = error as Error;
      this.#log(
        `A new release is refused, and ${this.#current.id} is served further: ${message}.`,
        undefined,
        {
          level: 'error',
        },
      );
    }
  }

  #isRefused({ mark }: Look): boolean {
    return this.#refused?.mark === mark && performance.now() < this.#refused.until;
  }
}

/** How the link looks. */
interface Look {
  /** Another one when the link is switched, even to a release that it has named before. */
  readonly mark: string;
  /** When it was switched: milliseconds since 1970, UTC. */
  readonly at: number;
}

/** @returns undefined when the link is not there */
async function lookOf(link: string): Promise<Look | undefined> {
  try {
    const { ino, mtimeNs, mtimeMs } = await lstat(link, { bigint: true });
    return { mark: `${await readlink(link)} ${ino} ${mtimeNs}`, at: Number(mtimeMs) };
  } catch {
    return undefined;
  }
}
