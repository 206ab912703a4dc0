import { checksumOf } from '../../compile/response.ts';
import { inParallel } from '../../release/files.ts';
import type { PublicKeys } from '../../release/signature.ts';
import {
  type Client,
  type ClientSettings,
  concurrency,
  jitteredDelay,
  openClient,
} from './client.ts';
import { FileFailed, PullStopped, Unsigned } from './errors.ts';
import { type MirrorFolder, openMirror } from './mirror-folder.ts';
import { RateLimiter } from './rate-limit.ts';
import {
  diagramChecksum,
  type IsSigned,
  type PaperContent,
  paperPath,
  paperPaths,
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
  | ({ readonly kind: 'complete' } & Readonly<
      Record<'shifts' | 'papers' | 'diagrams' | 'removed', number>
    >)
  | { readonly kind: 'incomplete'; readonly problems: readonly string[] };

export type PullResult = Awaited<ReturnType<typeof pull>>;

/**
 * Mirrors an exam, or one of its years. Whatever goes wrong, each file is either complete or absent, and the next pull
 * does not download again what is complete.
 *
 * @param path the folder of the mirror
 * @returns how the pull ended, what it downloaded, and the limits of the account, as last reported by the service
 * @throws the file system's own error when the folder cannot be opened
 */
export async function pull(path: string, settings: PullSettings) {
  const folder = await openMirror(path, settings.scope);
  const end = new AbortController();
  const limiter = new RateLimiter(settings.clock);
  const client = openClient(settings, limiter, end.signal);
  const downloaded = { papers: 0, diagrams: 0, bytes: 0 };
  try {
    const result = await synchronize({ ...settings, client, folder, end }, downloaded).catch(
      toProblem,
    );
    return { end: result, ...downloaded, limits: limiter.limits };
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

/** A shift of the service, and its papers that are on disk: by subject, each matching its own checksum. */
interface LocalShift {
  readonly shift: Shift;
  readonly papers: Map<string, PaperContent>;
}

/** A diagram that a paper names. */
type WantedDiagram = Readonly<Record<'path' | 'checksum', string>>;

/**
 * Brings the mirror up to date, pass by pass: reads the metadata, compares the disk with it, downloads what differs. A
 * pass that finds nothing to download proves that the mirror is complete.
 *
 * @param settings `end` is aborted by the first error that ends the pull
 * @param downloaded what was downloaded so far
 * @throws PullStopped; the file system's own error
 */
async function synchronize(
  settings: PullSettings & {
    readonly client: Client;
    readonly folder: MirrorFolder;
    readonly end: AbortController;
  },
  downloaded: Record<'papers' | 'diagrams' | 'bytes', number>,
): Promise<End> {
  const { clock, scope, publicKeys, client, folder, end, progress } = settings;
  /** Files that are not requested again, and why: by path and the checksum that made them wanted. */
  const failed = new Map<string, string>();
  /** Files of this pass that do not match the metadata, and how. A later pass may fix them. */
  let mismatched = new Map<string, string>();
  /** By the checksums of this pass. Without a public key, everything is accepted. */
  let isSigned: IsSigned = () => true;
  let requested = 0;
  let expected = 0;

  for (let pass = 1; ; pass += 1) {
    let shifts: readonly LocalShift[];
    try {
      shifts = await readShifts();
    } catch (error) {
      // The service may have published a release since it sent the checksums.
      if (!(error instanceof Unsigned) || pass === maxPasses) throw error;
      await clock.sleep(jitteredDelay(pass + 1, clock.random), end.signal);
      continue;
    }
    const outdated = shifts.filter((shift) => !isUpToDate(shift));
    const requestable = outdated.filter((shift) => failuresOf(shift).length === 0);
    await downloadPapers(requestable);
    const missing = await missingDiagrams(shifts.filter(isUpToDate));
    const wanted = missing.filter(({ path, checksum }) => !failed.has(keyOf(path, checksum)));
    await downloadDiagrams(wanted);

    if (outdated.length + missing.length === 0) return finish(shifts);
    if (requestable.length + wanted.length === 0 || pass === maxPasses)
      return giveUp(outdated, missing);
    if (mismatched.size > 0) await clock.sleep(jitteredDelay(pass + 1, clock.random), end.signal);
  }

  /** Reads the metadata, and what is on disk of each shift. */
  async function readShifts(): Promise<readonly LocalShift[]> {
    if (publicKeys) isSigned = await requestChecksums(client, publicKeys);
    const shifts: LocalShift[] = [];
    for (const shift of await requestShifts(client, scope, isSigned)) {
      const papers = new Map<string, PaperContent>();
      for (const subject of papersIn(shift)) {
        const paper = await folder.paper(shift, subject, isSigned);
        if (paper) papers.set(subject, paper);
      }
      await folder.adopt([...papers.keys()].map((subject) => paperPath(shift.path, subject)));
      shifts.push({ shift, papers });
    }
    return shifts;
  }

  async function downloadPapers(shifts: readonly LocalShift[]): Promise<void> {
    const mismatchedBefore = mismatched;
    mismatched = new Map();
    await expect(shifts.flatMap(({ shift }) => paperPaths(shift)));
    await forEach(shifts, (local) =>
      downloadPapersOf(local, !mismatchedBefore.has(keyOf(local.shift.path, local.shift.checksum))),
    );
  }

  /** The metadata does not say which papers of a shift changed: requests them until all match its checksum. */
  async function downloadPapersOf(local: LocalShift, useEtags: boolean): Promise<void> {
    const { shift, papers } = local;
    const absentFirst = papersIn(shift).sort(
      (a, b) => Number(papers.has(a)) - Number(papers.has(b)),
    );
    for (const subject of absentFirst)
      await download(paperPath(shift.path, subject), shift.checksum, async (path) => {
        if (!isUpToDate(local)) await downloadPaper(path, local, subject, useEtags);
      });
    if (isUpToDate(local) || failuresOf(local).length > 0) return;
    mismatched.set(
      keyOf(shift.path, shift.checksum),
      `${shift.path}: its papers do not match the checksum of the shift.`,
    );
  }

  async function downloadPaper(
    path: string,
    { shift, papers }: LocalShift,
    subject: string,
    useEtags: boolean,
  ) {
    const current = papers.get(subject);
    const knownEtag = current && useEtags ? folder.etagOf(path, current) : undefined;
    const paper = await requestPaper(client, shift, subject, knownEtag);
    if (paper === 'missing') throw notFound(path);
    if (paper === 'unchanged') return;
    const { bytes, etag, checksum, diagrams } = paper;
    if (!isSigned(bytes)) mismatched.set(keyOf(path, shift.checksum), `${path}: ${unsigned}`);
    else {
      await folder.write(path, bytes, { etag, checksum });
      papers.set(subject, { checksum, diagrams });
      downloaded.papers += 1;
      downloaded.bytes += bytes.length;
    }
  }

  async function missingDiagrams(shifts: readonly LocalShift[]): Promise<readonly WantedDiagram[]> {
    const missing: WantedDiagram[] = [];
    for (const shift of shifts) {
      const present: string[] = [];
      for (const diagram of diagramsOf(shift)) {
        if (await folder.hasDiagram(diagram.path, diagram.checksum, isSigned))
          present.push(diagram.path);
        else missing.push(diagram);
      }
      await folder.adopt(present);
    }
    return missing;
  }

  async function downloadDiagrams(diagrams: readonly WantedDiagram[]): Promise<void> {
    await expect(diagrams.map(({ path }) => path));
    await forEach(diagrams, ({ path, checksum }) =>
      download(path, checksum, () => downloadDiagram(path, checksum)),
    );
  }

  async function downloadDiagram(path: string, checksum: string): Promise<void> {
    const bytes = await client.get({ path, isProtected: true }, ({ body }) => body);
    if (typeof bytes === 'string') throw notFound(path);
    const mismatch = (problem: string) =>
      mismatched.set(keyOf(path, checksum), `${path}: ${problem}`);
    if (diagramChecksum(bytes) !== checksum)
      mismatch('it does not match the checksum in its paper.');
    else if (!isSigned(bytes)) mismatch(unsigned);
    else {
      await folder.write(path, bytes);
      downloaded.diagrams += 1;
      downloaded.bytes += bytes.length;
    }
  }

  /** Prepares the download of files. @throws PullStopped when one exists that no pull wrote */
  async function expect(paths: readonly string[]): Promise<void> {
    await folder.claim(paths);
    expected += paths.length;
  }

  /** Does the work for each item, several at a time. The first error also aborts the requests in flight. */
  async function forEach<Item>(
    items: Iterable<Item>,
    work: (item: Item) => Promise<void>,
  ): Promise<void> {
    await inParallel(items, concurrency, (item) =>
      work(item).catch((error: unknown) => {
        end.abort(error);
        throw end.signal.reason;
      }),
    );
  }

  /** Downloads one file, and reports the progress. If it fails for good, the others continue. */
  async function download(
    path: string,
    checksum: string,
    download: (path: string) => Promise<void>,
  ): Promise<void> {
    try {
      await download(path);
    } catch (error) {
      if (!(error instanceof FileFailed)) throw error;
      failed.set(keyOf(path, checksum), error.message);
    }
    requested += 1;
    progress(requested, expected, downloaded.bytes);
  }

  function failuresOf({ shift }: LocalShift): readonly string[] {
    return paperPaths(shift).flatMap((path) => failed.get(keyOf(path, shift.checksum)) ?? []);
  }

  async function finish(shifts: readonly LocalShift[]): Promise<End> {
    const papers = shifts.flatMap(({ shift }) => paperPaths(shift));
    const diagrams = new Set(shifts.flatMap(diagramsOf).map(({ path }) => path));
    const removed = await folder.removeUnwanted(new Set([...papers, ...diagrams]));
    const counts = { shifts: shifts.length, papers: papers.length, diagrams: diagrams.size };
    return { kind: 'complete', ...counts, removed };
  }

  function giveUp(outdated: readonly LocalShift[], missing: readonly WantedDiagram[]): End {
    const problems = [
      ...outdated.flatMap((shift) => failuresOf(shift)),
      ...missing.flatMap(({ path, checksum }) => failed.get(keyOf(path, checksum)) ?? []),
      ...mismatched.values(),
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
function isUpToDate({
  shift: { subjects, translations = [], checksum },
  papers,
}: LocalShift): boolean {
  const bySubject = subjects.map((subject) => [subject, papers.get(subject)?.checksum ?? '']);
  return (
    checksumOf(Object.fromEntries(bySubject)) === checksum &&
    translations.every(
      (one) => papers.get(`${one.subject}.${one.language}`)?.checksum === one.checksum,
    )
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

function keyOf(path: string, checksum: string): string {
  return `${path} ${checksum}`;
}

function notFound(path: string): FileFailed {
  return new FileFailed(`${path}: the service lists it, but does not have it (404).`);
}
