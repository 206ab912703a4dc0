import { mkdir, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Bank } from './bank.ts';

/** A content folder that is updated from one bank to the next; only differences are written. */
export class BankFolder {
  readonly dir: string;
  #written: Bank = new Map();

  /** @param dir an empty folder */
  constructor(dir: string) {
    this.dir = dir;
  }

  /** @returns false if no folder can contain these files, as one of them is the folder of another */
  async update(bank: Bank): Promise<boolean> {
    try {
      for (const path of this.#written.keys()) if (!bank.has(path)) await this.#remove(path);
      for (const [path, bytes] of bank) {
        if (this.#written.get(path)?.equals(bytes)) continue;
        const file = join(this.dir, path);
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, bytes);
      }
      this.#written = bank;
      return true;
    } catch (error) {
      if (!['EEXIST', 'EISDIR', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      await rm(this.dir, { recursive: true });
      await mkdir(this.dir);
      this.#written = new Map();
      return false;
    }
  }

  /** Removes a file, and folders that are then empty. */
  async #remove(path: string): Promise<void> {
    await unlink(join(this.dir, path));
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
      const isGone = await rmdir(join(this.dir, folder)).then(
        () => true,
        () => false,
      );
      if (!isGone) break;
    }
  }
}
