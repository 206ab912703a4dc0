/** The folder of a mirror, and how files appear in it. For Node.js, Deno and Bun. */
import type { Dirent } from 'node:fs';
import { PastpaperError } from './errors.ts';
import { filePath } from './resources.ts';

/** Beside the folders of the exams; hidden, as readers of the mirror do not need them. */
const manifestName = '.pull-manifest.jsonl';
const packName = '.pull-pack.zip';

/** Bytes. A sync writes no larger files, and does not read them. */
const maxFileSize = 32 * 1024 * 1024;

/**
 * Opens the folder of a mirror, creates it if necessary, and removes temporary files of killed processes. Paths are relative
 * to it, with `/` between their parts.
 *
 * A manifest lists the files that syncs wrote: a sync removes and replaces no others. It has JSON lines. Lines are appended
 * before a file is written, so that a killed process leaves no file without one. What a file contains is always read from
 * the file itself. A pack is stored before it is unpacked, so that a killed process need not request it again.
 *
 * @param scopes the parts of it that are synchronized: `neet`, `neet/2024`
 * @throws the file system's own error
 */
export async function openMirror(folder: string, scopes: readonly string[]) {
  // Browsers load this module, too.
  const [fs, { dirname, join }] = await Promise.all([
    import('node:fs/promises'),
    import('node:path'),
  ]);
  const manifest = join(folder, manifestName);
  const pack = join(folder, packName);
  const listed = new Set<string>();
  /** The text of the manifest. */
  let text = '';

  async function readManifest(): Promise<void> {
    text = (await fs.readFile(manifest, 'utf8').catch(ifAbsent)) ?? '';
    for (const path of text.split('\n').flatMap(pathIn)) listed.add(path);
  }

  /** Adds files to the manifest. */
  async function adopt(paths: readonly string[]): Promise<void> {
    const added = [...new Set(paths)].filter((path) => !listed.has(path));
    if (added.length === 0) return;
    for (const path of added) listed.add(path);
    // A killed process may have left half a line.
    const lines = `${text === '' || text.endsWith('\n') ? '' : '\n'}${linesOf(added)}`;
    await fs.appendFile(manifest, lines).catch((error) => {
      throw Object.assign(error, { path: manifest });
    });
    text += lines;
  }

  /** Writes a file by renaming a draft, so that a reader never sees part of it. */
  async function write(file: string, bytes: Uint8Array | string): Promise<void> {
    const draft = join(folder, `.draft-${process.pid}-${crypto.randomUUID()}`);
    try {
      // After a power failure, the name must not exist without the bytes.
      await fs.writeFile(draft, bytes, { flag: 'wx', flush: true });
      await fs.rename(draft, file);
    } catch (error) {
      await fs.rm(draft, { force: true });
      throw Object.assign(error as Error, { path: file });
    }
  }

  async function remove(path: string): Promise<void> {
    await fs.unlink(join(folder, path)).catch(ifAbsent);
    try {
      for (let inner = dirname(path); inner !== '.'; inner = dirname(inner))
        await fs.rmdir(join(folder, inner));
    } catch {
      // A folder that is not empty stays, and so do its parents.
    }
  }

  await fs.mkdir(folder, { recursive: true });
  for (const name of await fs.readdir(folder))
    if (isAbandonedDraft(name)) await fs.rm(join(folder, name), { force: true });
  await readManifest();

  return {
    adopt,

    /** The bytes of a file; undefined if there is none. */
    async read(path: string): Promise<Uint8Array | undefined> {
      const entry = await fs.lstat(join(folder, path)).catch(ifAbsent);
      return entry?.isFile() && entry.size <= maxFileSize
        ? fs.readFile(join(folder, path))
        : undefined;
    },

    /** Adds files to the manifest that are about to be written. @throws PastpaperError when one exists that no sync wrote */
    async claim(paths: readonly string[]): Promise<void> {
      for (const path of paths) {
        if (listed.has(path) || !(await fs.lstat(join(folder, path)).catch(ifAbsent))) continue;
        // Another process may have written it just now.
        await readManifest();
        if (listed.has(path)) continue;
        throw new PastpaperError(
          'file-system',
          `${join(folder, path)} already exists and was not written by a pull. Move it, or choose another folder.`,
        );
      }
      await adopt(paths);
    },

    /** Writes a claimed file. @throws the file system's own error */
    async write(path: string, bytes: Uint8Array): Promise<void> {
      await fs.mkdir(dirname(join(folder, path)), { recursive: true });
      await write(join(folder, path), bytes);
    },

    /** The pack that is being unpacked, if a process was killed meanwhile. */
    pack: (): Promise<Uint8Array | undefined> => fs.readFile(pack).catch(ifAbsent),
    storePack: (bytes: Uint8Array) => write(pack, bytes),
    removePack: () => fs.rm(pack, { force: true }),

    /**
     * Removes the files of the scopes that syncs wrote and that are not wanted, and the folders that are then empty.
     *
     * @returns the number of files
     */
    async removeUnwanted(wanted: ReadonlySet<string>): Promise<number> {
      const unwanted = [...listed].filter(
        (path) => scopes.some((scope) => path.startsWith(`${scope}/`)) && !wanted.has(path),
      );
      for (const path of unwanted) {
        await remove(path);
        listed.delete(path);
      }
      const sorted = linesOf([...listed].sort());
      if (sorted !== text) await write(manifest, sorted);
      text = sorted;
      return unwanted.filter((path) => !path.endsWith('/index.json')).length;
    },
  };
}

/** The files of a mirror, of packs that were unpacked, or of both. @throws the file system's own error */
export async function readMirror(folder: string) {
  const [fs, { join, relative, sep }] = await Promise.all([
    import('node:fs/promises'),
    import('node:path'),
  ]);
  const entries: Dirent[] = await fs.readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.map(({ parentPath, name }) =>
    relative(folder, join(parentPath, name)).replaceAll(sep, '/'),
  );
  return {
    paths: paths.filter((path) => filePath.test(path)),
    read: (path: string): Promise<Uint8Array> => fs.readFile(join(folder, path)),
  };
}

/** Whether a name is that of a draft whose process no longer runs. */
function isAbandonedDraft(name: string): boolean {
  const pid = Number(/^\.draft-(\d+)-[0-9a-f-]{36}$/.exec(name)?.[1]);
  if (Number.isNaN(pid)) return false;
  try {
    return !process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EPERM';
  }
}

/** Returns undefined for a file that does not exist. @throws any other error of the file system */
function ifAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}

function linesOf(paths: readonly string[]): string {
  return paths.map((file) => `${JSON.stringify({ file })}\n`).join('');
}

/** Anyone may have edited a line: one that names no file of a mirror is ignored. */
function pathIn(line: string): string[] {
  try {
    const { file } = JSON.parse(line);
    return typeof file === 'string' && filePath.test(file) ? [file] : [];
  } catch {
    return [];
  }
}
