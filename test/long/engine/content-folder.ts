import { mkdir, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileContent, Files } from '../../build/bank-folder.ts';

/** A content folder that is updated as by an editor: unchanged files are not written. */
export class ContentFolder {
  readonly dir: string;
  #files: Files = {};

  /** @param dir an empty folder */
  constructor(dir: string) {
    this.dir = dir;
  }

  /** Makes these files the content of the folder. */
  async update(files: Files): Promise<void> {
    const before = this.#files;
    this.#files = files;
    for (const path of Object.keys(before)) if (!(path in files)) await this.#remove(path);
    for (const [path, content] of Object.entries(files))
      if (before[path] !== content) await writeContent(join(this.dir, path), content);
  }

  /** Removes a file and empty folders above it, as in a working tree of Git. */
  async #remove(path: string): Promise<void> {
    await rm(join(this.dir, path));
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
      if ((await readdir(join(this.dir, folder))).length > 0) return;
      await rmdir(join(this.dir, folder));
    }
  }
}

/** Writes a content file, and creates its folders. */
export async function writeContent(file: string, content: FileContent): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const isText = typeof content === 'string' || content instanceof Uint8Array;
  await writeFile(file, isText ? content : JSON.stringify(content));
}
