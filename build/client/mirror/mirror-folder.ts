import { lstat, readdir, readFile, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  appendLines,
  createFolder,
  removeAbandonedDrafts,
  writeFileAtomically,
} from '../../release/files.ts';
import { namePatterns } from '../../release/urls.ts';
import { PullStopped } from './errors.ts';
import {
  diagramChecksum,
  type IsSigned,
  type PaperContent,
  paperPath,
  readPaper,
  type Shift,
} from './resources.ts';

/** Beside the folders of the exams; hidden, as readers of the mirror do not need it. */
const manifestName = '.pull-manifest.jsonl';

/** Bytes. A pull writes no larger files, and does not read them. */
const maxFileSize = 32 * 1024 * 1024;

const { exam, year, shift, subject, language, diagram } = namePatterns;
/** An exam, or one of its years. */
export const scopePattern = new RegExp(`^${exam}(?:/${year})?$`);
/** The path of a paper or diagram in a mirror, and at the service. */
export const mirrorPath = new RegExp(
  `^${exam}/${year}/${shift}/(?:${subject}(?:\\.${language})?\\.json|diagrams/${diagram})$`,
);

/** What the manifest has about a file. */
interface Entry {
  /** The ETag of the response that the file came with, and the checksum of the file. */
  readonly etag?: string | undefined;
  readonly checksum?: string | undefined;
}

export type MirrorFolder = Awaited<ReturnType<typeof openMirror>>;

/**
 * Opens the folder of a mirror, creates it if necessary, and removes temporary files of killed pulls. Paths are relative to
 * it, with `/` between their parts.
 *
 * A manifest lists the files that pulls wrote: a pull removes and replaces no others. It has JSON lines, of which the
 * last about a file applies. Lines are appended before a file is written, so that a killed pull leaves no file without
 * one. What a file contains is always read from the file itself.
 *
 * @param scope the part of it that is pulled: `neet`, `neet/2024`
 * @throws the file system's own error
 */
export async function openMirror(folder: string, scope: string) {
  const manifest = join(folder, manifestName);
  const entries = new Map<string, Entry>();
  /** The text of the manifest. */
  let text = '';

  function stat(path: string) {
    return lstat(join(folder, path)).catch(ifAbsent);
  }

  async function read(path: string): Promise<Buffer | undefined> {
    const entry = await stat(path);
    return entry?.isFile() && entry.size <= maxFileSize ? readFile(join(folder, path)) : undefined;
  }

  async function remove(path: string): Promise<void> {
    await unlink(join(folder, path)).catch(ifAbsent);
    try {
      for (let inner = dirname(path); inner !== '.'; inner = dirname(inner))
        await rmdir(join(folder, inner));
    } catch {
      // A folder that is not empty stays, and so do its parents.
    }
  }

  async function readManifest(): Promise<void> {
    text = (await readFile(manifest, 'utf8').catch(ifAbsent)) ?? '';
    for (const [path, entry] of text.split('\n').flatMap(readLine)) entries.set(path, entry);
  }

  async function append(added: readonly (readonly [string, Entry])[]): Promise<void> {
    if (added.length === 0) return;
    for (const [path, entry] of added) entries.set(path, entry);
    text += await appendLines(manifest, text, linesOf(added));
  }

  /** Adds files to the manifest that equal the service's, whoever wrote them. */
  async function adopt(paths: readonly string[]): Promise<void> {
    await append(paths.filter((path) => !entries.has(path)).map((path) => [path, {}]));
  }

  await createFolder(folder);
  for (const one of [folder, ...(await foldersIn(join(folder, scope)))])
    await removeAbandonedDrafts(one);
  await readManifest();

  return {
    adopt,

    /** Reads a paper; undefined when it is absent, unsigned, another paper's, or does not match its own checksum. */
    async paper(
      shift: Shift,
      subject: string,
      isSigned: IsSigned,
    ): Promise<PaperContent | undefined> {
      const bytes = await read(paperPath(shift.path, subject));
      try {
        return bytes && isSigned(bytes) ? readPaper(bytes, shift, subject) : undefined;
      } catch {
        return undefined;
      }
    },

    /** Whether a diagram exists with this checksum, and is signed. */
    async hasDiagram(path: string, checksum: string, isSigned: IsSigned): Promise<boolean> {
      const bytes = await read(path);
      return bytes !== undefined && diagramChecksum(bytes) === checksum && isSigned(bytes);
    },

    /** The ETag that a paper was downloaded with, if the paper is still the same. */
    etagOf(path: string, { checksum }: PaperContent): string | undefined {
      const entry = entries.get(path);
      return entry?.checksum === checksum ? entry.etag : undefined;
    },

    /** Adds files to the manifest that are about to be written. @throws PullStopped when one exists that no pull wrote */
    async claim(paths: readonly string[]): Promise<void> {
      for (const path of paths) {
        if (entries.has(path) || !(await stat(path))) continue;
        // Another process may have written it just now.
        await readManifest();
        if (entries.has(path)) continue;
        throw new PullStopped(
          `${join(folder, path)} already exists and was not written by a pull. Move it, or choose another folder.`,
        );
      }
      await adopt(paths);
    },

    /** Writes a claimed file. @throws the file system's own error */
    async write(path: string, bytes: Buffer, entry?: Entry): Promise<void> {
      const file = join(folder, path);
      await createFolder(dirname(file));
      await writeFileAtomically(file, bytes);
      if (entry) await append([[path, entry]]);
    },

    /**
     * Removes the files of the scope that pulls wrote and that are not wanted, and the folders that are then empty.
     *
     * @returns the number of files
     */
    async removeUnwanted(wanted: ReadonlySet<string>): Promise<number> {
      const unwanted = [...entries.keys()].filter(
        (path) => path.startsWith(`${scope}/`) && !wanted.has(path),
      );
      for (const path of unwanted) {
        await remove(path);
        entries.delete(path);
      }
      const sorted = linesOf([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
      if (sorted !== text) await writeFileAtomically(manifest, sorted);
      text = sorted;
      return unwanted.length;
    },
  };
}

/** A folder and all folders inside it; none when it does not exist. */
async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(ifAbsent);
  const inside = entries?.filter((entry) => entry.isDirectory()) ?? [];
  return entries ? [folder, ...inside.map(({ parentPath, name }) => join(parentPath, name))] : [];
}

/** Returns undefined for a file that does not exist. @throws any other error of the file system */
function ifAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}

function linesOf(entries: readonly (readonly [string, Entry])[]): string {
  return entries
    .map(([file, { etag, checksum }]) => `${JSON.stringify({ file, checksum, etag })}\n`)
    .join('');
}

/** Anyone may have edited a line: one that names no paper or diagram is ignored. */
function readLine(line: string): [string, Entry][] {
  try {
    const { file, checksum, etag } = JSON.parse(line);
    return typeof file === 'string' && mirrorPath.test(file) ? [[file, { checksum, etag }]] : [];
  } catch {
    return [];
  }
}
