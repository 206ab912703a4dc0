import { checksumOf } from '../compile/checksum.ts';
import { inParallel } from '../release/files.ts';
import type { PublicKeys } from '../release/signature.ts';
import { Client, type ClientSettings, concurrency, jitteredDelay } from './client.ts';
import { FileFailed, PullStopped, Unsigned } from './errors.ts';
import { MirrorFolder } from './mirror-folder.ts';
import { type RateLimit, RateLimiter } from './rate-limit.ts';
import {
  diagramChecksum,
  type IsSigned,
  type PaperContent,
  paperPath,
  papersIn,
  requestChecksums,
  requestPaper,
  requestShifts,
  type Shift,
  unsigned,
} from './resources.ts';

/** A service that publishes a new release during a pass causes one more pass. */
const maxPasses = 8;

export interface PullSettings extends ClientSettings {
  /** What is mirrored: an exam, or one of its years: `neet`, `neet/2024`. */
  readonly scope: string;
  /** Only what is signed with one of these keys is accepted. */
  readonly publicKeys?: PublicKeys | undefined;
  /** Takes the number of files requested, of those known to be wanted, and of bytes downloaded. */
  readonly progress: (done: number, total: number, bytes: number) => void;
}

/** How a pull ended. A complete mirror has been read back from the disk. */
type End =
  | {
      readonly kind: 'complete';
      readonly shifts: number;
      readonly papers: number;
      readonly diagrams: number;
      readonly removed: number;
    }
  | { readonly kind: 'incomplete'; readonly problems: readonly string[] };

/** How a pull ended, and what it downloaded. */
export interface PullResult {
  readonly end: End;
  readonly papers: number;
  readonly diagrams: number;
  readonly bytes: number;
  /** The limits of the account, as last reported by the service. */
  readonly limits: readonly RateLimit[];
}

/**
 * Mirrors an exam, or one of its years. Whatever goes wrong, each file is either complete or absent, and the next pull
 * does not download again what is complete.
 *
 * @param path the folder of the mirror
 * @throws the file system's own error when the folder cannot be opened
 */
export async function pull(path: string, settings: PullSettings): Promise<PullResult> {
  const folder = await MirrorFolder.open(path, settings.scope);
  const end = new AbortController();
  const limiter = new RateLimiter(settings.clock);
  const client = new Client(settings, limiter, end.signal);
  const sync = new Sync({ ...settings, client, folder, end });
  try {
    const result = await sync.run().catch(toProblem);
    return { end: result, ...sync.downloaded, limits: limiter.limits };
  } finally {
    await client.close();
  }
}

/** Turns an error that the user can fix into a problem. @throws any other error */
function toProblem(error: unknown): End {
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof PullStopped || error instanceof FileFailed)
    return { kind: 'incomplete', problems: [error.message] };
  if (syscall === undefined || path === undefined) throw error;
  const problem = `The file system rejected ${syscall} of ${path} (${code}). Completed files are kept.`;
  return { kind: 'incomplete', problems: [problem] };
}

interface SyncSettings extends PullSettings {
  readonly client: Client;
  readonly folder: MirrorFolder;
  /** Aborted by the first error that ends the pull. */
  readonly end: AbortController;
}

/** A shift of the service, and its papers that are on disk: by subject, each matching its own checksum. */
interface LocalShift {
  readonly shift: Shift;
  readonly papers: Map<string, PaperContent>;
}

/** A diagram that a paper names. */
interface WantedDiagram {
  readonly path: string;
  readonly checksum: string;
}

/**
 * Brings the mirror up to date, pass by pass: reads the metadata, compares the disk with it, downloads what differs. A
 * pass that finds nothing to download proves that the mirror is complete.
 */
class Sync {
  readonly #settings: SyncSettings;
  /** Files that are not requested again, and why: by path and the checksum that made them wanted. */
  readonly #failed = new Map<string, string>();
  /** Files of this pass that do not match the metadata, and how. A later pass may fix them. */
  #mismatched = new Map<string, string>();
  /** By the checksums of this pass. Without a public key, everything is accepted. */
  #isSigned: IsSigned = () => true;
  #requested = 0;
  #expected = 0;
  /** What was downloaded so far. */
  readonly downloaded = { papers: 0, diagrams: 0, bytes: 0 };

  constructor(settings: SyncSettings) {
    this.#settings = settings;
  }

