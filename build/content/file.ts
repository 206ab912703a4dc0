import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** No subject file, exam file or list of exceptions is larger; a paper of 90 questions has 0.1 MB. */
export const maxJsonBytes = 16 * 1024 * 1024;

/** A JSON file of the content folder, as far as it could be read. */
export type JsonFile = ReadFile & {
  /** Inside the content folder. */
  readonly path: string;
  readonly kind: JsonKind;
};

export type JsonKind = 'exam' | 'paper' | 'exceptions';

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

/**
 * Reads and parses a JSON file. What is wrong with it comes back; nothing is thrown.
 *
 * @param file its path on the disk
 */
export function readJsonFile(file: string, path: string, kind: JsonKind): JsonFile {
  return jsonFile(readBytes(file, maxJsonBytes), path, kind);
}

/** Parses a JSON file that was read, or that could not be. */
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

/** A file's bytes, or a sentence on why they cannot be had. */
export type FileBytes = Buffer | { readonly fault: string; readonly isTooLarge?: true };

/**
 * A file's bytes, or a sentence on why they cannot be had. Links are not followed, and what is no plain
 * file (a pipe would never end) is not read.
 *
 * @param limit in bytes
 */
export function readBytes(file: string, limit: number): FileBytes {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(descriptor);
      if (!stat.isFile()) return { fault: 'This is not a regular file.' };
      if (stat.size > limit) return { fault: tooLarge(stat.size, limit), isTooLarge: true };
      return readAll(descriptor, stat.size);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    return { fault: refusal(error as NodeJS.ErrnoException) };
  }
}

/** What the file held when it was opened: one that is being written to is read no further. */
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

function refusal({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'EACCES' || code === 'EPERM')
    return 'The file cannot be read: permission is denied. Allow reading it, or remove it.';
  return `The file cannot be read (${code ?? message}).`;
}
