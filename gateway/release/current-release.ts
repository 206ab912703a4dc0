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

export type CurrentRelease = Awaited<ReturnType<typeof openCurrentRelease>>;

/**
 * The release that `dist/current` names, replaced as a whole by each release that is published later. Opening it reads
 * it and verifies every file of it. If it is damaged, the last intact one is served instead or, without one, its other
 * files.
 *
 * @param program the compiled `release-process.ts`, which reads later releases; without it they are read in this process
 * @throws DamagedRelease when there is none, or its manifest cannot be used
 */
export async function openCurrentRelease(distDir: string, log: Log, program?: string) {
  /** The link `dist/current`. */
  const path = join(distDir, currentLink);
  const end = new AbortController();
  /** The link when the current release was read. */
  let link = await readLink(path);
  let rejected:
    | { readonly mark: string; readonly until: number; readonly problem: string }
    | undefined;
  /** The running or last check, and the one after it. */
  let checking: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  let current = await first();
  const timer = setInterval(() => void refresh(), checkInterval).unref();

  async function first(): Promise<VerifiedRelease> {
    // Resolved once, so that a release published later cannot mix with this one.
    const folder = await realpath(path).catch(() => {
      throw new DamagedRelease(`${path} is missing`);
    });
    try {
      return await readRelease(folder);
    } catch (error) {
      if (!(error instanceof DamagedRelease)) throw error;
      if (link === undefined) throw error;
      const served = (await lastIntact(distDir, folder)) ?? (await readDamaged(folder));
      const problem = `The current release cannot be served: ${error.message}.`;
      reject(link, served.damage ? damagedFiles(served.damage) : problem, served);
      link = undefined;
      return served;
    }
  }

  /**
   * Checks the link and switches to the release that it names; a damaged one is rejected and logged. A check that is
   * running may have read the link too early, so another one follows it.
   */
  function refresh(): Promise<void> {
    next ??= checking.then(() => {
      next = undefined;
      checking = check();
      return checking;
    });
    return next;
  }

  /** Refreshes, but waits no longer than a request can. @throws Error when it takes longer */
  function refreshInTime(): Promise<void> {
    return inTime(
      refresh(),
      checkTimeout,
      () => new Error(`${path} cannot be read in time: the disk does not respond.`),
    );
  }

  async function check(): Promise<void> {
    const { signal } = end;
    if (signal.aborted) return;
    const found = await readLink(path);
    if (found === undefined || isRejected(found)) return;
    if (found.mark === link?.mark) {
      rejected = undefined;
      return;
    }
    const { id } = current.release;
    try {
      const latest = await read(await realpath(path));
      const release = latest.release.id;
      await opened.followers?.ready();
      log(`Now serving release ${release} instead of ${id}.`, undefined, {
        level: 'info',
        release,
      });
      current = latest;
      opened.followers?.switchTo(latest);
      link = found;
      rejected = undefined;
    } catch (error) {
      if (signal.aborted) return;
      // It may have been pruned because there is a newer one, which the next check finds.
      if ((await readLink(path))?.mark !== found.mark) return;
      reject(found, `The new release cannot be served: ${(error as Error).message}.`);
    }
  }

  function reject({ mark }: LinkState, problem: string, { release } = current): void {
    rejected = { mark, until: performance.now() + retryTime, problem };
    log(`${problem} The gateway keeps serving ${release.id}.`, undefined, { level: 'error' });
  }

  function read(folder: string): Promise<VerifiedRelease> {
    opened.followers?.begin(folder);
    return readRelease(folder, current.marks, program, end.signal, (part) =>
      opened.followers?.add(part),
    );
  }

  function isRejected({ mark }: LinkState): boolean {
    return rejected?.mark === mark && performance.now() < rejected.until;
  }

  const opened = {
    refresh,
    refreshInTime,
    /** Set by the process that has some. */
    followers: undefined as ReleaseFollowers | undefined,
    /** Set if releases are pulled from a store. */
    source: undefined as { readonly isRejecting: boolean } | undefined,

    /** Read it once per request, so that all of a response comes from one release. */
    get current(): Release {
      return current.release;
    },

    /** The folder of the current release. */
    get folder(): string {
      return current.folder;
    },

    /** Which files of the current release were verified; see `verifyRelease`. */
    get marks(): string {
      return current.marks;
    },

    /** When the current release was published: milliseconds since 1970, UTC. Undefined if no link names it. */
    get publishedAt(): number | undefined {
      return link?.changedAt;
    },

    /**
     * Whether the link names a damaged release, or the source one that cannot be used, so that the one before it is
     * served, or only a part of it.
     */
    get isRejecting(): boolean {
      return rejected !== undefined || opened.source?.isRejecting === true;
    },

    /** What is wrong with the release that the link names, if it cannot be served as a whole. */
    get problem(): string | undefined {
      return rejected?.problem;
    },

    /** Tries a rejected release again, too. */
    reload(): Promise<void> {
      if (rejected) rejected = { ...rejected, until: 0 };
      return refresh();
    },

    async close(): Promise<void> {
      clearInterval(timer);
      end.abort();
      // A disk that hangs must not keep the process from ending.
      await refreshInTime().catch(() => {});
    },
  };
  return opened;
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
    const release =
      folder === damaged ? undefined : await readRelease(folder).catch(() => undefined);
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
