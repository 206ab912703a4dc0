import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Copies a folder with its symbolic links; faster than `cp` of node:fs. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-R', '-P', `${from}/.`, to]);
}
