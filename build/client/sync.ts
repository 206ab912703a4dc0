/** Brings a mirror up to date. */
import { checksum, sha256Of } from './checksums.ts';
import { type Connection, jitteredDelay, type Read } from './connection.ts';
import { PastpaperError, RequestFailed } from './errors.ts';
import { openMirror } from './mirror-folder.ts';
import { type Files, unpack } from './pack.ts';
import {
  paperPaths,
  readPaper,
  readYear,
  readYears,
  type Shift,
  type Year,
  yearPath,
} from './resources.ts';

/** A service that publishes a new release during a pass causes one more pass. */
const maxPasses = 8;

/** Packs in a row that fail before the service counts as down. */
const maxFailures = 3;

/** URL path of the SHA-256 of every response of the API, signed. */
const checksumsPath = 'docs/checksums.txt';

const unsigned =
  'the response is not in the signed checksums. It was changed, or a new release is being published.';

const differs = 'it does not match the checksum in its paper.';

export interface SyncSettings {
  readonly exam: string;
  /** All if undefined. */
  readonly years?: readonly number[] | undefined;
  /** The hashes in `/docs/checksums.txt`, if its signature is right: then only what has one of them is accepted. */
  readonly verify?: ((signed: string) => ReadonlySet<string> | undefined) | undefined;
  /** Takes the number of shifts done, of shifts to download, and of bytes written. */
  readonly progress?: ((done: number, total: number, bytes: number) => void) | undefined;
}

/** What a mirror has, and what the sync wrote and removed. */
export interface SyncResult {
  readonly shifts: number;
  readonly papers: number;
  readonly diagrams: number;
  readonly removed: number;
  readonly downloaded: Readonly<Record<'papers' | 'diagrams' | 'bytes', number>>;
}

/** The result of a sync. Without a problem, the mirror is complete, and has been read back from the disk. */
export interface SyncEnd extends SyncResult {
  readonly problem?: PastpaperError;
}

/** A response is not what the metadata or the signed checksums say: it may be of another release. */
class Mismatch extends PastpaperError {}

/**
 * Mirrors an exam, or some of its years. Whatever goes wrong, each file is either complete or absent, and the next sync does
 * not request again what was stored. A pass that finds nothing to download proves that the mirror is complete.
 * One pack is requested for a year of which most is missing, one for each other shift that changed.
 *
 * @param path the folder of the mirror
 * @throws the file system's own error when the folder cannot be opened
 */
