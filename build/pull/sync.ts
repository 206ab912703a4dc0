import { retryDelay } from './client.ts';
import { FileFailed } from './errors.ts';
import type { MirrorFolder } from './mirror-folder.ts';
import { diagramPath, paperPath, type Scope, scopeName } from './paths.ts';
import type { Clock } from './rate-limit.ts';
import {
  type DiagramReference,
  type PaperContent,
  type QuestionBank,
  type ShiftMetadata,
  shiftChecksum,
} from './resources.ts';

/** A service that publishes a new release during a pass causes one more pass. */
const maxPasses = 8;

interface SyncSettings {
  readonly scope: Scope;
  readonly bank: QuestionBank;
  readonly folder: MirrorFolder;
  readonly downloads: Downloads;
  readonly clock: Clock;
  /** Files downloaded at the same time. */
  readonly concurrency: number;
  /** Aborted by the first error that ends the pull. */
  readonly end: AbortController;
}

/** How a sync ended. A complete mirror has been read back from the disk. */
export type SyncResult =
  | {
      readonly kind: 'complete';
      readonly shifts: number;
      readonly papers: number;
      readonly diagrams: number;
      readonly removed: number;
    }
  | { readonly kind: 'incomplete'; readonly problems: readonly string[] };

/** A shift of the service, and its papers that are on disk: by subject, each matching its own checksum. */
interface LocalShift {
  readonly shift: ShiftMetadata;
  readonly papers: Map<string, PaperContent>;
}

/** A diagram that a paper names. */
interface WantedDiagram extends DiagramReference {
  readonly shift: ShiftMetadata;
  readonly path: string;
}

/**
 * Brings the mirror up to date, pass by pass: reads the metadata, compares the disk with it, downloads what differs. A
 * pass that finds nothing to download proves that the mirror is complete.
 */
export class Sync {
  readonly #settings: SyncSettings;
  /** Files that are not requested again, and why: by path and the checksum that made them wanted. */
  readonly #failed = new Map<string, string>();
  /** Files of this pass that do not match the metadata, and how. A later pass may fix them. */
  #mismatched = new Map<string, string>();

  constructor(settings: SyncSettings) {
    this.#settings = settings;
  }

  /** @throws PullStopped; the file system's own error */
  async run(): Promise<SyncResult> {
    const { clock, end } = this.#settings;
    for (let pass = 1; ; pass += 1) {
      const shifts = await this.#readShifts();
      const outdated = shifts.filter((shift) => !isUpToDate(shift));
      const requestable = outdated.filter((shift) => this.#failuresOf(shift).length === 0);
      await this.#downloadPapers(requestable);
      const missing = await this.#missingDiagrams(shifts.filter(isUpToDate));
      const wanted = missing.filter(({ path, checksum }) => !this.#failed.has(keyOf(path, checksum)));
      await this.#downloadDiagrams(wanted);

      if (outdated.length + missing.length === 0) return this.#finish(shifts);
      if (requestable.length + wanted.length === 0 || pass === maxPasses)
        return this.#giveUp(outdated, missing);
      if (this.#mismatched.size > 0) await clock.sleep(retryDelay(pass + 1, clock.random), end.signal);
    }
  }

  /** Reads the metadata, and what is on disk of each shift. */
  async #readShifts(): Promise<readonly LocalShift[]> {
    const { scope, bank, folder } = this.#settings;
    const shifts: LocalShift[] = [];
    for (const shift of await bank.shifts(scope)) {
      const papers = new Map<string, PaperContent>();
      for (const subject of shift.subjects) {
        const paper = await folder.paper(paperPath(shift.path, subject), { ...shift, subject });
        if (paper) papers.set(subject, paper);
      }
      await folder.adopt([...papers.keys()].map((subject) => paperPath(shift.path, subject)));
      shifts.push({ shift, papers });
    }
    return shifts;
  }

  async #downloadPapers(shifts: readonly LocalShift[]): Promise<void> {
    const { folder, downloads } = this.#settings;
    const mismatchedBefore = this.#mismatched;
    this.#mismatched = new Map();
    for (const { shift } of shifts) {
      await folder.claim(papersOf(shift));
      downloads.expect(shift.subjects.length);
    }
    await this.#forEach(shifts, (local) =>
      this.#downloadPapersOf(local, !mismatchedBefore.has(keyOf(local.shift.path, local.shift.checksum))),
    );
  }