  /** @throws PullStopped; the file system's own error */
  async run(): Promise<End> {
    const { clock, end } = this.#settings;
    for (let pass = 1; ; pass += 1) {
      let shifts: readonly LocalShift[];
      try {
        shifts = await this.#readShifts();
      } catch (error) {
        // The service may have published a release since it sent the checksums.
        if (!(error instanceof Unsigned) || pass === maxPasses) throw error;
        await clock.sleep(jitteredDelay(pass + 1, clock.random), end.signal);
        continue;
      }
      const outdated = shifts.filter((shift) => !isUpToDate(shift));
      const requestable = outdated.filter((shift) => this.#failuresOf(shift).length === 0);
      await this.#downloadPapers(requestable);
      const missing = await this.#missingDiagrams(shifts.filter(isUpToDate));
      const wanted = missing.filter(({ path, checksum }) => !this.#failed.has(keyOf(path, checksum)));
      await this.#downloadDiagrams(wanted);

      if (outdated.length + missing.length === 0) return this.#finish(shifts);
      if (requestable.length + wanted.length === 0 || pass === maxPasses) return this.#giveUp(outdated, missing);
      if (this.#mismatched.size > 0) await clock.sleep(jitteredDelay(pass + 1, clock.random), end.signal);
    }
  }

  /** Reads the metadata, and what is on disk of each shift. */
  async #readShifts(): Promise<readonly LocalShift[]> {
    const { scope, publicKeys, client, folder } = this.#settings;
    if (publicKeys) this.#isSigned = await requestChecksums(client, publicKeys);
    const shifts: LocalShift[] = [];
    for (const shift of await requestShifts(client, scope, this.#isSigned)) {
      const papers = new Map<string, PaperContent>();
      for (const subject of papersIn(shift)) {
        const paper = await folder.paper(shift, subject, this.#isSigned);
        if (paper) papers.set(subject, paper);
      }
      await folder.adopt([...papers.keys()].map((subject) => paperPath(shift.path, subject)));
      shifts.push({ shift, papers });
    }
    return shifts;
  }

  async #downloadPapers(shifts: readonly LocalShift[]): Promise<void> {
    const mismatchedBefore = this.#mismatched;
    this.#mismatched = new Map();
    await this.#expect(shifts.flatMap(papersOf));
    await this.#forEach(shifts, (local) =>
      this.#downloadPapersOf(local, !mismatchedBefore.has(keyOf(local.shift.path, local.shift.checksum))),
    );
  }

  /** The metadata does not say which papers of a shift changed: requests them until all match its checksum. */
  async #downloadPapersOf(local: LocalShift, useEtags: boolean): Promise<void> {
    const { shift, papers } = local;
    const absentFirst = papersIn(shift).sort((a, b) => Number(papers.has(a)) - Number(papers.has(b)));
    for (const subject of absentFirst)
      await this.#download(paperPath(shift.path, subject), shift.checksum, async (path) => {
        if (!isUpToDate(local)) await this.#downloadPaper(path, local, subject, useEtags);
      });
    if (isUpToDate(local) || this.#failuresOf(local).length > 0) return;
    this.#mismatched.set(
      keyOf(shift.path, shift.checksum),
      `${shift.path}: its papers do not match the checksum of the shift.`,
    );
  }

  async #downloadPaper(path: string, { shift, papers }: LocalShift, subject: string, useEtags: boolean) {
    const { client, folder } = this.#settings;
    const current = papers.get(subject);
    const knownEtag = current && useEtags ? folder.etagOf(path, current) : undefined;
    const paper = await requestPaper(client, shift, subject, knownEtag);
    if (paper === 'missing') throw notFound(path);
    if (paper === 'unchanged') return;
    const { bytes, etag, checksum, diagrams } = paper;
    if (!this.#isSigned(bytes)) this.#mismatched.set(keyOf(path, shift.checksum), `${path}: ${unsigned}`);
    else {
      await folder.write(path, bytes, { etag, checksum });
      papers.set(subject, { checksum, diagrams });
      this.downloaded.papers += 1;
      this.downloaded.bytes += bytes.length;
    }
  }

  async #missingDiagrams(shifts: readonly LocalShift[]): Promise<readonly WantedDiagram[]> {
    const { folder } = this.#settings;
    const missing: WantedDiagram[] = [];
    for (const shift of shifts) {
      const present: string[] = [];
      for (const diagram of diagramsOf(shift)) {
        if (await folder.hasDiagram(diagram.path, diagram.checksum, this.#isSigned)) present.push(diagram.path);
        else missing.push(diagram);
      }
      await folder.adopt(present);
    }
    return missing;
  }

  async #downloadDiagrams(diagrams: readonly WantedDiagram[]): Promise<void> {
    await this.#expect(diagrams.map(({ path }) => path));
    await this.#forEach(diagrams, ({ path, checksum }) =>
      this.#download(path, checksum, () => this.#downloadDiagram(path, checksum)),
    );
  }

  async #downloadDiagram(path: string, checksum: string): Promise<void> {
    const { client, folder } = this.#settings;
    const bytes = await client.get({ path, isProtected: true }, ({ body }) => body);
    if (typeof bytes === 'string') throw notFound(path);
    const mismatch = (problem: string) => this.#mismatched.set(keyOf(path, checksum), `${path}: ${problem}`);
    if (diagramChecksum(bytes) !== checksum) mismatch('it does not match the checksum in its paper.');
    else if (!this.#isSigned(bytes)) mismatch(unsigned);
    else {
      await folder.write(path, bytes);
      this.downloaded.diagrams += 1;
      this.downloaded.bytes += bytes.length;
    }
  }

  /** Prepares the download of files. @throws PullStopped when one exists that no pull wrote */
  async #expect(paths: readonly string[]): Promise<void> {
    await this.#settings.folder.claim(paths);
    this.#expected += paths.length;
  }

  /** Does the work for each item, several at a time. The first error also aborts the requests in flight. */
  async #forEach<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
    const { end } = this.#settings;
    await inParallel(items, concurrency, (item) =>
      work(item).catch((error: unknown) => {
        end.abort(error);
        throw end.signal.reason;
      }),
    );
  }

  /** Downloads one file, and reports the progress. If it fails for good, the others continue. */
  async #download(path: string, checksum: string, download: (path: string) => Promise<void>): Promise<void> {
    try {
      await download(path);
    } catch (error) {
      if (!(error instanceof FileFailed)) throw error;
      this.#failed.set(keyOf(path, checksum), error.message);
    }
    this.#requested += 1;
    this.#settings.progress(this.#requested, this.#expected, this.downloaded.bytes);
  }

  #failuresOf(local: LocalShift): readonly string[] {
    return papersOf(local).flatMap((path) => this.#failed.get(keyOf(path, local.shift.checksum)) ?? []);
  }

  async #finish(shifts: readonly LocalShift[]): Promise<End> {
    const { scope, folder } = this.#settings;
    const papers = shifts.flatMap(papersOf);
    const diagrams = new Set(shifts.flatMap(diagramsOf).map(({ path }) => path));
    const removed = await folder.removeUnwanted(scope, new Set([...papers, ...diagrams]));
    const counts = { shifts: shifts.length, papers: papers.length, diagrams: diagrams.size };
    return { kind: 'complete', ...counts, removed };
  }

  #giveUp(outdated: readonly LocalShift[], missing: readonly WantedDiagram[]): End {
    const problems = [
      ...outdated.flatMap((shift) => this.#failuresOf(shift)),
      ...missing.flatMap(({ path, checksum }) => this.#failed.get(keyOf(path, checksum)) ?? []),
      ...this.#mismatched.values(),
    ];
    if (problems.length === 0)
      problems.push(
        `The mirror is still out of date after ${maxPasses} rounds. ` +
          'The service publishes too often, or another program changes the files.',
      );
    return { kind: 'incomplete', problems };
  }
}

