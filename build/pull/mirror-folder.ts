import { lstat, readdir, readFile, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { appendLines, createFolder, removeAbandonedDrafts, writeFileAtomically } from '../release/files.ts';
import { namePatterns } from '../release/urls.ts';
import { PullStopped } from './errors.ts';
import { diagramChecksum, type IsSigned, type PaperContent, paperPath, readPaper, type Shift } from './resources.ts';

/** Beside the folders of the exams; hidden, as readers of the mirror do not need it. */
const manifestName = '.pull-manifest.jsonl';

/** Bytes. A pull writes no larger files, and does not read them. */
const maxFileSize = 32 * 1024 * 1024;

const { exam, year, shift, subject, language, diagram } = namePatterns;
const mirrorPath = new RegExp(
  `^${exam}/${year}/${shift}/(?:${subject}(?:\\.${language})?\\.json|diagrams/${diagram})$`,
);

/** What the manifest has about a file. */
interface Entry {
  /** The ETag of the response that the file came with, and the checksum of the file. */
  readonly etag?: string | undefined;
  readonly checksum?: string | undefined;
}

/**
 * The folder of a mirror. Paths are relative to it, with `/` between their parts.
 *
 * A manifest lists the files that pulls wrote: a pull removes and replaces no others. It has JSON lines, of which the
 * last about a file applies. Lines are appended before a file is written, so that a killed pull leaves no file without
 * one. What a file contains is always read from the file itself.
 */
export class MirrorFolder {
  readonly #folder: string;
  readonly #manifest: string;
  readonly #entries = new Map<string, Entry>();
  /** Of the manifest. */
  #text = '';

  private constructor(folder: string) {
    this.#folder = folder;
    this.#manifest = join(folder, manifestName);
  }

  /**
   * Opens a mirror, creates its folder if necessary, and removes temporary files of killed pulls.
   *
   * @param scope the part of it that is pulled: `neet`, `neet/2024`
   * @throws the file system's own error
   */
  static async open(path: string, scope: string): Promise<MirrorFolder> {
    await createFolder(path);
    for (const folder of [path, ...(await foldersIn(join(path, scope)))]) await removeAbandonedDrafts(folder);
    const folder = new MirrorFolder(path);
    await folder.#readManifest();
    return folder;
  }

  /** Reads a paper; undefined when it is absent, unsigned, another paper's, or does not match its own checksum. */
  async paper(shift: Shift, subject: string, isSigned: IsSigned): Promise<PaperContent | undefined> {
    const bytes = await this.#read(paperPath(shift.path, subject));
    try {
      return bytes && isSigned(bytes) ? readPaper(bytes, shift, subject) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Whether a diagram exists with this checksum, and is signed. */
  async hasDiagram(path: string, checksum: string, isSigned: IsSigned): Promise<boolean> {
    const bytes = await this.#read(path);
    return bytes !== undefined && diagramChecksum(bytes) === checksum && isSigned(bytes);
  }

  /** The ETag that a paper was downloaded with, if the paper is still the same. */
  etagOf(path: string, { checksum }: PaperContent): string | undefined {
    const entry = this.#entries.get(path);
    return entry?.checksum === checksum ? entry.etag : undefined;
  }

  /** Adds files to the manifest that equal the service's, whoever wrote them. */
  async adopt(paths: readonly string[]): Promise<void> {
    await this.#append(paths.filter((path) => !this.#entries.has(path)).map((path) => [path, {}]));
  }

  /** Adds files to the manifest that are about to be written. @throws PullStopped when one exists that no pull wrote */
  async claim(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      if (this.#entries.has(path) || !(await this.#stat(path))) continue;
      // Another process may have written it just now.
      await this.#readManifest();
      if (this.#entries.has(path)) continue;
      throw new PullStopped(
        `${join(this.#folder, path)} already exists and was not written by a pull. Move it, or choose another folder.`,
      );
    }
    await this.adopt(paths);
  }

  /** Writes a claimed file. @throws the file system's own error */
  async write(path: string, bytes: Buffer, entry?: Entry): Promise<void> {
    const file = join(this.#folder, path);
    await createFolder(dirname(file));
    await writeFileAtomically(file, bytes);
    if (entry) await this.#append([[path, entry]]);
  }

  /**
   * Removes the files of a scope that pulls wrote and that are not wanted, and the folders that are then empty.
   *
   * @returns the number of files
   */
  async removeUnwanted(scope: string, wanted: ReadonlySet<string>): Promise<number> {
    const unwanted = [...this.#entries.keys()].filter((path) => path.startsWith(`${scope}/`) && !wanted.has(path));
    for (const path of unwanted) {
      await this.#remove(path);
      this.#entries.delete(path);
    }
    const text = linesOf([...this.#entries].sort(([a], [b]) => (a < b ? -1 : 1)));
    if (text !== this.#text) await writeFileAtomically(this.#manifest, text);
    this.#text = text;
    return unwanted.length;
  }

  #stat(path: string) {
    return lstat(join(this.#folder, path)).catch(ifAbsent);
  }

  async #read(path: string): Promise<Buffer | undefined> {
    const stat = await this.#stat(path);
    return stat?.isFile() && stat.size <= maxFileSize ? readFile(join(this.#folder, path)) : undefined;
  }

  async #remove(path: string): Promise<void> {
    await unlink(join(this.#folder, path)).catch(ifAbsent);
    try {
      for (let folder = dirname(path); folder !== '.'; folder = dirname(folder))
        await rmdir(join(this.#folder, folder));
    } catch {
      // A folder that is not empty stays, and so do its parents.
    }
  }

  async #readManifest(): Promise<void> {
    this.#text = (await readFile(this.#manifest, 'utf8').catch(ifAbsent)) ?? '';
    for (const [path, entry] of this.#text.split('\n').flatMap(readLine)) this.#entries.set(path, entry);
  }

  async #append(entries: readonly (readonly [string, Entry])[]): Promise<void> {
    if (entries.length === 0) return;
    for (const [path, entry] of entries) this.#entries.set(path, entry);
    this.#text += await appendLines(this.#manifest, this.#text, linesOf(entries));
  }
}

/** A folder and all folders inside it; none when it does not exist. */
async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(ifAbsent);
  const inside = entries?.filter((entry) => entry.isDirectory()) ?? [];
  return entries ? [folder, ...inside.map(({ parentPath, name }) => join(parentPath, name))] : [];
}

/** Returns undefined for a file that does not exist. @throws any other error of the file system */
function ifAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}

function linesOf(entries: readonly (readonly [string, Entry])[]): string {
  return entries.map(([file, { etag, checksum }]) => `${JSON.stringify({ file, checksum, etag })}\n`).join('');
}

/** Anyone may have edited a line: one that names no paper or diagram is ignored. */
function readLine(line: string): [string, Entry][] {
  try {
    const { file, checksum, etag } = JSON.parse(line);
    return typeof file === 'string' && mirrorPath.test(file) ? [[file, { checksum, etag }]] : [];
  } catch {
    return [];
  }
}
