import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { Report } from '../check/diagnostic.ts';
import type { Output } from '../compile/response.ts';
import type { Draft } from '../release/draft.ts';
import { writeObject } from '../release/objects.ts';
import { type Release, readRelease } from '../release/read.ts';
import {
  type PublicResource,
  type Root,
  type RootTables,
  releasesFolder,
  sealRoot,
  yearsOf,
} from '../release/root.ts';
import {
  checksumsPath,
  publicKeyPath,
  type Signer,
  signChecksums,
  storeSignature,
} from '../release/signature.ts';
import { switchCurrent } from '../release/switch.ts';
import { type Codings, encoderOf, type PlainObject } from './encode.ts';
import { staticHostFiles } from './static-hosts.ts';

/** The result of a build. */
export interface BuildResult {
  readonly report: Report;
  /** Undefined if the content has errors: nothing was published. */
  readonly publication: PublishedBuild | undefined;
}

export interface PublishedBuild extends Publication {
  /** Whether neither the content nor the release has changed, so that nothing was checked. */
  readonly isUnchanged: boolean;
}

export interface Publication {
  readonly release: Release;
  /** How many public URLs have another response than in the release before. */
  readonly changedUrls: number;
  /** How many public responses were compressed by this build. */
  readonly created: number;
}

/** What a release contains. */
export interface ReleaseContents {
  readonly outputs: readonly Output[];
  /** Public responses that are the same as in the last release. */
  readonly unchanged?: Readonly<Record<string, PublicResource>>;
  /** The year indexes, which are stored. */
  readonly years: RootTables['years'];
}

export interface PublishOptions {
  readonly distDir: string;
  readonly draft: Draft;
  /** The release whose compressed variants are used again. */
  readonly last: Release | undefined;
  readonly now: Date;
  /** The name and the address of the bank. */
  readonly bank: { readonly name: string; readonly publicUrl?: string };
  /** Signs the release. */
  readonly signer?: Signer | undefined;
  /** Whether the build shall end early rather than compress public responses as well as possible. */
  readonly isQuick?: boolean;
  /** Compresses objects, and then frees its memory. */
  readonly pool: {
    readonly compress: (objects: readonly PlainObject[]) => Promise<readonly Codings[]>;
    readonly close: () => Promise<void>;
  };
}

/**
 * Completes a release and makes it the current one. `current` is switched by one rename, so that a reader sees either the
 * old release or the new one. After an error, `current` is unchanged.
 */
export async function publish(
  options: PublishOptions,
  contents: ReleaseContents,
): Promise<Publication> {
  const { distDir, draft, now, bank, signer, isQuick = false, pool } = options;
  const { years, unchanged = {} } = contents;
  const encoder = encoderOf(isQuick);
  const outputs = signer
    ? [...contents.outputs, ...(await signedOutputs(distDir, contents, signer))]
    : contents.outputs;
  const { resources, created } = await storeOutputs(options, encoder, outputs);
  // Its threads free their memory before the root is written.
  await pool.close();
  const inOrder = Object.entries({ ...resources, ...unchanged });
  inOrder.sort(([a], [b]) => (a < b ? -1 : 1));
  const open = Object.fromEntries(inOrder);
  const hosts = staticHostFiles(open).map(({ file, body }) => [file, writeObject(distDir, body)]);
  const root = sealRoot({ encoder, public: open, years, hosts: Object.fromEntries(hosts) });
  const name = await draft.settle(root, JSON.stringify(root));
  const release = await readRelease(distDir, name);
  if (signer) await storeSignature(join(distDir, releasesFolder, name), release.sha256, signer);
  const feed = { title: bank.name, origin: bank.publicUrl };
  const changedUrls = await switchCurrent(distDir, release, now, feed);
  return { release, changedUrls, created };
}

/** Stores public responses. Those that the last release has are not compressed again. */
async function storeOutputs(
  { distDir, last, isQuick, pool }: PublishOptions,
  encoder: string,
  outputs: readonly Output[],
) {
  const resources: Record<string, PublicResource> = {};
  const plain: (PlainObject & Pick<Output, 'path' | 'file'>)[] = [];
  const known: Root['public'] = last?.root.encoder === encoder ? last.root.public : {};
  for (const { path, file, mediaType, body } of outputs) {
    const found = Object.hasOwn(known, path) ? known[path] : undefined;
    const isSame = found?.mediaType === mediaType && found.identity.sha256 === hash('sha256', body);
    if (isSame) resources[path] = { ...found, file };
    else {
      const object = writeObject(distDir, body);
      plain.push({ path, file, mediaType, access: isQuick ? 'protected' : 'public', ...object });
    }
  }
  const codings = await pool.compress(plain);
  for (const [index, { path, file, mediaType, sha256, size }] of plain.entries())
    resources[path] = { mediaType, identity: { sha256, size }, ...codings[index], file };
  return { resources, created: plain.length };
}

/** The signed checksums of all responses, and the key that signed them. */
async function signedOutputs(
  distDir: string,
  { outputs, unchanged = {}, years }: ReleaseContents,
  signer: Signer,
): Promise<readonly Output[]> {
  const { readYearIndex } = await import('../release/read.ts');
  const hashes = [
    ...outputs.map(({ body }) => hash('sha256', body)),
    ...Object.values(unchanged).map(({ identity }) => identity.sha256),
  ];
  for (const { index } of yearsOf({ years })) {
    const { shifts } = await readYearIndex(distDir, index);
    const files = Object.values(shifts).flatMap((ofShift) => Object.values(ofShift));
    hashes.push(...files.map(({ identity }) => identity.sha256));
  }
  const added = {
    [checksumsPath]: signChecksums(hashes, signer),
    [publicKeyPath]: signer.publicKey,
  };
  return Object.entries(added).map(([path, text]) => ({
    path,
    file: path,
    mediaType: 'text/plain; charset=utf-8',
    body: Buffer.from(text),
  }));
}
