import { appendFile, readFile } from 'node:fs/promises';
import { writeWhole } from '../release/write-whole.ts';
import { isCopyPath } from './paths.ts';

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
