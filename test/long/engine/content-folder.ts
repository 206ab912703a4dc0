import { mkdir, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileContent, Files } from '../../build/bank-folder.ts';

/** A content folder that goes from one content to the next as an editor would: what stays the same is not touched. */
export class ContentFolder {
  readonly dir: string;
  #files: Files = {};

  /** @param dir an empty folder */
  constructor(dir: string) {
    this.dir = dir;
  }

  /** Makes the folder hold these files and no others. */
  async become(files: Files): Promise<void> {
    const before = this.#files;
    this.#files = files;
    for (const path of Object.keys(before)) if (!(path in files)) await this.#remove(path);
    for (const [path, content] of Object.entries(files))
      if (before[path] !== content) await writeContent(join(this.dir, path), content);
  }

  /** Folders that are empty then go too, as in a working tree of git. */
  async #remove(path: string): Promise<void> {
    await rm(join(this.dir, path));
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
      if ((await readdir(join(this.dir, folder))).length > 0) return;
      await rmdir(join(this.dir, folder));
    }
  }
}

/** Writes a content file, and the folders above it. */
export async function writeContent(file: string, content: FileContent): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const isText = typeof content === 'string' || content instanceof Uint8Array;
  await writeFile(file, isText ? content : JSON.stringify(content));
}