/** Whether all papers are on disk and match the service's checksums: that of the shift, and those of translations. */
function isUpToDate({ shift: { subjects, translations = [], checksum }, papers }: LocalShift): boolean {
  const bySubject = subjects.map((subject) => [subject, papers.get(subject)?.checksum ?? '']);
  return (
    checksumOf(Object.fromEntries(bySubject)) === checksum &&
    translations.every((one) => papers.get(`${one.subject}.${one.language}`)?.checksum === one.checksum)
  );
}

/** The diagrams that the papers on disk name, each once. */
function diagramsOf({ shift, papers }: LocalShift): readonly WantedDiagram[] {
  const diagrams = new Map<string, WantedDiagram>();
  for (const { file, checksum } of [...papers.values()].flatMap((paper) => paper.diagrams)) {
    // If two papers disagree on a diagram, both checksums are wanted, and one of them is reported.
    diagrams.set(`${file} ${checksum}`, { checksum, path: `${shift.path}/diagrams/${file}` });
  }
  return [...diagrams.values()];
}

function papersOf({ shift }: LocalShift): readonly string[] {
  return papersIn(shift).map((paper) => paperPath(shift.path, paper));
}

function keyOf(path: string, checksum: string): string {
  return `${path} ${checksum}`;
}

function notFound(path: string): FileFailed {
  return new FileFailed(`${path}: the service lists it, but does not have it (404).`);
}
