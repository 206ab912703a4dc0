/** Reads what is imported: a file with the files beside it, or a zip archive. Both come from strangers. */
import { basename, dirname, join, posix } from 'node:path';
import { unzipSync } from 'fflate';
import { readBytes } from '../content/file.ts';
import { decodeWindows1252 } from '../content/text.ts';
import { UserError } from '../release/user-error.ts';
import { decodedPath } from './tree.ts';

export interface Source {
  /** The files to start from: all of an archive, or only the file itself. */
  readonly paths: readonly string[];
  /** @param path from the folder of the file, or the root of the archive @returns undefined if it is not inside */
  readonly read: (path: string) => Uint8Array | undefined;
  /** Of a single file. */
  readonly text?: string;
}

/** Of a file, and of all files of an archive. */
const mostBytes = 64 * 1024 * 1024;
const mostUnpacked = 200 * 1024 * 1024;
const mostEntries = 10_000;

/** Opens a file or archive. @throws UserError if it cannot be read, or is too large */
export function openSource(file: string): Source {
  const bytes = readBytes(file, mostBytes);
  if ('fault' in bytes) throw new UserError(`${file}: ${bytes.fault}`);
  if (bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') return openArchive(bytes);
  const own = basename(file);
  const beside = (path: string) => {
    const read = readBytes(join(dirname(file), path), mostBytes);
    return 'fault' in read ? undefined : read;
  };
  return { paths: [own], read: (path) => (path === own ? bytes : beside(path)), text: decodedText(bytes) };
}

function openArchive(bytes: Uint8Array): Source {
  let [entries, unpacked] = [0, 0];
  const filter = ({ originalSize }: { readonly originalSize: number }) => {
    entries += 1;
    unpacked += originalSize;
    if (entries > mostEntries || unpacked > mostUnpacked)
      throw new UserError(
        `The archive has more than ${mostEntries} files or ${mostUnpacked / 1024 / 1024} MB unpacked.`,
      );
    return true;
  };
  try {
    // Each file is unpacked into a buffer of the size that the archive says.
    const files = new Map(Object.entries(unzipSync(bytes, { filter })));
    return { paths: [...files.keys()].sort(), read: (path) => files.get(path) };
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`The archive is damaged: ${(error as Error).message}.`);
  }
}

/** The path that a reference in a file leads to; undefined if it leaves the package. */
export function resolvedPath(from: string, reference: string): string | undefined {
  const path = posix.join(posix.dirname(from), decodedPath(reference).replace(/[?#].*$/, ''));
  return /^\.\.(?:\/|$)|^\/|[\\\0]|^[a-z][a-z\d+.-]*:/i.test(path) ? undefined : path;
}

/** Text in UTF-8, UTF-16 with a byte order mark, or Windows-1252, in which spreadsheets save CSV. */
export function decodedText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeWindows1252(bytes);
  }
}
