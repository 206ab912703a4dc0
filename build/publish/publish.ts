import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../release/make-folder.ts';
import {
  currentLink,
  type Manifest,
  manifestFile,
  type ReleaseTables,
  type Resources,
  releasesFolder,
  type StoredResource,
  type StoredVariant,
  sealManifest,
} from '../release/manifest.ts';
import { readWholeRelease } from '../release/verify.ts';
import { draftName, isAbandonedDraft } from '../write/draft.ts';
import { writeWhole } from '../write/write-whole.ts';
import { changedPublicUrls, changedUrlsFile } from './changed-urls.ts';
import { currentManifest } from './current-manifest.ts';
import { encode } from './encode.ts';
import { hostFiles } from './hosts/host-files.ts';
import type { Output } from './outputs.ts';

/** Outputs compressed and written side by side: what the thread pool of Node takes at once. */
const parallelOutputs = 4;

export interface Publication {
  readonly manifest: Manifest;
  /** The release's folder. */
  readonly folder: string;
  /** How many public URLs answer otherwise than before; they are listed in `dist/changed.txt`. */
  readonly changedUrls: number;
}

/**
 * Writes a release and makes it the current one. It is written in a folder of its own, and `current`
 * is switched to it by one rename: a reader sees the old release or the new one, whole. When anything
 * fails, `current` stays as it was.
 *
 * @param contentDir where outputs that are copied come from
 * @param shifts the aliases of each exam's years
 */
export async function publish(
  distDir: string,
  contentDir: string,
  outputs: Iterable<Output>,
  shifts: ReleaseTables['shifts'],
): Promise<Publication> {
  const releases = join(distDir, releasesFolder);
  const draft = join(releases, draftName());
  await makeFolder(releases);
  await removeAbandonedDrafts(releases);
  await mkdir(draft);
  try {
    const stored = await writeOutputs(draft, contentDir, outputs);
    const tables = { public: table(stored, 'public'), protected: table(stored, 'protected'), shifts };
    const manifest = sealManifest({ ...tables, hosts: await writeHostFiles(draft, tables) });
    await writeFile(join(draft, manifestFile), JSON.stringify(manifest));
    const name = await settle(releases, draft, manifest.id);
    const changed = changedPublicUrls(await currentManifest(distDir), manifest);
    // Before the switch: a list that says too much costs a cache its warmth, one that is missing its truth.
    await writeWhole(join(distDir, changedUrlsFile), changed.map((url) => `${url}\n`).join(''));
    await switchCurrent(distDir, join(releasesFolder, name));
    return { manifest, folder: join(releases, name), changedUrls: changed.length };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Removes the drafts of builds that were killed: those whose process runs no more. */
async function removeAbandonedDrafts(releases: string): Promise<void> {
  for (const name of await readdir(releases)) {
    if (isAbandonedDraft(name)) await rm(join(releases, name), { recursive: true, force: true });
  }
}

async function writeOutputs(
  draft: string,
  contentDir: string,
  outputs: Iterable<Output>,
): Promise<Map<Output, StoredResource>> {
  const stored = new Map<Output, StoredResource>();
  const queue = outputs[Symbol.iterator]();
  let failed = false;
  const workers = Array.from({ length: parallelOutputs }, async () => {
    for (let next = queue.next(); !next.done && !failed; next = queue.next()) {
      try {
        stored.set(next.value, await writeOutput(draft, contentDir, next.value));
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  });
  // All of them have ended before the draft is removed: none writes into it again.
  const results = await Promise.allSettled(workers);
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
  return stored;
}

/** The resources of one tree, in the order of their paths, whichever was written first. */
function table(stored: ReadonlyMap<Output, StoredResource>, access: Output['access']): Resources {
  const rows = [...stored].filter(([output]) => output.access === access);
  rows.sort(([a], [b]) => (a.path < b.path ? -1 : 1));
  return Object.fromEntries(rows.map(([output, resource]) => [output.path, resource]));
}

async function writeOutput(
  draft: string,
  contentDir: string,
  { file, mediaType, body }: Output,
): Promise<StoredResource> {
  const bytes = Buffer.isBuffer(body) ? body : await readFile(join(contentDir, body.contentPath));
  await mkdir(dirname(join(draft, file)), { recursive: true });
  const { br, gzip } = await encode(bytes, mediaType);
  return {
    mediaType,
    identity: await writeVariant(draft, file, bytes),
    ...(br && { br: await writeVariant(draft, `${file}.br`, br) }),
    ...(gzip && { gzip: await writeVariant(draft, `${file}.gz`, gzip) }),
  };
}

/** What other hosts read, beside the answers. */
async function writeHostFiles(
  draft: string,
  tables: Pick<ReleaseTables, 'public' | 'shifts'>,
): Promise<ReleaseTables['hosts']> {
  const hosts: Record<string, StoredVariant> = {};
  for (const { file, body } of hostFiles(tables)) {
    await mkdir(dirname(join(draft, file)), { recursive: true });
    hosts[file] = await writeVariant(draft, file, body);
  }
  return hosts;
}

async function writeVariant(draft: string, file: string, bytes: Buffer): Promise<StoredVariant> {
  const path = join(draft, file);
  await writeFile(path, bytes).catch((error) => {
    // Node names no file when the write itself fails: a full disk, a file size limit.
    throw Object.assign(error, { path });
  });
  return { file, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/**
 * Gives the draft its lasting name. The same content has the same id: a release that stands already is
 * kept, unless it has been damaged since, in which case the new one takes a name beside it.
 */
async function settle(releases: string, draft: string, id: string): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const name = attempt === 1 ? id : `${id}-${attempt}`;
    try {
      await rename(draft, join(releases, name));
      return name;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOTDIR') throw error;
    }
    if (await isWhole(join(releases, name))) return name;
  }
}

async function isWhole(folder: string): Promise<boolean> {
  return readWholeRelease(folder).then(
    () => true,
    () => false,
  );
}

async function switchCurrent(distDir: string, target: string): Promise<void> {
  const link = join(distDir, `.${currentLink}-${process.pid}-${randomUUID()}`);
  await symlink(target, link);
  try {
    await rename(link, join(distDir, currentLink));
  } catch (error) {
    await rm(link, { force: true });
    // Node names the new link; what stands in its way is the place that it was meant for.
    throw Object.assign(error as Error, { path: join(distDir, currentLink) });
  }
}
