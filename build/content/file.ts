/** Finds the files of the content folder by their places, reads them, and parses the JSON in them. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
} from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import glob from 'fast-glob';
import type { Source } from '../release/resources.ts';
import { UserError } from '../release/user-error.ts';
import bounds from './bounds.json' with { type: 'json' };
import type { FileStamps } from './stamps.ts';
import type { PaperPlace, ShiftPlace, TranslationPlace } from './types.ts';

/** The files of the content folder by kind; each list in the order of the paths. */
export interface FoundContent {
  readonly exams: readonly ExamPlace[];
  readonly shifts: readonly ShiftFolder[];
  readonly emptyShifts: readonly string[];
  /** The paths of the lists of exceptions. */
  readonly exceptions: readonly string[];
  readonly strays: readonly Stray[];
  readonly unreadable: readonly UnreadableFolder[];
}

export type ExamPlace = Extract<Place, { kind: 'exam' }>;

/** `<exam>/<year>/<shift>/` and the files in it. */
export interface ShiftFolder extends ShiftPlace {
  /** The path of `shift.json`, if there is one. */
  readonly details: readonly { readonly path: string }[];
  readonly papers: readonly (PaperPlace & { readonly path: string })[];
  readonly translations: readonly (TranslationPlace & { readonly path: string })[];
  readonly diagrams: readonly { readonly path: string; readonly file: string }[];
  /** The source of its exam or of the bank, if it is known: `shift.json` may have another. */
  readonly source?: Source | undefined;
}

/** The paths of the files of a shift. */
export function pathsOfShift({ details, papers, translations, diagrams }: ShiftFolder): string[] {
  return [...details, ...papers, ...translations, ...diagrams].map(({ path }) => path);
}

/** `<exam>/<year>/<shift>` */
export function shiftPath({ exam, year, shift }: ShiftPlace): string {
  return `${exam}/${year}/${shift}`;
}

/** A file or folder that is not at a place of the content, or not of a kind that is published. */
export interface Stray {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'special' | 'name';
}

export interface UnreadableFolder {
  readonly path: string;
  /** The error code of the system: `EACCES`. */
  readonly code: string;
}

/** @throws UserError when there is no such folder */
export async function requireContentFolder(folder: string): Promise<void> {
  const entry = await stat(folder).catch(() => undefined);
  if (!entry?.isDirectory())
    throw new UserError(
      `The content folder ${folder} does not exist. Set CONTENT_DIR to your content folder.`,
    );
}

/**
 * Finds the content. Hidden files, Markdown files and the schemas in `schema/` are ignored; links are strays and not
 * followed.
 *
 * @param stamps of the folder, if it has been scanned
 * @throws UserError when there is no such folder
 */
export async function findContent(folder: string, stamps?: FileStamps): Promise<FoundContent> {
  await requireContentFolder(folder);
  const strays: Stray[] = [];
  const unreadable: UnreadableFolder[] = [];
  const rootLength = join(resolve(folder), '/').length;
  const inside = (path: string) => path.slice(rootLength);
  // A bank has thousands of folders with a few files each: asynchronous calls take three times as long.
  const entries = glob.sync('**', {
    cwd: folder,
    ignore: ['schema/*.schema.json', '**/*.[mM][dD]'],
    onlyFiles: false,
    objectMode: true,
    unique: false,
    followSymbolicLinks: false,
    fs: { readdirSync: listing(inside, strays, unreadable, stamps) as typeof readdirSync },
  });
  const places: Place[] = [];
  const folders: string[] = [];
  for (const { path, dirent } of entries) {
    if (dirent.isDirectory()) folders.push(path);
    const place = placeOf(path);
    // A question may refer to a link or folder in `diagrams`: then it is a diagram that cannot be read.
    if (place.kind === 'diagram' || (dirent.isFile() && place.kind !== 'stray')) places.push(place);
    if (dirent.isFile() && place.kind !== 'stray') continue;
    if (!dirent.isDirectory()) strays.push({ path, kind: strayKind(dirent) });
    // `diagrams` is the only folder on the level of the papers.
    else if (place.kind !== 'stray') strays.push({ path, kind: 'folder' });
  }
  const { exams, shifts } = contentAt(places.sort(byPath));
  return {
    exams,
    shifts,
    emptyShifts: emptyShifts(folders, shifts),
    exceptions: places.filter(({ kind }) => kind === 'exceptions').map(({ path }) => path),
    strays: outermost(strays.sort(byPath)),
    unreadable: unreadable.sort(byPath),
  };
}

/** Lists a folder for fast-glob, which itself fails at an unreadable folder and skips names with a line break. */
function listing(
  inside: (path: string) => string,
  strays: Stray[],
  unreadable: UnreadableFolder[],
  stamps: FileStamps | undefined,
) {
  return (path: string, options: { withFileTypes: true }): Dirent[] => {
    try {
      const entries = stamps?.listing(inside(path)) ?? readdirSync(path, options);
      for (const { name } of entries.filter((entry) => !isPlainName(entry)))
        strays.push({ path: inside(join(path, name)), kind: 'name' });
      return entries.filter(isPlainName);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      unreadable.push({ path: inside(path), code: code ?? message });
      return [];
    }
  };
}

