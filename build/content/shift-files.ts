import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type FileBytes, maxJsonBytes, readBytes } from './file.ts';
import type { ShiftFolder } from './find.ts';
import { maxImageBytes } from './image.ts';

/** The files of a shift as they were read, in the order of its folder. */
export interface ShiftFiles {
  readonly papers: readonly FileBytes[];
  readonly diagrams: readonly FileBytes[];
}

export function readShift(contentDir: string, { papers, diagrams }: ShiftFolder): ShiftFiles {
  return {
    papers: papers.map(({ path }) => readBytes(join(contentDir, path), maxJsonBytes)),
    diagrams: diagrams.map(({ path }) => readBytes(join(contentDir, path), maxImageBytes)),
  };
}

/** SHA-256 over the paths and bytes of a shift's files; undefined when one of them cannot be read. */
export function digestOfShift(folder: ShiftFolder, files: ShiftFiles): Buffer | undefined {
  const hash = createHash('sha256');
  const paths = [...folder.papers, ...folder.diagrams].map(({ path }) => path);
  for (const [index, bytes] of [...files.papers, ...files.diagrams].entries()) {
    if ('fault' in bytes) return undefined;
    hash.update(`${paths[index]}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest();
}
