import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleContentDir } from '../../../content/sample-bank.ts';

/** The files of a content folder: bytes by path. */
export type Bank = ReadonlyMap<string, Buffer>;

/** Parts of the sample bank, each a complete bank: one for each shift, and one for each paper. */
export async function sampleBanks(): Promise<readonly Bank[]> {
  const paths = (await readdir(sampleContentDir, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(sampleContentDir.length + 1))
    .sort();
  const shifts = new Set(paths.filter((path) => path.split('/').length >= 4).map(shiftOf));
  return [...shifts].flatMap((shift) => {
    const exam = `${shift.split('/')[0]}/exam.json`;
    const files = paths.filter((path) => path.startsWith(`${shift}/`));
    const ofPaper = (paper: string) => {
      const subject = paper.slice(shift.length + 1, -'.json'.length);
      return [exam, paper, ...files.filter((path) => isDiagram(path) && path.includes(`-${subject}-`))];
    };
    return [[exam, ...files], ...files.filter(isPaper).map(ofPaper)].map(bankOf);
  });
}

function shiftOf(path: string): string {
  return path.split('/', 3).join('/');
}

function bankOf(paths: readonly string[]): Bank {
  return new Map(paths.map((path) => [path, readFileSync(join(sampleContentDir, path))]));
}

/** `<exam>/<year>/<shift>/<subject>.json`; hidden files are not content. */
export function isPaper(path: string): boolean {
  return path.split('/').length === 4 && path.endsWith('.json') && !isHidden(path);
}

/** `<exam>/<year>/<shift>/diagrams/<file>` */
export function isDiagram(path: string): boolean {
  const parts = path.split('/');
  return parts.length === 5 && parts[3] === 'diagrams' && !isHidden(path);
}

function isHidden(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('.'));
}