/** Drops strays inside a folder that is a stray itself. */
function outermost(strays: readonly Stray[]): Stray[] {
  const folders = strays.filter(({ kind }) => kind === 'folder').map(({ path }) => `${path}/`);
  return strays.filter(({ path }) => !folders.some((folder) => path.startsWith(folder)));
}

function isPlainName({ name }: Dirent): boolean {
  return !/\p{Cc}/u.test(name);
}

function strayKind(entry: Pick<Dirent, 'isFile' | 'isSymbolicLink'>): Stray['kind'] {
  if (entry.isFile()) return 'file';
  return entry.isSymbolicLink() ? 'link' : 'special';
}

/** @param places in the order of their paths */
export function contentAt(places: readonly Place[]): Pick<FoundContent, 'exams' | 'shifts'> {
  return { exams: places.filter((place) => place.kind === 'exam'), shifts: shiftFolders(places) };
}

function shiftFolders(places: readonly Place[]): ShiftFolder[] {
  const inShifts = places.filter((place) => 'shift' in place);
  const paths = inShifts.map(shiftPath);
  // The places are in the order of their paths, so those of a shift are together.
  const starts = [...paths.keys()].filter((index) => paths[index] !== paths[index - 1]);
  return starts.map((start, index) => {
    const ofShift = inShifts.slice(start, starts[index + 1]);
    const [{ exam = '', year = '', shift = '' } = {}] = ofShift;
    return {
      exam,
      year,
      shift,
      details: ofShift.filter((place) => place.kind === 'shift'),
      papers: ofShift.filter((place) => place.kind === 'paper'),
      translations: ofShift.filter((place) => place.kind === 'translation'),
      diagrams: ofShift.filter((place) => place.kind === 'diagram'),
    };
  });
}

function emptyShifts(folders: readonly string[], shifts: readonly ShiftFolder[]): string[] {
  const withPapers = new Set(shifts.filter(({ papers }) => papers.length > 0).map(shiftPath));
  return folders.filter((path) => path.split('/').length === 3 && !withPapers.has(path)).sort();
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1;
}

/** The list of exceptions, and the one that `pastpaper validate --baseline` writes, at the top of the content folder. */
export const exceptionsPath = 'exceptions.json';
export const baselinePath = 'baseline.json';
/** What `pastpaper import` remembers of imported questions. */
export const importsPath = 'imports.json';

/** The kind of a file of the content folder, by its path alone. */
export type Place =
  | { readonly kind: 'exam'; readonly path: string; readonly code: string }
  | { readonly kind: 'exceptions' | 'imports'; readonly path: string }
  | ({ readonly kind: 'shift'; readonly path: string } & ShiftPlace)
  | ({ readonly kind: 'paper'; readonly path: string } & PaperPlace)
  | ({ readonly kind: 'translation'; readonly path: string } & TranslationPlace)
  | ({ readonly kind: 'diagram'; readonly path: string; readonly file: string } & ShiftPlace)
  | { readonly kind: 'stray'; readonly path: string };

/** @param path inside the content folder, with `/` between its parts */
export function placeOf(path: string): Place {
  const parts = path.split('/');
  const [exam = '', year = '', shift = '', file = '', diagram = ''] = parts;
  if (path === exceptionsPath || path === baselinePath) return { kind: 'exceptions', path };
  if (path === importsPath) return { kind: 'imports', path };
  if (parts.length === 2 && year === 'exam.json') return { kind: 'exam', path, code: exam };
  if (parts.length === 4 && file === 'shift.json')
    return { kind: 'shift', path, exam, year, shift };
  if (parts.length === 4 && file.endsWith('.json')) {
    const [subject = '', ...language] = file.slice(0, -'.json'.length).split('.');
    const place = { path, exam, year, shift, subject };
    return language.length > 0
      ? { kind: 'translation', ...place, language: language.join('.') }
      : { kind: 'paper', ...place };
  }
  if (parts.length === 5 && file === 'diagrams') {
    return { kind: 'diagram', path, exam, year, shift, file: diagram };
  }
  return { kind: 'stray', path };
}

export const { jsonBytes: maxJsonBytes, imageBytes: maxImageBytes } = bounds;

/** A JSON file of the content folder, as far as it could be read. */
export type JsonFile = ReadFile & {
  /** Inside the content folder. */
  readonly path: string;
  readonly kind: JsonKind;
};

export type JsonKind = 'exam' | 'shift' | 'paper' | 'translation' | 'exceptions' | 'config';

type ReadFile =
  | { readonly state: 'unreadable'; readonly fault: string }
  | { readonly state: 'undecodable'; readonly bytes: Buffer }
  | ({ readonly state: 'unparsable' } & DecodedFile)
  | ({ readonly state: 'parsed'; readonly value: unknown } & DecodedFile);

