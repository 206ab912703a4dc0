/** The folder of a mirror, and how files appear in it. For Node.js, Deno and Bun. */
import { PastpaperError } from './errors.ts';
import { filePath } from './resources.ts';

/** Beside the folders of the exams; hidden, as readers of the mirror do not need them. */
const manifestName = '.pull-manifest.jsonl';
const packName = '.pull-pack.zip';
const draftName = '.draft-';

/** Milliseconds after which a draft is one of a killed process. */
const draftAge = 60 * 60_000;

/** Syncs of one process change manifests one after the other, so that none removes a line of another. */
let changes: Promise<unknown> = Promise.resolve();

function inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
  const result = changes.then(change);
  changes = result.catch(() => undefined);
  return result;
}

/**
 * Opens the folder of a mirror, creates it if necessary, and removes temporary files of killed processes. Paths are relative
 * to it, with `/` between their parts. One process at a time uses it, which may run several syncs.
 *
 * A manifest lists the files that syncs wrote: a sync removes and replaces no others. It has JSON lines. Lines are appended
 * before a file is written, so that a killed process leaves no file without one. What a file contains is always read from
 * the file itself. A pack is stored before it is unpacked, so that a killed process need not request it again.
 *
 * @throws the file system's own error
 */
export async function openMirror(folder: string) {
  // Browsers load this module, too.
  const [fs, { dirname, join }] = await Promise.all([
    import('node:fs/promises'),
    import('node:path'),
  ]);
  const manifest = join(folder, manifestName);
  const pack = join(folder, packName);

  /** Writes a file by renaming a draft, so that a reader never sees part of it. */
  async function write(file: string, bytes: Uint8Array | string): Promise<void> {
    const draft = join(folder, `${draftName}${crypto.randomUUID()}`);
    try {
      // After a power failure, the name must not exist without the bytes.
      await fs.writeFile(draft, bytes, { flush: true });
      await fs.rename(draft, file);
    } catch (error) {
      await fs.rm(draft, { force: true });
      throw Object.assign(error as Error, { path: file });
    }
  }

  await fs.mkdir(folder, { recursive: true });
  for (const name of await fs.readdir(folder)) {
    if (!name.startsWith(draftName)) continue;
    const draft = await fs.stat(join(folder, name)).catch(ifAbsent);
    if (draft && Date.now() - draft.mtimeMs > draftAge)
      await fs.rm(join(folder, name), { force: true });
  }
  const text = await manifestText();
  // A killed process may have left half a line.
  if (!/(^|\n)$/.test(text)) await inTurn(() => fs.appendFile(manifest, '\n'));
  const listed = new Set(filesIn(text));

  async function manifestText(): Promise<string> {
    return (await fs.readFile(manifest, 'utf8').catch(ifAbsent)) ?? '';
  }

  /** Adds files to the manifest. */
  async function list(paths: readonly string[]): Promise<void> {
    const added = [...new Set(paths)].filter((path) => !listed.has(path));
    if (added.length === 0) return;
    for (const path of added) listed.add(path);
    await inTurn(() => fs.appendFile(manifest, linesOf(added))).catch((error) => {
      throw Object.assign(error, { path: manifest });
    });
  }

  return {
    list,

    /** The bytes of a file; undefined if there is none. */
    read: (path: string) => fs.readFile(join(folder, path)).catch(ifAbsent),

    /** Adds files to the manifest that are about to be written. @throws PastpaperError when one exists that no sync wrote */
    async claim(paths: readonly string[]): Promise<void> {
      for (const path of paths) {
        if (listed.has(path) || !(await fs.lstat(join(folder, path)).catch(ifAbsent))) continue;
        // Another sync may have written it just now.
        for (const other of filesIn(await manifestText())) listed.add(other);
        if (listed.has(path)) continue;
        throw new PastpaperError(
          'file-system',
          `${join(folder, path)} already exists and was not written by a pull. Move it, or choose another folder.`,
        );
      }
      await list(paths);
    },

    /** Writes a claimed file. @throws the file system's own error */
    async write(path: string, bytes: Uint8Array): Promise<void> {
      await fs.mkdir(dirname(join(folder, path)), { recursive: true });
      await write(join(folder, path), bytes);
    },

    /** The pack that is being unpacked, if a process was killed meanwhile. */
    pack: () => fs.readFile(pack).catch(ifAbsent),
    storePack: (bytes: Uint8Array) => write(pack, bytes),
    removePack: () => fs.rm(pack, { force: true }),

    /**
     * Removes the files that syncs wrote and that are not wanted.
     *
     * @param scopes the parts of the mirror that were synchronized: `neet`, `neet/2024`
     * @returns the number of files
     */
    async removeUnwanted(scopes: readonly string[], wanted: ReadonlySet<string>): Promise<number> {
      const unwanted = [...listed].filter(
        (path) => scopes.some((scope) => path.startsWith(`${scope}/`)) && !wanted.has(path),
      );
      for (const path of unwanted) await fs.rm(join(folder, path), { force: true });
      if (unwanted.length > 0)
        await inTurn(async () => {
          const kept = new Set([...listed, ...filesIn(await manifestText())]);
          for (const path of unwanted) kept.delete(path);
          await write(manifest, linesOf([...kept].sort()));
        });
      return unwanted.filter((path) => !path.endsWith('/index.json')).length;
    },
  };
}

/** The files of a mirror, of packs that were unpacked, or of both. @throws the file system's own error */
export async function readMirror(folder: string) {
  const [fs, { join, sep }] = await Promise.all([import('node:fs/promises'), import('node:path')]);
  const names = await fs.readdir(folder, { recursive: true });
  return {
    paths: names.map((name) => name.replaceAll(sep, '/')).filter((path) => filePath.test(path)),
    read: (path: string): Promise<Uint8Array> => fs.readFile(join(folder, path)),
  };
}

/** Returns undefined for a file that does not exist. @throws any other error of the file system */
function ifAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}

/** Anyone may have edited a line of a manifest: one that names no file of a mirror is ignored. */
function filesIn(text: string): string[] {
  const named = Array.from(text.matchAll(/^\{"file":"([^"]+)"\}$/gm), ([, path = '']) => path);
  return named.filter((path) => filePath.test(path));
}

function linesOf(paths: readonly string[]): string {
  return paths.map((file) => `${JSON.stringify({ file })}\n`).join('');
}
