import { appendFile, lstat, readdir, readFile, rm, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isAbandonedDraft } from '../release/draft.ts';
import { makeFolder } from '../release/make-folder.ts';
import { writeWhole } from '../release/write-whole.ts';
import { PullStopped } from './errors.ts';
import { isCopyPath } from './paths.ts';
import { diagramChecksum, type PaperAnswer, type PaperName, readPaper } from './resources.ts';

/** What is remembered of a file. */
export interface Entry {
  /** The ETag of the answer that it came with, and the checksum that it had then. */
  readonly etag?: string | undefined;
  readonly checksum?: string | undefined;
}

/**
 * Which files of a folder the copy has written, so that it removes no others. A line of JSON for each, and a later
 * line for a file stands for the earlier: lines are added before and after files are written, so that a run that is
 * killed leaves no file that is not in it. Nobody trusts it about what a file holds.
 */
export class Manifest {
  readonly #path: string;
  readonly #entries: Map<string, Entry>;
  #text: string;

  private constructor(path: string, text: string) {
    this.#path = path;
    this.#text = text;
    this.#entries = new Map(text.split('\n').flatMap(readLine));
  }

  /** @throws the file system's own error, but for a manifest that is not there yet */
  static async open(path: string): Promise<Manifest> {
    return new Manifest(path, await textOf(path));
  }