  /** The metadata does not say which papers of a shift changed: requests them until all match its checksum. */
  async #downloadPapersOf(local: LocalShift, useEtags: boolean): Promise<void> {
    const { shift, papers } = local;
    const absentFirst = [...shift.subjects].sort((a, b) => Number(papers.has(a)) - Number(papers.has(b)));
    for (const [index, subject] of absentFirst.entries()) {
      if (isUpToDate(local)) {
        this.#settings.downloads.expect(index - absentFirst.length);
        return;
      }
      await this.#recordFailure(keyOf(paperPath(shift.path, subject), shift.checksum), () =>
        this.#downloadPaper(local, subject, useEtags),
      );
    }
    if (isUpToDate(local) || this.#failuresOf(local).length > 0) return;
    this.#mismatched.set(
      keyOf(shift.path, shift.checksum),
      `${shift.path}: its papers do not match the checksum that the service has for the shift.`,
    );
  }

  async #downloadPaper({ shift, papers }: LocalShift, subject: string, useEtags: boolean): Promise<void> {
    const { bank, folder, downloads } = this.#settings;
    const path = paperPath(shift.path, subject);
    const current = papers.get(subject);
    const paper = await bank.paper(
      shift,
      subject,
      current && useEtags ? folder.etagOf(path, current) : undefined,
    );
    if (paper === 'missing') throw notFound(path);
    if (paper === 'unchanged') return downloads.done();
    const { bytes, etag, checksum, diagrams } = paper;
    await folder.write(path, bytes, { etag, checksum });
    papers.set(subject, { checksum, diagrams });
    downloads.done('papers', bytes.length);
  }

  async #missingDiagrams(shifts: readonly LocalShift[]): Promise<readonly WantedDiagram[]> {
    const { folder } = this.#settings;
    const missing: WantedDiagram[] = [];
    for (const shift of shifts) {
      const present: string[] = [];
      for (const diagram of diagramsOf(shift)) {
        if (await folder.hasDiagram(diagram.path, diagram.checksum)) present.push(diagram.path);
        else missing.push(diagram);
      }
      await folder.adopt(present);
    }
    return missing;
  }

  async #downloadDiagrams(diagrams: readonly WantedDiagram[]): Promise<void> {
    const { folder, downloads } = this.#settings;
    await folder.claim(diagrams.map(({ path }) => path));
    downloads.expect(diagrams.length);
    await this.#forEach(diagrams, (diagram) =>
      this.#recordFailure(keyOf(diagram.path, diagram.checksum), () => this.#downloadDiagram(diagram)),
    );
  }

  async #downloadDiagram({ shift, file, checksum, path }: WantedDiagram): Promise<void> {
    const { bank, folder, downloads } = this.#settings;
    const diagram = await bank.diagram(shift, file);
    if (diagram === 'missing') throw notFound(path);
    if (diagram.checksum !== checksum) {
      this.#mismatched.set(
        keyOf(path, checksum),
        `${path}: it does not match the checksum that its paper has.`,
      );
      return downloads.done();
    }
    await folder.write(path, diagram.bytes);
    downloads.done('diagrams', diagram.bytes.length);
  }

  /**
   * Does the work for each item, several at a time. After an error it starts no more work, aborts the requests in
   * flight, and waits for them to end.
   *
   * @throws the first error
   */
  async #forEach<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
    const { concurrency, end } = this.#settings;
    const queue = items[Symbol.iterator]();
    const workers = Array.from({ length: concurrency }, async () => {
      for (let next = queue.next(); !next.done && !end.signal.aborted; next = queue.next())
        await work(next.value).catch((error: unknown) => end.abort(error));
    });
    await Promise.all(workers);
    end.signal.throwIfAborted();
  }

  /** Downloads one file. If it fails for good, the others continue. */
  async #recordFailure(key: string, download: () => Promise<void>): Promise<void> {
    try {
      await download();
    } catch (error) {
      if (!(error instanceof FileFailed)) throw error;
      this.#failed.set(key, error.message);
      this.#settings.downloads.done();
    }
  }

  #failuresOf({ shift }: LocalShift): readonly string[] {
    return papersOf(shift).flatMap((path) => this.#failed.get(keyOf(path, shift.checksum)) ?? []);
  }

  async #finish(shifts: readonly LocalShift[]): Promise<SyncResult> {
    const { scope, folder } = this.#settings;
    const papers = shifts.flatMap(({ shift }) => papersOf(shift));
    const diagrams = new Set(shifts.flatMap(diagramsOf).map(({ path }) => path));
    const removed = await folder.removeUnwanted(scopeName(scope), new Set([...papers, ...diagrams]));
    const counts = { shifts: shifts.length, papers: papers.length, diagrams: diagrams.size };
    return { kind: 'complete', ...counts, removed };
  }

  #giveUp(outdated: readonly LocalShift[], missing: readonly WantedDiagram[]): SyncResult {
    const problems = [
      ...outdated.flatMap((shift) => this.#failuresOf(shift)),
      ...missing.flatMap(({ path, checksum }) => this.#failed.get(keyOf(path, checksum)) ?? []),
      ...this.#mismatched.values(),
    ];
    if (problems.length === 0)
      problems.push(
        `After ${maxPasses} rounds there was still something new: the service publishes again and again, or another program changes the files of the copy.`,
      );
    return { kind: 'incomplete', problems };
  }
}

