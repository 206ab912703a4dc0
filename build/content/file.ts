/** Reads files of the content folder, and parses the JSON in them. */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import bounds from './bounds.json' with { type: 'json' };
import { pathsOfShift, type ShiftFolder } from './find.ts';

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