export async function synchronize(
  connection: Connection,
  path: string,
  { exam, years: wantedYears, verify, progress = () => undefined }: SyncSettings,
): Promise<SyncEnd> {
  const folder = await openMirror(path);
  const downloaded = { papers: 0, diagrams: 0, bytes: 0 };
  /** Without a public key, everything is accepted. */
  let isSigned = (_body: Uint8Array) => true;
  try {
    return await passes();
  } catch (error) {
    const none = { shifts: 0, papers: 0, diagrams: 0, removed: 0 };
    return { ...none, downloaded, problem: asProblem(error) };
  }

  async function passes(): Promise<SyncResult> {
    let problem: PastpaperError | undefined;
    for (let pass = 1; pass <= maxPasses; pass += 1) {
      // What does not match belongs to a release that is being published.
      if (problem) await connection.clock.sleep(jitteredDelay(pass, connection.clock));
      try {
        if (verify) isSigned = await requestChecksums(connection, verify);
        const years = await requestYears(connection, exam, wantedYears, isSigned);
        const { paths, outdated } = await compare(years);
        if (outdated.length === 0) return await finish(years, paths);
        await folder.claim(outdated.flatMap(paperPaths));
        problem = await download(years, outdated);
      } catch (error) {
        if (!(error instanceof Mismatch)) throw error;
        problem = error;
      }
    }
    const { code, message } =
      problem ?? new Mismatch('incomplete', `${exam} changes all the time.`);
    throw new PastpaperError(code === 'unsigned' ? code : 'incomplete', message);
  }

  /** The files of the years on disk, and the shifts of which they are not all. */
  async function compare(years: readonly Year[]) {
    const paths: string[] = [];
    const outdated: Shift[] = [];
    for (const shift of years.flatMap(({ shifts }) => shifts)) {
      try {
        paths.push(...(await verifiedFiles(shift, folder.read, isSigned)));
      } catch (error) {
        if (!(error instanceof Mismatch)) throw error;
        outdated.push(shift);
      }
    }
    return { paths, outdated };
  }

  /**
   * Downloads shifts. A pack that cannot be had does not stop the others.
   *
   * @returns why some do not match the metadata
   * @throws PastpaperError why the first pack cannot be had
   */
  async function download(years: readonly Year[], outdated: readonly Shift[]) {
    const stored = await folder.pack();
    let mismatch: PastpaperError | undefined;
    let failure: PastpaperError | undefined;
    let failures = 0;
    let missing = outdated;
    if (stored) missing = (await unpackShifts(outdated, unpackStored(stored), stored)).others;
    const total = missing.length;
    let done = 0;
    const request = async (path: string) => {
      try {
        const read = (bytes: Uint8Array) => ({ bytes, files: unpack(bytes) });
        const pack = await connection.get(path, read);
        failures = 0;
        // A new release may not have the shift.
        const why = `${path}: the service lists it, but does not have it (404).`;
        return pack ?? new Mismatch('not-found', why);
      } catch (error) {
        failures += 1;
        if (failures === maxFailures) throw error;
        return problemOfOnePack(error);
      }
    };
    /** Requests a pack, and writes shifts of it. @returns why it cannot be had */
    const take = async (path: string, shifts: readonly Shift[]) => {
      const pack = await request(path);
      if (pack instanceof PastpaperError) return pack;
      const { problem } = await unpackShifts(shifts, pack.files, pack.bytes);
      mismatch ??= problem;
      done += shifts.length;
      progress(done, total, downloaded.bytes);
      return undefined;
    };
    for (const year of years) {
      const ofYear = missing.filter(({ path }) => path.startsWith(`${year.path}/`));
      const isMost = ofYear.length > 1 && ofYear.length * 2 > year.shifts.length;
      // A pack of the year is one request. If it is too large for the network, those of its shifts are not.
      if (isMost && !(await take(`${year.path}/all.zip`, ofYear))) continue;
      for (const shift of ofYear) {
        const problem = await take(`${shift.path}.zip`, [shift]);
        if (problem instanceof Mismatch) mismatch ??= problem;
        else failure ??= problem;
      }
    }
    if (failure) throw failure;
    return mismatch;
  }

  /** Writes the shifts of a pack that are as the metadata says. @returns the others, and why the first of them is not */
  async function unpackShifts(shifts: readonly Shift[], files: Files, pack: Uint8Array) {
    const others: Shift[] = [];
    let problem: PastpaperError | undefined;
    await folder.storePack(pack);
    for (const shift of shifts) {
      try {
        const paths = await verifiedFiles(shift, async (path) => files.get(path), isSigned);
        await folder.claim(paths);
        for (const path of paths) await write(path, files.get(path) ?? new Uint8Array());
      } catch (error) {
        if (!(error instanceof Mismatch)) throw error;
        problem ??= error;
        others.push(shift);
      }
    }
    await folder.removePack();
    return { others, problem };
  }

  async function write(path: string, bytes: Uint8Array): Promise<void> {
    if ((await folder.read(path))?.equals(bytes)) return;
    await folder.write(path, bytes);
    downloaded[path.endsWith('.json') ? 'papers' : 'diagrams'] += 1;
    downloaded.bytes += bytes.length;
  }

  /** @param paths the papers and diagrams of the years */
  async function finish(years: readonly Year[], paths: readonly string[]): Promise<SyncResult> {
    const wanted = new Set(paths);
    for (const { path, body } of years) {
      const index = `${path}/index.json`;
      wanted.add(index);
      if ((await folder.read(index))?.equals(body)) continue;
      await folder.claim([index]);
      await folder.write(index, body);
    }
    await folder.list([...wanted]);
    const scopes = wantedYears ? years.map(({ path }) => path) : [exam];
    const shifts = years.flatMap((year) => year.shifts);
    const papers = shifts.flatMap(paperPaths).length;
    return {
      shifts: shifts.length,
      papers,
      diagrams: wanted.size - years.length - papers,
      removed: await folder.removeUnwanted(scopes, wanted),
      downloaded,
    };
  }
}

/** Returns an error of one pack. @throws any error that other packs would have, too */
function problemOfOnePack(error: unknown): PastpaperError {
  const isOfOne =
    error instanceof PastpaperError && ['unavailable', 'damaged'].includes(error.code);
  if (isOfOne) return error;
  throw error;
}

/** Turns an error that the user can fix into a problem. @throws any other error */
function asProblem(error: unknown): PastpaperError {
  if (error instanceof PastpaperError) return error;
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined || path === undefined) throw error;
  return new PastpaperError(
    'file-system',
    `The file system rejected ${syscall} of ${path} (${code}). Completed files are kept.`,
  );
}

/** A killed process may have stored half a pack. */
function unpackStored(pack: Uint8Array): Files {
  try {
    return unpack(pack);
  } catch {
    return new Map();
  }
}

