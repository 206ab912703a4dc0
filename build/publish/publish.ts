import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Report } from '../check/diagnostic.ts';
import type { PublishedShift } from '../compile/compile-shift.ts';
import { type Output, protectedFile } from '../compile/response.ts';
import type { Draft } from '../release/draft.ts';
import { writeFileAtomically } from '../release/files.ts';
import {
  type Manifest,
  manifestFile,
  type ReleaseTables,
  type Resources,
  releasesFolder,
  type StoredResource,
  sealManifest,
  variantsOf,
} from '../release/manifest.ts';
import {
  checksumsPath,
  publicKeyPath,
  type Signer,
  signChecksums,
  storeSignature,
} from '../release/signature.ts';
import { type NamedRelease, switchCurrent } from '../release/switch.ts';
import type { Stopwatch } from '../release/waits.ts';
import { type Codings, encoderOf, type PlainFile } from './encode.ts';
import type { LastRelease } from './last-release.ts';
import { staticHostFiles } from './static-hosts.ts';

/** The result of a build. */
export interface BuildResult {
  readonly report: Report;
  /** Undefined if the content has errors: nothing was published. */
  readonly publication: PublishedBuild | undefined;
}

export interface PublishedBuild extends Publication {
  readonly stages: Stopwatch['laps'];
  readonly timed: readonly TimedShift[];
}

/** A shift that was processed. */
export interface TimedShift {
  /** `<exam>/<year>/<shift>` */
  readonly path: string;
  readonly milliseconds: number;
}

export interface Publication {
  readonly manifest: Manifest;
  /** How many public URLs have another response than in the release before. */
  readonly changedUrls: number;
  /** Responses that were reused from the last release. */
  readonly reused: number;
  /** Responses that were compressed by this build. */
  readonly created: number;
}

/** What a release contains. */
export interface ReleaseContents {
  /** The bodies of their responses are in the draft or in the last release. */
  readonly shifts: readonly PublishedShift[];
  readonly outputs: readonly Output[];
  /** The shift aliases of each exam and year. */
  readonly aliases: ReleaseTables['shifts'];
}

export interface PublishOptions {
  readonly distDir: string;
  readonly draft: Draft;
  readonly last: LastRelease | undefined;
  readonly now: Date;
  /** Signs the release. */
  readonly signer?: Signer | undefined;
  /** Whether the build shall end early rather than compress public responses as well as possible. */
  readonly isQuick?: boolean;
  readonly stopwatch: Stopwatch;
  /** Compresses files of the draft, and then frees its memory. */
  readonly pool: {
    readonly compress: (files: readonly PlainFile[]) => Promise<readonly Codings[]>;
    readonly close: () => Promise<void>;
  };
}

/**
 * Completes a release and makes it the current one. Responses that the last release stores are reused, the others are
 * compressed. `current` is switched by one rename, so that a reader sees either the old release or the new one. After
 * an error, `current` is unchanged.
 */
export async function publish(
  options: PublishOptions,
  contents: ReleaseContents,
): Promise<Publication> {
  const { distDir, draft, last, now, signer, isQuick = false, stopwatch, pool } = options;
  const encoder = encoderOf(isQuick);
  const outputs = signer ? signedOutputs(contents, signer) : contents.outputs;
  const { reused, plain } = reusedAndNew(draft, last, encoder, { ...contents, outputs });
  const resources = [...reused];
  if (plain.length > 0) {
    // While other threads compress, this one links what is reused. After an error, both have ended before the draft is
    // removed: nothing writes into it afterwards.
    const [compressed, linked] = await Promise.allSettled([
      pool.compress(isQuick ? plain.map((file) => ({ ...file, access: 'protected' })) : plain),
      reuse(draft, last, reused),
    ]);
    if (linked.status === 'rejected') throw linked.reason;
    if (compressed.status === 'rejected') throw compressed.reason;
    for (const [index, { access, path, mediaType, file, size, sha256 }] of plain.entries()) {
      const identity = { file, size, sha256 };
      resources.push({
        access,
        path,
        resource: { mediaType, identity, ...compressed.value[index] },
      });
    }
  }
  // Its threads free their memory before the manifest is written.
  await pool.close();
  stopwatch.lap('compress');
  const publicTable = table(resources, 'public');
  const hosts = staticHostFiles(publicTable).map(({ file, body }) => ({
    variant: { file, size: body.length, sha256: hash('sha256', body) },
    body,
  }));
  const manifest = sealManifest({
    encoder,
    public: publicTable,
    protected: table(resources, 'protected'),
    shifts: contents.aliases,
    hosts: Object.fromEntries(hosts.map(({ variant }) => [variant.file, variant])),
  });
  let release: NamedRelease | undefined =
    plain.length === 0 && last?.holds(manifest) ? last : undefined;
  if (!release) {
    if (plain.length === 0) await reuse(draft, last, reused);
    for (const { variant, body } of hosts) draft.write(variant.file, body);
    await writeFileAtomically(draft.place(manifestFile), JSON.stringify(manifest), {
      isReplaceable: true,
    });
    release = { name: await draft.settle(manifest.id), manifest };
  }
  if (signer) await storeSignature(join(distDir, releasesFolder, release.name), manifest, signer);
  const changedUrls = await switchCurrent(distDir, release, now, last);
  stopwatch.lap('publish');
  return { manifest, changedUrls, reused: reused.length, created: plain.length };
}

