/** Brings a mirror up to date. */
import { checksum, sha256Of } from './checksums.ts';
import { type Connection, jitteredDelay } from './connection.ts';
import { PastpaperError, RequestFailed } from './errors.ts';
import { openMirror } from './mirror-folder.ts';
import { type Files, unpack } from './pack.ts';
import { paperPaths, readPaper, readYear, readYears, type Shift, type Year } from './resources.ts';

/** A service that publishes a new release during a pass causes one more pass. */
const maxPasses = 8;

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

/** The result of a sync; its problems are empty if the mirror is complete, which has then been read back from the disk. */
export interface SyncEnd extends SyncResult {
  readonly problems: readonly PastpaperError[];
}

/** Metadata is not signed: it is forged, or of another release than the signed checksums. */
class Unsigned extends PastpaperError {}

/** A file is not what the metadata says: it may be of another release. */
class Mismatch extends PastpaperError {}

/**
 * Mirrors an exam, or some of its years. Whatever goes wrong, each file is either complete or absent, and the next sync does
 * not request again what was stored. A pass that finds nothing to download proves that the mirror is complete.
 * One pack is requested for a year of which most is missing, one for each other shift that
 * changed. A service without packs is requested file by file.
 *
 * @param path the folder of the mirror
 * @throws the file system's own error when the folder cannot be opened
 */
