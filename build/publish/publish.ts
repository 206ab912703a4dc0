import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { WrittenShift } from '../compile/compile-shift.ts';
import { type Output, protectedFile } from '../compile/outputs.ts';
import {
  type Manifest,
  manifestFile,
  manifestText,
  type ReleaseTables,
  type Resources,
  releasesFolder,
  type StoredResource,
  type StoredVariant,
  sealManifest,
} from '../release/manifest.ts';
import { switchCurrent } from '../release/switch.ts';
import type { Draft } from './draft.ts';
import { type Compressor, encoder, type PlainAnswer } from './encode.ts';
import { type HostFile, hostFiles } from './hosts/host-files.ts';
import type { LastRelease } from './last-release.ts';
import type { Stopwatch } from './result.ts';

/** What a release is to answer. */
export interface ReleaseAnswers {
  /** Those that need a key: they stand in the draft, or in the last release. */
  readonly shifts: readonly WrittenShift[];
  readonly outputs: readonly Output[];
  /** The aliases of each exam's years. */
  readonly aliases: ReleaseTables['shifts'];
}

/** Where a release is written, from what, and by whom. */
export interface Publishing {
  readonly distDir: string;
  readonly draft: Draft;
  readonly last: LastRelease | undefined;
  readonly now: Date;
  readonly stopwatch: Stopwatch;
  readonly compressor: Compressor;
}

export interface Publication {
  readonly manifest: Manifest;
  /** The release's folder. */
  readonly folder: string;
  /** How many public URLs answer differently from the release before. */
  readonly changedUrls: number;
  /** Answers that were taken over from the last release, and those that were made. */
  readonly taken: number;
  readonly made: number;
}

/**
 * Completes a release and makes it the current one. What the last release holds already is taken over from it, the
 * rest is compressed. `current` is switched by one rename: a reader sees the old release or the new one, whole. When
 * anything fails, `current` stays as it was.
 */
export async function publish(publishing: Publishing, answers: ReleaseAnswers): Promise<Publication> {
  const { distDir, draft, last, now, stopwatch, compressor } = publishing;
  const { taken, plain } = sortOut(draft, last, answers);
  const codings = plain.length > 0 ? await compressor.compress(plain.map(plainAnswer)) : [];
  stopwatch.lap('compress');
  const made = plain.map(({ file, size, sha256, ...entry }, index) => {
    const resource: StoredResource = {
      mediaType: entry.mediaType,
      identity: { file, size, sha256 },
      ...codings[index],
    };
    return { ...entry, resource };
  });
  const resources = [...taken, ...made];
  const tables = { public: table(resources, 'public'), shifts: answers.aliases };
  const hosts = hostFiles(tables).map(withVariant);
  const manifest = sealManifest({
    ...tables,
    encoder,
    protected: table(resources, 'protected'),
    hosts: Object.fromEntries(hosts.map(({ variant }) => [variant.file, variant])),
  });
  if (last && plain.length === 0 && last.holds(manifest)) {
    const changedUrls = await switchCurrent(distDir, last, now);
    stopwatch.lap('publish');
    return { manifest, folder: last.folder, changedUrls, taken: taken.length, made: 0 };
  }
  for (const { resource } of taken) take(draft, last, resource);
  for (const { variant, body } of hosts) draft.write(variant.file, body);
  draft.write(manifestFile, manifestText(manifest));
  const name = await draft.settle(manifest.id);
  const changedUrls = await switchCurrent(distDir, { name, manifest }, now, last);
  stopwatch.lap('publish');
  const folder = join(distDir, releasesFolder, name);
  return { manifest, folder, changedUrls, taken: taken.length, made: made.length };
}

function withVariant({ file, body }: HostFile): { readonly variant: StoredVariant; readonly body: Buffer } {
  const sha256 = createHash('sha256').update(body).digest('hex');
  return { variant: { file, size: body.length, sha256 }, body };
}

interface Entry extends PlainAnswer {
  /** URL path without slashes at its ends. */
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

interface StoredEntry {
  readonly access: Entry['access'];
  readonly path: string;
  readonly resource: StoredResource;
}

/** What is taken over from the last release as it is, and what stands in the draft and is to be compressed. */
function sortOut(draft: Draft, last: LastRelease | undefined, { shifts, outputs }: ReleaseAnswers) {
  const taken: StoredEntry[] = [];
  const plain: Entry[] = [];
  const sort = (entry: Entry, write: () => void): void => {
    const { access, path, sha256, mediaType } = entry;
    const resource = last?.stored(access, path, sha256);
    if (resource?.mediaType === mediaType && last?.manifest.encoder === encoder) {
      taken.push({ access, path, resource });
      return;
    }
    if (last && resource) draft.take(last.folder, resource.identity.file);
    else write();
    plain.push(entry);
  };
  for (const { path, file, mediaType, body } of outputs) {
    const sha256 = createHash('sha256').update(body).digest('hex');
    sort({ access: 'public', path, file, mediaType, size: body.length, sha256 }, () =>
      draft.write(file, body),
    );
  }
  for (const { answers } of shifts) {
    for (const answer of answers) {
      const file = protectedFile(answer.path);
      sort({ access: 'protected', file, ...answer }, () => {
        if (!draft.has(file)) throw new Error(`${file} stands neither in the draft nor in the last release.`);
      });
    }
  }
  return { taken, plain };
}

function plainAnswer({ access, file, mediaType }: Entry): PlainAnswer {
  return { access, file, mediaType };
}

function take(draft: Draft, last: LastRelease | undefined, { identity, br, gzip }: StoredResource): void {
  for (const variant of [identity, br, gzip]) {
    if (last && variant) draft.take(last.folder, variant.file);
  }
}

/** The resources of one tree, in the order of their paths. */
function table(entries: readonly StoredEntry[], access: StoredEntry['access']): Resources {
  const rows = entries.filter((entry) => entry.access === access);
  rows.sort((a, b) => (a.path < b.path ? -1 : 1));
  return Object.fromEntries(rows.map(({ path, resource }) => [path, resource]));
}