/** The public responses, and with them the signed checksums of all responses and the key that signed them. */
function signedOutputs({ shifts, outputs }: ReleaseContents, signer: Signer): readonly Output[] {
  const hashes = [
    ...outputs.map(({ body }) => hash('sha256', body)),
    ...shifts.flatMap(({ responses }) => responses.map((response) => response.sha256)),
  ];
  const added = {
    [checksumsPath]: signChecksums(hashes, signer),
    [publicKeyPath]: signer.publicKey,
  };
  return [
    ...outputs,
    ...Object.entries(added).map(([path, text]) => ({
      path,
      file: `public/${path}`,
      mediaType: 'text/plain; charset=utf-8',
      body: Buffer.from(text),
    })),
  ];
}

/** A response whose plain body is in the draft. */
interface PlainResponse extends PlainFile {
  /** URL path without slashes at its ends. */
  readonly path: string;
  readonly sha256: string;
}

/** A response with all its variants. */
interface ResponseEntry {
  readonly access: PlainFile['access'];
  readonly path: string;
  readonly resource: StoredResource;
}

/** Separates the responses that the last release stores from those that have to be compressed. */
function reusedAndNew(
  draft: Draft,
  last: LastRelease | undefined,
  encoder: string,
  { shifts, outputs }: ReleaseContents,
) {
  const reused: ResponseEntry[] = [];
  const plain: PlainResponse[] = [];
  const add = (response: PlainResponse, write: () => void): void => {
    const { access, path, sha256, mediaType } = response;
    const resource = last?.stored(access, path, sha256);
    if (resource?.mediaType === mediaType && last?.manifest.encoder === encoder) {
      reused.push({ access, path, resource });
      return;
    }
    if (last && resource) draft.link(last.folder, resource.identity.file);
    else write();
    plain.push(response);
  };
  for (const { path, file, mediaType, body } of outputs) {
    const response = { path, file, mediaType, size: body.length, sha256: hash('sha256', body) };
    add({ access: 'public', ...response }, () => draft.write(file, body));
  }
  for (const { responses } of shifts) {
    for (const response of responses) {
      const file = protectedFile(response.path);
      add({ access: 'protected', file, ...response }, () => {
        if (!draft.has(file))
          throw new Error(`${file} is neither in the draft nor in the current release.`);
      });
    }
  }
  return { reused, plain };
}

/** Files that are linked before other work has its turn. */
const linkedAtOnce = 100;

async function reuse(
  draft: Draft,
  last: LastRelease | undefined,
  entries: readonly ResponseEntry[],
): Promise<void> {
  if (!last) return;
  for (const [index, { resource }] of entries.entries()) {
    if (index % linkedAtOnce === 0) await nextTurn();
    for (const { file } of variantsOf(resource)) draft.link(last.folder, file);
  }
}

/** The resources of one tree, in the order of their paths. */
function table(entries: readonly ResponseEntry[], access: ResponseEntry['access']): Resources {
  const rows = entries.filter((entry) => entry.access === access);
  rows.sort((a, b) => (a.path < b.path ? -1 : 1));
  return Object.fromEntries(rows.map(({ path, resource }) => [path, resource]));
}

/** Returns a function that reads responses of these shifts, which are in the draft or in the last release. */
export function responseReader(
  shifts: readonly PublishedShift[],
  draft: Draft,
  last: LastRelease | undefined,
) {
  return (path: string) => {
    const place = shifts.find(({ compiled: { exam, year, shift } }) =>
      path.startsWith(`${exam}/${year}/${shift}/`),
    );
    const response = place?.responses.find((one) => one.path === path);
    if (!response) throw new Error(`${path} is not in the bank.`);
    const file = protectedFile(path);
    const stored = last?.stored('protected', path, response.sha256)?.identity.file;
    const [folder, name] =
      draft.has(file) || !last ? [draft.folder, file] : [last.folder, stored ?? file];
    return { mediaType: response.mediaType, body: readFileSync(join(folder, name)) };
  };
}