export async function synchronize(
  connection: Connection,
  path: string,
  { exam, years: wantedYears, verify, progress = () => undefined }: SyncSettings,
): Promise<SyncEnd> {
  const scopes = wantedYears?.map((year) => `${exam}/${String(year).padStart(4, '0')}`) ?? [exam];
  const folder = await openMirror(path, scopes);
  const downloaded = { papers: 0, diagrams: 0, bytes: 0 };
  const none = { shifts: 0, papers: 0, diagrams: 0, removed: 0 };
  /** Shifts that are not requested again, and why: by path and the checksum that made them wanted. */
  const failed = new Map<string, PastpaperError>();
  /** Why shifts of this pass are incomplete. A later pass may fix them. */
  const mismatched = new Map<string, PastpaperError>();
  /** Without a public key, everything is accepted. */
  let isSigned = (_body: Uint8Array) => true;
  try {
    return await passes();
  } catch (error) {
    return { ...none, downloaded, problems: [asProblem(error)] };
  }

  async function passes(): Promise<SyncEnd> {
    for (let pass = 1; ; pass += 1) {
      let years: readonly Year[];
      try {
        if (verify) isSigned = await requestChecksums(connection, verify);
        years = await requestYears(connection, exam, wantedYears, isSigned);
      } catch (error) {
        // The service may have published a release since it sent the checksums.
        if (!(error instanceof Unsigned) || pass === maxPasses) throw error;
        await connection.clock.sleep(jitteredDelay(pass, connection.clock));
        continue;
      }
      const outdated = await outdatedOf(years);
      if (outdated.size === 0) return finish(years);
      const isHopeless = [...outdated.keys()].every((shift) => failed.has(keyOf(shift)));
      if (isHopeless || pass === maxPasses) return giveUp(outdated);
      mismatched.clear();
      await folder.claim([...outdated.keys()].flatMap(paperPaths));
      await download(years, [...outdated.keys()]);
      // With files that do not match, a release is being published.
      if (mismatched.size === 0) continue;
      await connection.clock.sleep(jitteredDelay(pass, connection.clock));
    }
  }

  function giveUp(left: ReadonlyMap<Shift, PastpaperError>): SyncEnd {
    const problems = [...left].map(
      ([shift, problem]) => failed.get(keyOf(shift)) ?? mismatched.get(keyOf(shift)) ?? problem,
    );
    return { ...none, downloaded, problems };
  }

  /** The shifts that are incomplete on disk, and why. */
  async function outdatedOf(years: readonly Year[]): Promise<Map<Shift, PastpaperError>> {
    const outdated = new Map<Shift, PastpaperError>();
    for (const shift of years.flatMap(({ shifts }) => shifts)) {
      const { paths, problem } = await verified(shift, folder.read, isSigned);
      if (problem) outdated.set(shift, problem);
      else await folder.adopt(paths);
    }
    return outdated;
  }

  async function download(years: readonly Year[], outdated: readonly Shift[]) {
    const stored = await folder.pack();
    let missing = stored ? await unpackShifts(outdated, stored) : outdated;
    missing = missing.filter((shift) => !failed.has(keyOf(shift)));
    const total = missing.length;
    const report = () => progress(total - missing.length, total, downloaded.bytes);
    for (const year of years) {
      const ofYear = missing.filter(({ path }) => path.startsWith(`${year.path}/`));
      // A pack of the year is one request.
      if (ofYear.length > 1 && ofYear.length * 2 > year.shifts.length) {
        const pack = await requestPack(`${year.path}/all.zip`).catch(ignoreFailure);
        if (pack) {
          await unpackShifts(ofYear, pack);
          missing = missing.filter((shift) => !ofYear.includes(shift));
          report();
          continue;
        }
      }
      for (const shift of ofYear) {
        try {
          const pack = await requestPack(`${shift.path}.zip`);
          if (pack) await unpackShifts([shift], pack);
          else await downloadFiles(shift);
        } catch (error) {
          const problem = ignoreStop(error);
          if (problem instanceof Mismatch) mismatched.set(keyOf(shift), problem);
          else failed.set(keyOf(shift), problem);
        }
        missing = missing.filter((one) => one !== shift);
        report();
      }
    }
  }

  function requestPack(path: string): Promise<Uint8Array | undefined> {
    return connection.get({
      path,
      isProtected: true,
      kind: 'pack',
      read: (body) => {
        unpack(body);
        return body;
      },
    });
  }

  /** Writes the shifts of a pack that are as the metadata says. @returns the other ones */
  async function unpackShifts(shifts: readonly Shift[], pack: Uint8Array): Promise<Shift[]> {
    const others: Shift[] = [];
    let files: Files = new Map();
    try {
      files = unpack(pack);
      if (shifts.length > 0) await folder.storePack(pack);
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
    }
    for (const shift of shifts) {
      const read = async (path: string) => files.get(path);
      const { paths, problem } = await verified(shift, read, isSigned);
      if (problem) {
        others.push(shift);
        mismatched.set(keyOf(shift), problem);
      } else {
        await folder.claim(paths);
        for (const path of paths) await write(path, files.get(path) ?? new Uint8Array());
      }
    }
    await folder.removePack();
    return others;
  }

  async function write(path: string, bytes: Uint8Array): Promise<void> {
    const old = await folder.read(path);
    if (old && sha256Of(old) === sha256Of(bytes)) return;
    await folder.write(path, bytes);
    downloaded[path.endsWith('.json') ? 'papers' : 'diagrams'] += 1;
    downloaded.bytes += bytes.length;
  }

  /** The metadata does not say which papers of a shift changed: requests them, absent ones first, until all match it. */
  async function downloadFiles(shift: Shift): Promise<void> {
    const state = () => verified(shift, folder.read, isSigned);
    const { present } = await state();
    const absentFirst = paperPaths(shift).sort(
      (a, b) => Number(present.includes(a)) - Number(present.includes(b)),
    );
    let current = await state();
    /** If one file fails, the others are still downloaded. */
    let problem: PastpaperError | undefined;
    const tryFile: typeof downloadFile = async (...args) => {
      await downloadFile(...args).catch((error: unknown) => {
        problem ??= ignoreStop(error);
      });
    };
    for (const path of absentFirst) {
      if (current.hasPapers) break;
      await tryFile(path, (body) => void readPaper(body, path));
      current = await state();
    }
    if (current.hasPapers)
      for (const [path, sum] of current.missing) await tryFile(path, () => undefined, sum);
    if (problem) throw problem;
  }

  /** @param sum the checksum of a diagram */
  async function downloadFile(
    path: string,
    check: (body: Uint8Array) => void,
    sum?: string,
  ): Promise<void> {
    const read = (body: Uint8Array) => {
      check(body);
      return body;
    };
    const body = await connection.get({
      path,
      isProtected: true,
      kind: path.endsWith('.json') ? 'json' : 'file',
      read,
    });
    if (!body)
      throw new PastpaperError(
        'not-found',
        `${path}: the service lists it, but does not have it (404).`,
      );
    if (sum !== undefined && checksum(body) !== sum)
      throw new Mismatch('damaged', `${path}: ${differs}`);
    if (!isSigned(body)) throw new Mismatch('unsigned', `${path}: ${unsigned}`);
    await folder.claim([path]);
    await write(path, body);
  }

  async function finish(years: readonly Year[]): Promise<SyncEnd> {
    const shifts = years.flatMap((year) => year.shifts);
    const papers = shifts.flatMap(paperPaths);
    const diagrams = new Set<string>();
    for (const shift of shifts)
      for (const path of (await verified(shift, folder.read, isSigned)).paths)
        if (!papers.includes(path)) diagrams.add(path);
    const indexes = years.map(({ path }) => `${path}/index.json`);
    for (const { path, body } of years) {
      const index = `${path}/index.json`;
      const old = await folder.read(index);
      const isSame = old && sha256Of(old) === sha256Of(body);
      await (isSame ? folder.adopt([index]) : folder.claim([index]));
      if (!isSame) await folder.write(index, body);
    }
    const removed = await folder.removeUnwanted(new Set([...papers, ...diagrams, ...indexes]));
    const counts = { shifts: shifts.length, papers: papers.length, diagrams: diagrams.size };
    return { ...counts, removed, downloaded, problems: [] };
  }
}