/**
 * Compares the files of a shift with its metadata.
 *
 * @returns their paths
 * @throws Mismatch with what is wrong first
 */
async function verifiedFiles(
  shift: Shift,
  read: (path: string) => Promise<Uint8Array | undefined>,
  isSigned: (body: Uint8Array) => boolean,
): Promise<string[]> {
  const bodyOf = async (path: string) => {
    const body = await read(path);
    if (!body) throw new Mismatch('not-found', `${path} is missing.`);
    if (!isSigned(body)) throw new Mismatch('unsigned', `${path}: ${unsigned}`);
    return body;
  };
  const sums = new Map<string, string>();
  const diagrams = new Map<string, string>();
  const papers = paperPaths(shift);
  for (const path of papers) {
    const paper = readOrMismatch(path, await bodyOf(path));
    sums.set(path, paper.file.metadata.checksum);
    for (const { file, checksum: sum } of paper.diagrams) {
      const place = `${shift.path}/diagrams/${file}`;
      // If two papers disagree on a diagram, one of them is wrong.
      if ((diagrams.get(place) ?? sum) !== sum)
        throw new Mismatch('damaged', `${place}: ${differs}`);
      diagrams.set(place, sum);
    }
  }
  const sumOf = (name: string) => sums.get(`${shift.path}/${name}.json`);
  const bySubject = Object.fromEntries(shift.subjects.map((name) => [name, sumOf(name)]));
  const { translations = [] } = shift;
  const isSame =
    checksum(bySubject) === shift.checksum &&
    translations.every((one) => sumOf(`${one.subject}.${one.language}`) === one.checksum);
  if (!isSame)
    throw new Mismatch(
      'damaged',
      `${shift.path}: its papers do not match the checksum of the shift.`,
    );
  for (const [path, sum] of diagrams)
    if (checksum(await bodyOf(path)) !== sum) throw new Mismatch('damaged', `${path}: ${differs}`);
  return [...papers, ...diagrams.keys()];
}

function readOrMismatch(path: string, body: Uint8Array) {
  try {
    return readPaper(body, path);
  } catch (error) {
    if (!(error instanceof RequestFailed)) throw error;
    throw new Mismatch('damaged', `${path}: ${error.message}.`);
  }
}

/**
 * Requests the checksums of all responses, which the operator of the service signed.
 *
 * @returns whether a body is signed
 * @throws PastpaperError when there are none, or their signature is not by this key
 */
async function requestChecksums(
  connection: Connection,
  verify: NonNullable<SyncSettings['verify']>,
): Promise<(body: Uint8Array) => boolean> {
  const url = connection.urlOf(checksumsPath);
  const text = await connection.get(checksumsPath, (body) => new TextDecoder().decode(body));
  if (text === undefined)
    throw new PastpaperError(
      'unsigned',
      `${url}: the service does not sign its releases (404). Ask its operator.`,
    );
  const hashes = verify(text);
  if (hashes) return (body) => hashes.has(sha256Of(body));
  throw new PastpaperError(
    'unsigned',
    `${url}: the signature does not match the public key. ` +
      'The operator has a new key, or someone changed the responses. Ask the operator.',
  );
}

/**
 * Requests the metadata of years. The years of an exam are requested only if all are wanted, or one does not exist.
 *
 * @throws PastpaperError when the service has no such exam or year; Mismatch when it is not signed
 */
async function requestYears(
  connection: Connection,
  exam: string,
  wanted: readonly number[] | undefined,
  isSigned: (body: Uint8Array) => boolean,
): Promise<readonly Year[]> {
  const get = <Value>(path: string, read: Read<Value>) =>
    connection.get(path, (body) => {
      if (isSigned(body)) return read(body);
      // The service may have published a release since it sent the checksums.
      throw new Mismatch('unsigned', `${connection.urlOf(path)}: ${unsigned}`);
    });
  const yearsOf = async () => {
    const years = await get(exam, (body) => readYears(body, exam));
    if (years) return years;
    throw new PastpaperError(
      'not-found',
      `${connection.urlOf(exam)}: the service has no ${exam} (404). Check the exam code and the address of the service.`,
    );
  };
  const years: Year[] = [];
  for (const number of wanted ?? (await yearsOf())) {
    const year = await get(yearPath(exam, number), (body) => readYear(body, exam, number));
    if (!year)
      throw new PastpaperError(
        'not-found',
        `${connection.urlOf(exam)}: ${exam} has no year ${number}. Its years: ${(await yearsOf()).join(', ')}.`,
      );
    years.push(year);
  }
  return years;
}
