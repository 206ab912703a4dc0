import { appendFile, lstat, readdir, readFile, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createFolder, removeAbandonedDrafts, writeFileAtomically } from '../release/drafts.ts';
import { PullStopped } from './errors.ts';
import { isMirrorPath } from './paths.ts';
import { diagramChecksum, type PaperContent, type PaperName, readPaper } from './resources.ts';

/** Beside the folders of the exams; hidden, as readers of the mirror do not need it. */
const manifestName = '.pull-manifest.jsonl';

/** Bytes. A pull writes no larger files, and does not read them. */
const maxFileSize = 32 * 1024 * 1024;

/** The folder of a mirror. Paths are relative to it, with `/` between their parts. */
export class MirrorFolder {
  readonly #folder: string;
  readonly #manifest: Manifest;

  private constructor(folder: string, manifest: Manifest) {
    this.#folder = folder;
    this.#manifest = manifest;
  }

  /**
   * Opens a mirror, creates its folder if necessary, and removes temporary files of killed pulls.
   *
   * @param scope the part of it that is pulled: `neet`, `neet/2024`
   * @throws the file system's own error
   */
  static async open(folder: string, scope: string): Promise<MirrorFolder> {
    await createFolder(folder);
    for (const path of [folder, ...(await foldersIn(join(folder, scope)))]) await removeAbandonedDrafts(path);
    return new MirrorFolder(folder, await Manifest.open(join(folder, manifestName)));
  }

  /** Reads a paper; undefined when it is absent, another paper's, or does not match its own checksum. */
  async paper(path: string, name: PaperName): Promise<PaperContent | undefined> {
    const bytes = await this.#read(path);
    try {
      return bytes && readPaper(bytes, name);
    } catch {
      return undefined;
    }
  }

  /** Whether a diagram exists with this checksum. */
  async hasDiagram(path: string, checksum: string): Promise<boolean> {
    const bytes = await this.#read(path);
    return bytes !== undefined && diagramChecksum(bytes) === checksum;
  }

  /** The ETag that a paper was downloaded with, if the paper is still the same. */
  etagOf(path: string, { checksum }: PaperContent): string | undefined {
    const entry = this.#manifest.get(path);
    return entry?.checksum === checksum ? entry.etag : undefined;
  }

  /** Adds files to the manifest that equal the service's, whoever wrote them. */
  adopt(paths: readonly string[]): Promise<void> {
    return this.#manifest.add(paths);
  }

  /**
   * Adds files to the manifest that are about to be written.
   *
   * @throws PullStopped when one exists that no pull wrote
   */
  async claim(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      if (this.#manifest.has(path) || !(await this.#exists(path))) continue;
      // Another process may have written it just now.
      await this.#manifest.reload();
      if (this.#manifest.has(path)) continue;
      throw new PullStopped(
        `${join(this.#folder, path)} is there already, and no pull has written it. Move it away, or choose another folder for the copy.`,
      );
    }
    await this.#manifest.add(paths);
  }

  /** Writes a claimed file. @throws the file system's own error */
  async write(path: string, bytes: Buffer, entry?: ManifestEntry): Promise<void> {
    const file = join(this.#folder, path);
    await createFolder(dirname(file));
    await writeFileAtomically(file, bytes);
    if (entry) await this.#manifest.set(path, entry);
  }

  /**
   * Removes the files of a scope that pulls wrote and that are not wanted, and the folders that are then empty.
   *
   * @returns the number of files
   */
  async removeUnwanted(scope: string, wanted: ReadonlySet<string>): Promise<number> {
    const unwanted = this.#manifest.files.filter((path) => path.startsWith(`${scope}/`) && !wanted.has(path));
    for (const path of unwanted) await this.#remove(path);
    await this.#manifest.rewriteWithout(unwanted);
    return unwanted.length;
  }

  async #exists(path: string): Promise<boolean> {
    return (await lstat(join(this.#folder, path)).catch(ifAbsent)) !== undefined;
  }

  async #read(path: string): Promise<Buffer | undefined> {
    const file = join(this.#folder, path);
    const entry = await lstat(file).catch(ifAbsent);
    return entry?.isFile() && entry.size <= maxFileSize ? readFile(file) : undefined;
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

interface ManifestEntry {
  /** The ETag of the response that the file came with, and the checksum of the file. */
  readonly etag?: string | undefined;
  readonly checksum?: string | undefined;
}

/**
 * The files of a folder that pulls wrote: a pull removes and replaces no others. JSON lines, of which the last about a
 * file applies. Lines are appended before a file is written, so that a killed pull leaves no file without one. What a
 * file holds is always read from the file itself.
 */
class Manifest {
  readonly #path: string;
  readonly #entries: Map<string, ManifestEntry>;
  #text: string;

  private constructor(path: string, text: string) {
    this.#path = path;
    this.#text = text;
    this.#entries = new Map(text.split('\n').flatMap(readLine));
  }

  /** @throws the file system's own error, unless the manifest does not exist yet */
  static async open(path: string): Promise<Manifest> {
    return new Manifest(path, (await readFile(path, 'utf8').catch(ifAbsent)) ?? '');
  }

  /** Adds the files that another process has added since. */
  async reload(): Promise<void> {
    this.#text = (await readFile(this.#path, 'utf8').catch(ifAbsent)) ?? '';
    for (const [file, entry] of this.#text.split('\n').flatMap(readLine)) this.#entries.set(file, entry);
  }

  get files(): readonly string[] {
    return [...this.#entries.keys()];
  }

  has(file: string): boolean {
    return this.#entries.has(file);
  }

  get(file: string): ManifestEntry | undefined {
    return this.#entries.get(file);
  }

  /** Adds files that are not in the manifest yet. */
  async add(files: readonly string[]): Promise<void> {
    await this.#append(files.filter((file) => !this.#entries.has(file)).map((file) => [file, {}]));
  }

  async set(file: string, entry: ManifestEntry): Promise<void> {
    await this.#append([[file, entry]]);
  }

  /** Removes files, and writes one line for each of the others, in order. */
  async rewriteWithout(files: readonly string[]): Promise<void> {
    for (const file of files) this.#entries.delete(file);
    const text = linesOf([...this.#entries].sort(([a], [b]) => (a < b ? -1 : 1)));
    if (text === this.#text) return;
    await writeFileAtomically(this.#path, text);
    this.#text = text;
  }

  async #append(entries: readonly (readonly [string, ManifestEntry])[]): Promise<void> {
    if (entries.length === 0) return;
    // A killed pull may have left half a line.
    const start = this.#text === '' || this.#text.endsWith('\n') ? '' : '\n';
    const text = start + linesOf(entries);
    this.#text += text;
    for (const [file, entry] of entries) this.#entries.set(file, entry);
    await appendFile(this.#path, text).catch((error: Error) => {
      // Node names no file when the write itself fails, for example on a full disk.
      throw Object.assign(error, { path: this.#path });
    });
  }
}

function linesOf(entries: readonly (readonly [string, ManifestEntry])[]): string {
  return entries
    .map(([file, { etag, checksum }]) => `${JSON.stringify({ file, checksum, etag })}\n`)
    .join('');
}

function readLine(line: string): [string, ManifestEntry][] {
  try {
    const { file, checksum, etag } = JSON.parse(line);
    return isMirrorPath(file) ? [[file, { checksum, etag }]] : [];
  } catch {
    return [];
  }
}