function keyOf({ path, checksum }: Shift): string {
  return `${path} ${checksum}`;
}

/** An error of one file or shift; others may be downloaded. @throws any other error */
function ignoreStop(error: unknown): PastpaperError {
  const isOfOne =
    error instanceof PastpaperError &&
    ['unavailable', 'damaged', 'not-found', 'unsigned'].includes(error.code);
  if (isOfOne) return error;
  throw error;
}

function ignoreFailure(error: unknown): undefined {
  ignoreStop(error);
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

/**
 * Compares the files of a shift with its metadata.
 *
 * @returns the paths of its files; of those that are right, `present` papers and `missing` diagrams; and the first problem
 */
async function verified(
  { path: ofShift, ...shift }: Shift,
  read: (path: string) => Promise<Uint8Array | undefined>,
  isSigned: (body: Uint8Array) => boolean,
) {
  const sums = new Map<string, string>();
  const diagrams = new Map<string, string>();
  let problem: PastpaperError | undefined;
  const found = (why: string, code: PastpaperError['code'] = 'damaged') => {
    problem ??= new PastpaperError(code, why);
  };
  const papers = paperPaths({ path: ofShift, ...shift });
  for (const path of papers) {
    try {
      const body = await read(path);
      if (!body) found(`${path} is missing.`, 'not-found');
      else if (!isSigned(body)) found(`${path}: ${unsigned}`, 'unsigned');
      else {
        const paper = readPaper(body, path);
        sums.set(path, paper.checksum);
        for (const { file, checksum } of paper.diagrams) {
          const place = `${ofShift}/diagrams/${file}`;
          // If two papers disagree on a diagram, one of them is reported.
          if ((diagrams.get(place) ?? checksum) !== checksum) found(`${place}: ${differs}`);
          diagrams.set(place, checksum);
        }
      }
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      found(`${path}: ${error.message}.`);
    }
  }
  const bySubject = shift.subjects.map(
    (subject) => [subject, sums.get(`${ofShift}/${subject}.json`) ?? ''] as const,
  );
  const hasPapers =
    checksum(Object.fromEntries(bySubject)) === shift.checksum &&
    shift.translations.every(
      (one) => sums.get(`${ofShift}/${one.subject}.${one.language}.json`) === one.checksum,
    );
  if (sums.size === papers.length && !hasPapers)
    found(`${ofShift}: its papers do not match the checksum of the shift.`);
  const missing: [path: string, checksum: string][] = [];
  for (const [path, sum] of diagrams) {
    const body = await read(path);
    if (body && checksum(body) === sum && isSigned(body)) continue;
    missing.push([path, sum]);
    if (!body) found(`${path} is missing.`, 'not-found');
    else if (isSigned(body)) found(`${path}: ${differs}`);
    else found(`${path}: ${unsigned}`, 'unsigned');
  }
  return {
    paths: [...papers, ...diagrams.keys()],
    present: [...sums.keys()],
    missing,
    hasPapers,
    problem,
  };
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
  const wanted = { path: checksumsPath, isProtected: false, kind: 'file' } as const;
  const text = await connection.get({ ...wanted, read: (body) => new TextDecoder().decode(body) });
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
 * @throws PastpaperError when the service has no such exam or year; Unsigned
 */
async function requestYears(
  connection: Connection,
  exam: string,
  wanted: readonly number[] | undefined,
  isSigned: (body: Uint8Array) => boolean,
): Promise<readonly Year[]> {
  const get = <Value>(path: string, read: (body: Uint8Array) => Value) =>
    connection.get({
      path,
      isProtected: false,
      kind: 'json',
      read: (body) => {
        if (!isSigned(body))
          throw new Unsigned('unsigned', `${connection.urlOf(path)}: ${unsigned}`);
        return read(body);
      },
    });
  const yearsOf = async () => {
    const years = await get(exam, (body) => readYears(body, exam));
    if (years) return years;
    throw new PastpaperError(
      'not-found',
      `${connection.urlOf(exam)}: the service has no ${exam} (404). Check the exam code and the address of the service.`,
    );
  };
  const names = wanted?.map((year) => String(year).padStart(4, '0')) ?? (await yearsOf());
  const years: Year[] = [];
  for (const name of names) {
    const path = `${exam}/${name}`;
    const year = await get(path, (body) => readYear(body, exam, Number(name)));
    if (!year)
      throw new PastpaperError(
        'not-found',
        `${connection.urlOf(exam)}: ${exam} has no year ${name}. Its years: ${(await yearsOf()).join(', ')}.`,
      );
    years.push(year);
  }
  return years;
}