interface DecodedFile {
  /** Without the byte order mark. */
  readonly text: string;
  readonly byteOrderMark: boolean;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads and parses a JSON file. Errors are returned, not thrown. @param file its path on the disk */
export function readJsonFile(file: string, path: string, kind: JsonKind): JsonFile {
  return jsonFile(readBytes(file, maxJsonBytes), path, kind);
}

/** Parses the bytes of a JSON file, or passes on why it could not be read. */
export function jsonFile(bytes: FileBytes, path: string, kind: JsonKind): JsonFile {
  return 'fault' in bytes
    ? { path, kind, state: 'unreadable', fault: bytes.fault }
    : { path, kind, ...parseBytes(bytes) };
}

function parseBytes(bytes: Buffer): ReadFile {
  const byteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { state: 'undecodable', bytes };
  }
  try {
    return { state: 'parsed', value: JSON.parse(text), text, byteOrderMark };
  } catch {
    return { state: 'unparsable', text, byteOrderMark };
  }
}

/** A file's bytes, or a sentence on why it cannot be read. */
export type FileBytes = Buffer | { readonly fault: string; readonly isTooLarge?: true };

/**
 * Reads a file. Links are not followed, and only regular files are read, since a pipe would never end.
 *
 * @param limit in bytes
 */
export function readBytes(file: string, limit: number): FileBytes {
  try {
    const descriptor = openSync(
      file,
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    try {
      const stat = fstatSync(descriptor);
      if (!stat.isFile()) return { fault: 'This is not a regular file.' };
      if (stat.size > limit) return { fault: tooLarge(stat.size, limit), isTooLarge: true };
      return readAll(descriptor, stat.size);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    return { fault: readError(error as NodeJS.ErrnoException) };
  }
}

/** Reads up to the size that the file had when it was opened, in case it is being written to. */
function readAll(descriptor: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const read = readSync(descriptor, bytes, length, size - length, length);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

function tooLarge(size: number, limit: number): string {
  return `The file is too large: ${megabytes(size)} MB. The limit is ${megabytes(limit)} MB.`;
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, '');
}

function readError({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'EACCES' || code === 'EPERM')
    return 'The file cannot be read: permission denied. Change its permissions, or remove it.';
  return `The file cannot be read (${code ?? message}).`;
}

/** The files of a shift, in the order of its folder. */
export interface ShiftFiles {
  readonly details: readonly FileBytes[];
  readonly papers: readonly FileBytes[];
  readonly translations: readonly FileBytes[];
  readonly diagrams: readonly FileBytes[];
}

export function readShift(
  contentDir: string,
  { details, papers, translations, diagrams }: ShiftFolder,
): ShiftFiles {
  const readJson = ({ path }: { readonly path: string }) =>
    readBytes(join(contentDir, path), maxJsonBytes);
  return {
    details: details.map(readJson),
    papers: papers.map(readJson),
    translations: translations.map(readJson),
    diagrams: diagrams.map(({ path }) => readBytes(join(contentDir, path), maxImageBytes)),
  };
}

/** The bytes of a shift's files, in the order of `pathsOfShift`. */
export function bytesOfShift({ details, papers, translations, diagrams }: ShiftFiles): FileBytes[] {
  return [...details, ...papers, ...translations, ...diagrams];
}

/** SHA-256 of the paths and bytes of a shift's files, and of its source; undefined when one of them cannot be read. */
export function digestOfShift(folder: ShiftFolder, files: ShiftFiles): Buffer | undefined {
  const hash = createHash('sha256').update(JSON.stringify(folder.source ?? ''));
  const paths = pathsOfShift(folder);
  for (const [index, bytes] of bytesOfShift(files).entries()) {
    if ('fault' in bytes) return undefined;
    hash.update(`${paths[index]}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest();
}

/** A file of the bank has five levels. */
const deepest = 100;

/**
 * Whether no object of a JSON text has a property twice. Counts the colons that follow a quote, with or without space in
 * between. There is at least one for each property name, and more where a string contains both: a text with as many as
 * its value has properties has no duplicate names, and needs no slower parser.
 *
 * @returns false also for other texts, where strings contain both
 */
export function hasUniqueNames(text: string, value: unknown): boolean {
  return countNames(text) === countProperties(value, deepest);
}

function countNames(text: string): number {
  let count = 0;
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    let before = colon - 1;
    while (isSpace(text.charCodeAt(before))) before -= 1;
    if (text.charCodeAt(before) === doubleQuote) count += 1;
  }
  return count;
}

const doubleQuote = 0x22;

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

/** The properties of all objects in a value; NaN for a value nested deeper than some levels. */
export function countProperties(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (levels === 0) return Number.NaN;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value)
      if (typeof item === 'object') count += countProperties(item, levels - 1);
    return count;
  }
  for (const name in value) {
    count += 1;
    const inner = (value as Record<string, unknown>)[name];
    if (typeof inner === 'object') count += countProperties(inner, levels - 1);
  }
  return count;
}
