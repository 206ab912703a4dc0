/** The current release, and its responses by the target of a request. The bodies stay on disk. */
import { lstat, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { changesFile } from '../../build/release/changes.ts';
import type { ApiErrorName } from '../../build/release/errors.ts';
import {
  readCurrent,
  readRelease,
  type Release as StoredRelease,
} from '../../build/release/read.ts';
import { releaseNames } from '../../build/release/releases.ts';
import { currentLink, DamagedRelease, type YearIndex, yearsOf } from '../../build/release/root.ts';
import { changesPath } from '../../build/release/urls.ts';
import { inTime } from '../../build/release/waits.ts';
import type { Log } from '../log/logger.ts';
import { nameOf, pathOf, type Target } from '../target.ts';
import { createPack, type Pack, type PackedFile } from './pack.ts';
import { type Resource, resourceInMemory, toResource, type Variant } from './resource.ts';

/** Milliseconds between two checks of the link. Polling works on every file system. */
const checkInterval = 500;

/** Milliseconds until a rejected release is tried again, for it may be repaired in place. */
const retryTime = 60_000;

/** Milliseconds for which the end of the process waits for a check, which takes as long as the disk. */
const closeTimeout = 5_000;

/** What requests need of the current release. */
export type Releases = Pick<CurrentRelease, 'current'>;

export type CurrentRelease = Awaited<ReturnType<typeof openCurrentRelease>>;

/**
 * The release that `dist/current` names, replaced as a whole by each release that is published later. Of a release, its
 * root and the year indexes are read and verified that the one before does not have; bodies are verified when they are
 * read. If the release is damaged, the last one that can be read is served instead.
 *
 * @throws DamagedRelease when there is none
 */
export async function openCurrentRelease(distDir: string, log: Log) {
  /** The link `dist/current`. */
  const path = join(distDir, currentLink);
  let isClosed = false;
  /** The link when the current release was read. */
  let link = await readLink(path);
  let rejected:
    | { readonly target: string; readonly until: number; readonly problem: string }
    | undefined;
  /** The running or last check, and the one after it. */
  let checking: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  let current = await first();
  const timer = setInterval(() => void poll(), checkInterval).unref();

  async function first(): Promise<Release> {
    try {
      return await readTable(await readCurrent(distDir), new Map(), await changes());
    } catch (error) {
      if (!(error instanceof DamagedRelease) || link === undefined) throw error;
      const served = await lastReadable(distDir);
      if (!served) throw error;
      reject(link, `The current release cannot be served: ${error.message}.`, served);
      link = undefined;
      return served;
    }
  }

  /**
   * Checks the link and switches to the release that it names; a damaged one is rejected and logged. A check that is
   * running may have read the link too early, so another one follows it.
   */
  function poll(): Promise<void> {
    next ??= checking.then(() => {
      next = undefined;
      checking = check();
      return checking;
    });
    return next;
  }

  async function check(): Promise<void> {
    const found = isClosed ? undefined : await readLink(path);
    if (found === undefined || isRejected(found)) return;
    if (found.target === link?.target) {
      rejected = undefined;
      return;
    }
    const { id } = current;
    try {
      const latest = await readTable(await readCurrent(distDir), current.years, await changes());
      const release = latest.id;
      log(`Now serving release ${release} instead of ${id}.`, undefined, {
        level: 'info',
        release,
      });
      current = latest;
      link = found;
      rejected = undefined;
    } catch (error) {
      // It may have been pruned because there is a newer one, which the next check finds.
      if ((await readLink(path))?.target !== found.target) return;
      reject(found, `The new release cannot be served: ${(error as Error).message}.`);
    }
  }

  function reject({ target }: LinkState, problem: string, { id } = current): void {
    rejected = { target, until: performance.now() + retryTime, problem };
    log(`${problem} The gateway keeps serving ${id}.`, undefined, { level: 'error' });
  }

  function isRejected({ target }: LinkState): boolean {
    return rejected?.target === target && performance.now() < rejected.until;
  }

  /** Checks the link, and tries a rejected release again, too. */
  function refresh(): Promise<void> {
    if (rejected) rejected = { ...rejected, until: 0 };
    return poll();
  }

  /** The feed of changes, which is beside the releases. */
  async function changes(): Promise<readonly (readonly [string, Resource])[]> {
    const body = await readFile(join(distDir, changesFile)).catch(() => undefined);
    if (!body) return [];
    const compressed = await promisify(gzip)(body);
    return [[changesPath, resourceInMemory('application/feed+json', body, { gzip: compressed })]];
  }

  return {
    refresh,

    /** Read it once per request, so that all of a response comes from one release. */
    get current(): Release {
      return current;
    },

    /** When the current release was published: milliseconds since 1970, UTC. Undefined if no link names it. */
    get publishedAt(): number | undefined {
      return link?.changedAt;
    },

    /** What is wrong with the release that the link names, if another one is served. */
    get problem(): string | undefined {
      return rejected?.problem;
    },

    async close(): Promise<void> {
      clearInterval(timer);
      isClosed = true;
      // A disk that hangs must not keep the process from ending.
      await inTime(refresh(), closeTimeout, () => new Error()).catch(() => {});
    },
  };
}

/** The release that was current last and can be read. */
async function lastReadable(distDir: string): Promise<Release | undefined> {
  for (const name of await releaseNames(distDir)) {
    const found = await readRelease(distDir, name)
      .then((release) => readTable(release))
      .catch(() => undefined);
    if (found) return found;
  }
  return undefined;
}

interface LinkState {
  /** The release that it names. */
  readonly target: string;
  /** When it was switched: milliseconds since 1970, UTC. */
  readonly changedAt: number;
}

/** @returns undefined when there is no link */
async function readLink(path: string): Promise<LinkState | undefined> {
  try {
    return { target: await readlink(path), changedAt: (await lstat(path)).mtimeMs };
  } catch {
    return undefined;
  }
}

export interface Release {
  readonly id: string;
  /** URL paths of example requests: one public, one that needs a key. */
  readonly examples: { readonly open: string; readonly closed: string };
  /** The tables of its years, by the hash of their indexes: the next release uses those that have not changed. */
  readonly years: ReadonlyMap<string, YearTable>;
  /** The resource of a target, or why there is none. */
  find(target: Target): Resource | Pack | ApiErrorName;
}

/** A year. Maps, not objects: a request for `__proto__` finds nothing. */
interface YearTable {
  /** By every accepted spelling. */
  readonly shifts: ReadonlyMap<string, Shift>;
  /** All of the year; undefined if a ZIP file cannot have it. */
  readonly pack: Pack | undefined;
}

interface Shift {
  readonly files: ReadonlyMap<string, Resource>;
  readonly diagrams: ReadonlyMap<string, Resource>;
  readonly pack: Pack | undefined;
}

/**
 * Reads the responses of a release, year by year, so that other requests have their turn.
 *
 * @param known tables of years of the release before
 * @param extra public responses that are not of the release, by path
 * @throws DamagedRelease
 */
export async function readTable(
  release: StoredRelease,
  known: ReadonlyMap<string, YearTable> = new Map(),
  extra: Iterable<readonly [string, Resource]> = [],
): Promise<Release> {
  const { root, readYear, pathOf: pathOfObject } = release;
  const open = new Map<string, Resource>(extra);
  for (const [path, stored] of Object.entries(root.public))
    open.set(path, toResource(stored, 'public', pathOfObject));
  const exams = new Map<string, Map<string, YearTable>>();
  const years = new Map<string, YearTable>();
  for (const { exam, year, index } of yearsOf(root)) {
    const table = known.get(index.sha256) ?? yearTable(await readYear(index), pathOfObject);
    years.set(index.sha256, table);
    exams.set(exam, (exams.get(exam) ?? new Map<string, YearTable>()).set(year, table));
    await nextTurn();
  }
  return { id: root.id, examples: examplesOf(exams), years, find };

  function find(target: Target): Resource | Pack | ApiErrorName {
    switch (target.kind) {
      case 'root':
      case 'malformed':
        return 'malformedUrl';
      case 'invalid-year':
        return 'invalidYear';
      case 'page':
        return open.get(target.path) ?? 'fileNotFound';
      case 'exam':
        return open.get(nameOf(target.exam)) ?? 'examNotFound';
      default:
        return findInYear(target);
    }
  }

  function findInYear(target: Extract<Target, { readonly year: string }>) {
    const ofExam = exams.get(target.exam);
    if (!ofExam) return 'examNotFound';
    const year = ofExam.get(target.year);
    if (!year) return 'yearNotFound';
    if (target.kind === 'year') return open.get(pathOf(target.exam, target.year)) ?? 'yearNotFound';
    if (target.kind === 'questions')
      return open.get(pathOf(target.exam, target.year, 'questions.json')) ?? 'fileNotFound';
    if (target.kind === 'pack' && target.shift === 'all') return year.pack ?? 'fileNotFound';
    const shift = year.shifts.get(target.shift);
    if (!shift) return 'shiftNotFound';
    if (target.kind === 'pack') return shift.pack ?? 'fileNotFound';
    const files = target.kind === 'file' ? shift.files : shift.diagrams;
    return files.get(nameOf(target.file)) ?? 'fileNotFound';
  }
}

const diagramsFolder = 'diagrams/';

function yearTable(index: YearIndex, pathOf: Variant['pathOf']): YearTable {
  const { exam, year, aliases, list } = index;
  const folder = `${exam}/${year}`;
  const common: PackedFile[] = list
    ? [[`${folder}/index.json`, list, toResource(list, 'protected', pathOf)]]
    : [];
  const all = [...common];
  const byName = new Map<string, Shift>();
  for (const [name, stored] of Object.entries(index.shifts)) {
    const files = new Map<string, Resource>();
    const diagrams = new Map<string, Resource>();
    const packed: PackedFile[] = [];
    for (const [file, resource] of Object.entries(stored)) {
      const served = toResource(resource, 'protected', pathOf);
      if (file.startsWith(diagramsFolder)) diagrams.set(file.slice(diagramsFolder.length), served);
      else files.set(file, served);
      packed.push([`${folder}/${name}/${file}`, resource, served]);
    }
    all.push(...packed);
    byName.set(name, { files, diagrams, pack: packOf([...common, ...packed]) });
  }
  const shifts = new Map<string, Shift>();
  for (const [alias, name] of Object.entries(aliases)) {
    const shift = byName.get(name);
    if (shift) shifts.set(alias, shift);
  }
  return { shifts, pack: packOf(all) };

  // Releases of the format before have no lists, and no checksums for ZIP files.
  function packOf(files: readonly PackedFile[]): Pack | undefined {
    return list && createPack(files);
  }
}

/** The first shift of the newest year of the last exam, by its ordinal. */
function examplesOf(exams: ReadonlyMap<string, ReadonlyMap<string, YearTable>>) {
  const [exam, years] = [...exams].at(-1) ?? [];
  const [year, table] = [...(years ?? [])].at(-1) ?? [];
  const files = [...(table?.shifts.get('s1')?.files.keys() ?? [])];
  const open = `${exam}/${year}`;
  return { open, closed: `${open}/s1/${files.findLast((file) => /^[^.]+\.json$/.test(file))}` };
}