  /** Learns which files another process has put on the list since. */
  async catchUp(): Promise<void> {
    this.#text = await textOf(this.#path);
    for (const [file, entry] of this.#text.split('\n').flatMap(readLine)) this.#entries.set(file, entry);
  }

  get files(): readonly string[] {
    return [...this.#entries.keys()];
  }

  has(file: string): boolean {
    return this.#entries.has(file);
  }

  get(file: string): Entry | undefined {
    return this.#entries.get(file);
  }

  /** Puts files on the list that are to be written. */
  async add(files: readonly string[]): Promise<void> {
    const added = files.filter((file) => !this.#entries.has(file));
    await this.#append(added.map((file) => [file, {}]));
  }

  async remember(file: string, entry: Entry): Promise<void> {
    await this.#append([[file, entry]]);
  }

  /** Leaves these files on the list and no others, in order, a line each. */
  async keep(isKept: (file: string) => boolean): Promise<void> {
    for (const file of this.files) if (!isKept(file)) this.#entries.delete(file);
    const text = [...this.#entries]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([file, entry]) => `${lineOf(file, entry)}\n`)
      .join('');
    if (text === this.#text) return;
    await writeWhole(this.#path, text);
    this.#text = text;
  }

  async #append(entries: readonly (readonly [string, Entry])[]): Promise<void> {
    if (entries.length === 0) return;
    // A run that was killed may have left half a line.
    const start = this.#text === '' || this.#text.endsWith('\n') ? '' : '\n';
    const text = `${start}${entries.map(([file, entry]) => `${lineOf(file, entry)}\n`).join('')}`;
    this.#text += text;
    for (const [file, entry] of entries) this.#entries.set(file, entry);
    await appendFile(this.#path, text).catch((error: Error) => {
      // Node names no file when the write itself fails: a full disk, say.
      throw Object.assign(error, { path: this.#path });
    });
  }
}

async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}

function lineOf(file: string, { etag, checksum }: Entry): string {
  return JSON.stringify({ file, checksum, etag });
}

function readLine(line: string): [string, Entry][] {
  try {
    const { file, checksum, etag } = JSON.parse(line);
    return isCopyPath(file) ? [[file, { checksum, etag }]] : [];
  } catch {
    return [];
  }
}

/** Beside the folders of the exams; hidden, as no reader of the copy needs it. */
const manifestName = '.pull-manifest.jsonl';

/** Bytes. A file beyond this is none that a pull wrote, and is not read. */
const largestFile = 32 * 1024 * 1024;

/** The folder of a copy. Paths are those inside it, with `/` between their parts. */
export class Copy {
  readonly #folder: string;
  readonly #manifest: Manifest;

  private constructor(folder: string, manifest: Manifest) {
    this.#folder = folder;
    this.#manifest = manifest;
  }

  /**
   * Opens the copy in a folder, which is made where it is missing, and removes what killed runs left half written.
   *
   * @param below the part of it that is to be kept in step: `neet`, `neet/2024`
   * @throws the file system's own error
   */
  static async open(folder: string, below: string): Promise<Copy> {
    await makeFolder(folder);
    await removeDrafts(folder, false);
    await removeDrafts(join(folder, below), true);
    return new Copy(folder, await Manifest.open(join(folder, manifestName)));
  }

  /** A paper that is there whole: it is the one of its name, and matches its own checksum. */
  async paper(path: string, name: PaperName): Promise<PaperAnswer | undefined> {
    const bytes = await this.#read(path);
    try {
      return bytes && readPaper(bytes, name);
    } catch {
      return undefined;
    }
  }

  /** Whether a diagram is there with this checksum. */
  async hasDiagram(path: string, checksum: string): Promise<boolean> {
    const bytes = await this.#read(path);
    return bytes !== undefined && diagramChecksum(bytes) === checksum;
  }

  /** The ETag that a paper came with, if the paper is still the same. */
  etagOf(path: string, { checksum }: PaperAnswer): string | undefined {
    const entry = this.#manifest.get(path);
    return entry?.checksum === checksum ? entry.etag : undefined;
  }

  /** Counts files as the copy's that hold what the service serves, whoever put them there. */
  adopt(paths: readonly string[]): Promise<void> {
    return this.#manifest.add(paths);
  }

  /**
   * Says which files are about to be written.
   *
   * @throws PullStopped when something stands there that no pull wrote
   */
  async announce(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      if (this.#manifest.has(path) || !(await this.#stands(path))) continue;
      // Another pull may have written it just now: it has announced it before.
      await this.#manifest.catchUp();
      if (this.#manifest.has(path)) continue;
      throw new PullStopped(
        `${join(this.#folder, path)} is there already, and no pull has written it. Move it away, or choose another folder for the copy.`,
      );
    }
    await this.#manifest.add(paths);
  }

  /** Writes a file that was announced. @throws the file system's own error */
  async write(path: string, bytes: Buffer, entry?: Entry): Promise<void> {
    const file = join(this.#folder, path);
    await makeFolder(dirname(file));
    await writeWhole(file, bytes);
    if (entry) await this.#manifest.remember(path, entry);
  }

  /**
   * Removes the files that pulls have written below a folder of the copy, but for those that are wanted, and the
   * folders that are empty then.
   *
   * @returns how many there were
   */
  async removeUnwanted(below: string, wanted: ReadonlySet<string>): Promise<number> {
    const unwanted = this.#manifest.files.filter((path) => path.startsWith(`${below}/`) && !wanted.has(path));
    for (const path of unwanted) await this.#remove(path);
    const gone = new Set(unwanted);
    await this.#manifest.keep((path) => !gone.has(path));
    return unwanted.length;
  }

  async #stands(path: string): Promise<boolean> {
    return (await lstat(join(this.#folder, path)).catch(ifAbsent)) !== undefined;
  }

  async #read(path: string): Promise<Buffer | undefined> {
    const file = join(this.#folder, path);
    const entry = await lstat(file).catch(ifAbsent);
    return entry?.isFile() && entry.size <= largestFile ? readFile(file) : undefined;
  }

  async #remove(path: string): Promise<void> {
    await unlink(join(this.#folder, path)).catch(ifAbsent);
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
      const removed = await rmdir(join(this.#folder, folder)).then(
        () => true,
        () => false,
      );
      // What is not empty stays, and all above it.
      if (!removed) return;
    }
  }
}

async function removeDrafts(folder: string, recursive: boolean): Promise<void> {
  const entries = (await readdir(folder, { recursive, withFileTypes: true }).catch(ifAbsent)) ?? [];
  for (const entry of entries)
    if (entry.isFile() && isAbandonedDraft(entry.name))
      await rm(join(entry.parentPath, entry.name), { force: true });
}

/** Takes a file that is not there for undefined. @throws any other error of the file system */
function ifAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}
