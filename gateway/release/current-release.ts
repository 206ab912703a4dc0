import { lstat, readlink, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { currentLink, DamagedRelease } from '../../build/release/manifest.ts';
import { releaseNames } from '../../build/release/releases.ts';
import { inTime } from '../../build/release/waits.ts';
import type { Log } from '../log/logger.ts';
import { readDamaged, readRelease, type VerifiedRelease } from './release-request.ts';
import type { ManifestPart, Release } from './response-table.ts';

/** Milliseconds between two checks of the link. Polling works on every file system. */
const checkInterval = 1_000;

/** Milliseconds until a rejected release is tried again, for it may be repaired in place. */
const retryTime = 60_000;

/** Milliseconds for which a request, or the end of the process, waits for a check, which takes as long as the disk. */
const checkTimeout = 5_000;

/** What requests need of the current release. */
export type Releases = Pick<CurrentRelease, 'current' | 'refreshInTime'>;

/** Other processes, which switch to each new release together with this one. */
export interface ReleaseFollowers {
  /** @param folder of a new release, whose parts follow once it is verified */
  begin(folder: string): void;
  add(part: ManifestPart): void;
  /** Resolves when all parts have arrived, or a process takes too long. */
  ready(): Promise<void>;
  /** The new release is current now. */
  switchTo(release: VerifiedRelease): void;
}

/** The release that `dist/current` names, replaced as a whole by each release that is published later. */
export class CurrentRelease {
  /** The link `dist/current`. */
  readonly #path: string;
  readonly #log: Log;
  readonly #program: string | undefined;
  readonly #end = new AbortController();
  /** Set by the process that has some. */
  followers: ReleaseFollowers | undefined;
  /** Set if releases are pulled from a store. */
  source: { readonly isRejecting: boolean } | undefined;
  #current: VerifiedRelease;
  /** The link when the current release was read. */
  #link: LinkState | undefined;
  #rejected: { readonly mark: string; readonly until: number; readonly problem: string } | undefined;
  /** The running or last check, and the one after it. */
  #checking: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  readonly #timer: NodeJS.Timeout;

  private constructor(
    path: string,
    log: Log,
    program: string | undefined,
    link: LinkState | undefined,
    current: VerifiedRelease,
  ) {
    this.#path = path;
    this.#log = log;
    this.#program = program;
    this.#link = link;
    this.#current = current;
    this.#timer = setInterval(() => void this.refresh(), checkInterval).unref();
  }

  /**
   * Reads the current release and verifies every file of it. If it is damaged, the last intact one is served instead or,
   * without one, its other files.
   *
   * @param program the compiled `release-process.ts`, which reads later releases; without it they are read in this
   *   process
   * @throws DamagedRelease when there is none, or its manifest cannot be used
   */
  static async open(distDir: string, log: Log, program?: string): Promise<CurrentRelease> {
    const path = join(distDir, currentLink);
    const link = await readLink(path);
    // Resolved once, so that a release published later cannot mix with this one.
    const folder = await realpath(path).catch(() => {
      throw new DamagedRelease(`${path} is missing`);
    });
    try {
      return new CurrentRelease(path, log, program, link, await readRelease(folder));
    } catch (error) {
      if (!(error instanceof DamagedRelease)) throw error;
      if (link === undefined) throw error;
      const served = (await lastIntact(distDir, folder)) ?? (await readDamaged(folder));
      const opened = new CurrentRelease(path, log, program, undefined, served);
      const problem = `The current release cannot be served: ${error.message}.`;
      opened.#reject(link, served.damage ? damagedFiles(served.damage) : problem);
      return opened;
    }
  }

  /** Read it once per request, so that all of a response comes from one release. */
  get current(): Release {
    return this.#current.release;
  }

  /** The folder of the current release. */
  get folder(): string {
    return this.#current.folder;
  }

  /** Which files of the current release were verified; see `verifyRelease`. */
  get marks(): string {
    return this.#current.marks;
  }

  /** When the current release was published: milliseconds since 1970, UTC. Undefined if no link names it. */
  get publishedAt(): number | undefined {
    return this.#link?.changedAt;
  }

  /**
   * Whether the link names a damaged release, or the source one that cannot be used, so that the one before it is
   * served, or only a part of it.
   */
  get isRejecting(): boolean {
    return this.#rejected !== undefined || this.source?.isRejecting === true;
  }

  /** What is wrong with the release that the link names, if it cannot be served as a whole. */
  get problem(): string | undefined {
    return this.#rejected?.problem;
  }

  /**
   * Checks the link and switches to the release that it names; a damaged one is rejected and logged. A check that is
   * running may have read the link too early, so another one follows it.
   */
  refresh(): Promise<void> {
    this.#next ??= this.#checking.then(() => {
      this.#next = undefined;
      this.#checking = this.#check();
      return this.#checking;
    });
    return this.#next;
  }

  /** Tries a rejected release again, too. */
  reload(): Promise<void> {
    this.#rejected = undefined;
    return this.refresh();
  }

  /** Refreshes, but waits no longer than a request can. @throws Error when it takes longer */
  refreshInTime(): Promise<void> {
    return inTime(
      this.refresh(),
      checkTimeout,
      () => new Error(`${this.#path} cannot be read in time: the disk does not respond.`),
    );
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#end.abort();
    // A disk that hangs must not keep the process from ending.
    await this.refreshInTime().catch(() => {});
  }

  async #check(): Promise<void> {
    const { signal } = this.#end;
    if (signal.aborted) return;
    const link = await readLink(this.#path);
    if (link?.mark === this.#link?.mark) this.#rejected = undefined;
    if (link === undefined || link.mark === this.#link?.mark || this.#isRejected(link)) return;
    const { id } = this.current;
    try {
      const next = await this.#read(await realpath(this.#path));
      const release = next.release.id;
      await this.followers?.ready();
      this.#log(`Now serving release ${release} instead of ${id}.`, undefined, { level: 'info', release });
      this.#current = next;
      this.followers?.switchTo(next);
      this.#link = link;
      this.#rejected = undefined;
    } catch (error) {
      if (signal.aborted) return;
      // It may have been pruned because there is a newer one, which the next check finds.
      if ((await readLink(this.#path))?.mark !== link.mark) return;
      this.#reject(link, `The new release cannot be served: ${(error as Error).message}.`);
    }
  }

  #reject({ mark }: LinkState, problem: string): void {
    this.#rejected = { mark, until: performance.now() + retryTime, problem };
    this.#log(`${problem} The gateway keeps serving ${this.current.id}.`, undefined, { level: 'error' });
  }

  #read(folder: string): Promise<VerifiedRelease> {
    this.followers?.begin(folder);
    return readRelease(folder, this.#current.marks, this.#program, this.#end.signal, (part) =>
      this.followers?.add(part),
    );
  }

  #isRejected({ mark }: LinkState): boolean {
    return this.#rejected?.mark === mark && performance.now() < this.#rejected.until;
  }
}

/** How many damaged files a log line names. */
const maxNamed = 10;

function damagedFiles(damage: readonly string[]): string {
  const named = damage.slice(0, maxNamed).join('; ');
  const more = damage.length > maxNamed ? `; and ${damage.length - maxNamed} more` : '';
  return `The current release has damaged files, which are not served: ${named}${more}.`;
}

/** The release that was current last and has no damaged file, except the one in a folder. */
async function lastIntact(distDir: string, damaged: string): Promise<VerifiedRelease | undefined> {
  for (const name of await releaseNames(distDir)) {
    const folder = join(dirname(damaged), name);
    const release = folder === damaged ? undefined : await readRelease(folder).catch(() => undefined);
    if (release) return release;
  }
  return undefined;
}

interface LinkState {
  /** Changes when the link is switched, even to a release that it named before. */
  readonly mark: string;
  /** When it was switched: milliseconds since 1970, UTC. */
  readonly changedAt: number;
}

/** @returns undefined when there is no link */
async function readLink(path: string): Promise<LinkState | undefined> {
  try {
    const { ino, mtimeNs, mtimeMs } = await lstat(path, { bigint: true });
    return { mark: `${await readlink(path)} ${ino} ${mtimeNs}`, changedAt: Number(mtimeMs) };
  } catch {
    return undefined;
  }
}
