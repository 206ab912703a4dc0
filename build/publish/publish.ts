import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { Report } from '../check/diagnostic.ts';
import type { Output } from '../compile/response.ts';
import type { Draft } from '../release/draft.ts';
import { inParallel } from '../release/files.ts';
import { writeObject } from '../release/objects.ts';
import { type Release, readRelease } from '../release/read.ts';
import {
  type PublicResource,
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
import { encoder, storeResource } from './encode.ts';
import { staticHostFiles } from './static-hosts.ts';

/** The result of a build. */
export interface BuildResult {
  readonly report: Report;
  /** Undefined if the content has errors: nothing was published. */
  readonly publication: Publication | undefined;
}

export interface Publication {
  readonly release: Release;
  /** How many public URLs have another response than in the release before. */
  readonly changedUrls: number;
  /** How many public responses were compressed by this build. */
  readonly created: number;
  /** Whether neither the content nor the release has changed, so that nothing was checked. */
  readonly isUnchanged: boolean;
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
}

/**
 * Completes a release and makes it the current one. `current` is switched by one rename, so that a reader sees either the
 * old release or the new one. After an error, `current` is unchanged.
 */
export async function publish(
  options: PublishOptions,
  contents: ReleaseContents,
): Promise<Publication> {
  const { distDir, draft, last, now, bank, signer } = options;
  const { years, unchanged = {} } = contents;
  const outputs = signer
    ? [...contents.outputs, ...(await signedOutputs(distDir, contents, signer))]
    : contents.outputs;
  const { resources, created } = await storeOutputs(distDir, last, outputs);
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
  return { release, changedUrls, created, isUnchanged: false };
}

/** Bodies that are compressed at the same time: the size of Node's own thread pool. */
const concurrency = 4;

/** Stores public responses. Those that the last release has are not compressed again. */
async function storeOutputs(
  distDir: string,
  last: Release | undefined,
  outputs: readonly Output[],
) {
  const resources: Record<string, PublicResource> = {};
  const known = new Map(Object.entries(last?.root.public ?? {}));
  let created = 0;
  await inParallel(outputs, concurrency, async ({ path, file, mediaType, body }) => {
    const found = known.get(path);
    const isSame = found?.mediaType === mediaType && found.identity.sha256 === hash('sha256', body);
    if (!isSame) created += 1;
    const stored = isSame ? found : await storeResource(distDir, mediaType, body);
    resources[path] = { ...stored, file };
  });
  return { resources, created };
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
