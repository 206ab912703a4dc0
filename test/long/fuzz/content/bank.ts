import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesOf } from '../../../build/bank-folder.ts';
import { everyFieldFiles } from '../../../build/every-field.ts';
import { sampleContentDir } from '../../../content/sample-bank.ts';

/** The files of a content folder: bytes by path. */
export type Bank = ReadonlyMap<string, Buffer>;

/**
 * Parts of the sample bank, each a complete bank: one for each shift, and one for each paper. After each one comes a bank
 * with every field.
 */
export async function sampleBanks(): Promise<readonly Bank[]> {
  const paths = (await readdir(sampleContentDir, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(sampleContentDir.length + 1))
    .sort();
  const shifts = new Set(paths.filter((path) => path.split('/').length >= 4).map(shiftOf));
  const withEveryField: Bank = new Map(
    Object.entries(everyFieldFiles).map(([path, content]) => [path, Buffer.from(bytesOf(content))]),
  );
  const parts = [...shifts].flatMap((shift) => {
    const exam = `${shift.split('/')[0]}/exam.json`;
    const files = paths.filter((path) => path.startsWith(`${shift}/`));
    const ofPaper = (paper: string) => {
      const subject = paper.slice(shift.length + 1, -'.json'.length);
      return [exam, paper, ...files.filter((path) => isDiagram(path) && path.includes(`-${subject}-`))];
    };
    return [[exam, ...files], ...files.filter(isPaper).map(ofPaper)].map(bankOf);
  });
  return parts.flatMap((part) => [part, withEveryField]);
}

function shiftOf(path: string): string {
  return path.split('/', 3).join('/');
}

function bankOf(paths: readonly string[]): Bank {
  return new Map(paths.map((path) => [path, readFileSync(join(sampleContentDir, path))]));
}

/** `<exam>/<year>/<shift>/<subject>.json`; hidden files are not content. */
export function isPaper(path: string): boolean {
  return /^[^/]+\/[^/]+\/[^/]+\/[^/.]*\.json$/.test(path) && !isHidden(path);
}

/** `<exam>/<year>/<shift>/<subject>.<language>.json` */
export function isTranslation(path: string): boolean {
  return /^[^/]+\/[^/]+\/[^/]+\/[^/.]*\.[^/]*\.json$/.test(path) && !isHidden(path);
}

/** The subject of a paper or translation, and the language of a translation. */
export function nameOf(path: string): { readonly subject: string; readonly language: string } {
  const [subject = '', ...language] = path.slice(path.lastIndexOf('/') + 1, -'.json'.length).split('.');
  return { subject, language: language.join('.') };
}

/** `<exam>/<year>/<shift>/diagrams/<file>` */
export function isDiagram(path: string): boolean {
  const parts = path.split('/');
  return parts.length === 5 && parts[3] === 'diagrams' && !isHidden(path);
}

function isHidden(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('.'));
}