/** Counts downloads, and reports each step. */
export class Downloads {
  readonly #report: (done: number, total: number, bytes: number) => void;
  #total = 0;
  #done = 0;
  papers = 0;
  diagrams = 0;
  bytes = 0;

  constructor(report: (done: number, total: number, bytes: number) => void) {
    this.#report = report;
  }

  /** Adds files that will be requested; a negative number takes some back. */
  expect(files: number): void {
    this.#total += files;
  }

  /** Counts a request that ended. @param kind of the downloaded file, if there is one */
  done(kind?: 'papers' | 'diagrams', bytes = 0): void {
    this.#done += 1;
    this.bytes += bytes;
    if (kind) this[kind] += 1;
    this.#report(this.#done, this.#total, this.bytes);
  }
}

/** Whether all papers are on disk and together match the service's checksum of the shift. */
function isUpToDate({ shift, papers }: LocalShift): boolean {
  return papers.size === shift.subjects.length && shiftChecksum(papers) === shift.checksum;
}

/** The diagrams that the papers on disk name, each once. */
function diagramsOf({ shift, papers }: LocalShift): readonly WantedDiagram[] {
  const diagrams = new Map<string, WantedDiagram>();
  for (const { file, checksum } of [...papers.values()].flatMap((paper) => paper.diagrams)) {
    // If two papers disagree on a diagram, both checksums are wanted, and one of them is reported.
    diagrams.set(`${file} ${checksum}`, { shift, file, checksum, path: diagramPath(shift.path, file) });
  }
  return [...diagrams.values()];
}

function papersOf({ path, subjects }: ShiftMetadata): readonly string[] {
  return subjects.map((subject) => paperPath(path, subject));
}

function keyOf(path: string, checksum: string): string {
  return `${path} ${checksum}`;
}

function notFound(path: string): FileFailed {
  return new FileFailed(`${path}: the service names it, and does not have it (404).`);
}
