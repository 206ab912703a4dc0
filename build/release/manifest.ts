/**
 * A release: the folder that the build publishes and the gateway serves. It contains `manifest.json`, the tree
 * `public/`, which any web server may serve, and the tree `protected/`, which only the gateway may. Releases are in
 * `dist/releases/`; the symbolic link `dist/current` points to the one to serve.
 */
import { constants } from 'node:buffer';
import { createHash } from 'node:crypto';
import { UserError } from './user-error.ts';

/** Increased when the layout below changes, so that a gateway rejects what it cannot read. */
export const formatVersion = 2;

export const manifestFile = 'manifest.json';
/** The signature of the manifest, if the release is signed. */
export const signatureFile = 'manifest.sig';
export const currentLink = 'current';
export const releasesFolder = 'releases';

/** Header rules for static hosts. They contain the headers that all public responses share. */
export const headerRulesFile = 'public/_headers';

export interface Manifest {
  readonly format: typeof formatVersion;
  /** The release's name: hex digits of the SHA-256 of everything else in this manifest. */
  readonly id: string;
  /** The compression library and its version; another one may produce other bytes. */
  readonly encoder: string;
  /** Responses that need no key, by URL path without leading and trailing slash: `neet/2024`, `docs`. */
  readonly public: Resources;
  /** Responses that need a key, by URL path with the full shift name: `neet/2024/2024-05-05-s1/physics.json`. */
  readonly protected: Resources;
  /** By exam code, then by year: every accepted identifier of a shift, with its full name. */
  readonly shifts: Readonly<Record<string, Readonly<Record<string, ShiftAliases>>>>;
  /** Files of the public tree for static hosts, by path inside the release. The gateway serves none of them. */
  readonly hosts: Readonly<Record<string, StoredVariant>>;
}

export type Resources = Readonly<Record<string, StoredResource>>;
export type ShiftAliases = Readonly<Record<string, string>>;

/** One response in each content coding that it is stored in. */
export interface StoredResource {
  readonly mediaType: string;
  readonly identity: StoredVariant;
  readonly br?: StoredVariant | undefined;
  readonly gzip?: StoredVariant | undefined;
}

export interface StoredVariant {
  /** Path inside the release, with `/` between its parts. */
  readonly file: string;
  /** Bytes. */
  readonly size: number;
  /** Hex SHA-256 of the bytes. */
  readonly sha256: string;
}

/** A release that cannot be served. The message names the file and what is wrong with it. */
export class DamagedRelease extends Error {
  override readonly name = 'DamagedRelease';
}

/** The contents of a manifest. */
export type ReleaseTables = Omit<Manifest, 'format' | 'id'>;

/** Adds format and id. */
export function sealManifest(tables: ReleaseTables): Manifest {
  const { encoder, public: open, protected: locked, shifts, hosts } = tables;
  const parts = { encoder, public: open, protected: locked, shifts, hosts };
  return { format: formatVersion, id: digestOf(parts), ...parts };
}

/**
 * Parses the text of `manifest.json`.
 *
 * @throws DamagedRelease when it is not a complete, unchanged manifest of this format that a build could have written:
 * its digest proves only that it is complete
 */
export function parseManifest(text: string): Manifest {
  let manifest: Manifest;
  try {
    manifest = JSON.parse(text);
  } catch {
    throw new DamagedRelease(`${manifestFile} is not JSON: it is truncated or was changed`);
  }
  if (manifest?.format !== formatVersion)
    throw new DamagedRelease(`${manifestFile} is not of format ${formatVersion}`);
  const { format: _, id, ...parts } = manifest;
  checkParts(parts);
  // The digest does not cover the names of the parts.
  if (
    Object.keys(parts).join() !== 'encoder,public,protected,shifts,hosts' ||
    id !== digestOf(parts)
  )
    throw new DamagedRelease(`${manifestFile} does not match its own checksum: it was changed`);
  return manifest;
}

/** The files of a response. */
export function variantsOf({ identity, br, gzip }: StoredResource): StoredVariant[] {
  return [identity, br, gzip].filter((variant) => variant !== undefined);
}

/** The trees of a release, and names that are no way out of them. */
const filePattern = /^(?:public|protected|hosts)(?:\/(?!\.{1,2}(?:\/|$))[^/\\\0]+)+$/;
const hexDigest = /^[0-9a-f]{64}$/;
/** What a header field may contain. */
const mediaTypePattern = /^[\x20-\x7e]+$/;

/** @throws DamagedRelease when a part has another type, or names a file that no release has */
function checkParts({
  encoder,
  public: open,
  protected: locked,
  shifts,
  hosts,
}: ReleaseTables): void {
  const areTyped =
    typeof encoder === 'string' &&
    [open, locked].every((resources) => isRecordOf(resources, isResource)) &&
    isRecordOf(shifts, (years) =>
      isRecordOf(years, (names) => isRecordOf(names, (name) => typeof name === 'string')),
    ) &&
    isRecordOf(hosts, isVariant);
  if (!areTyped) throw new DamagedRelease(`${manifestFile} is no manifest of a release`);
}

function isRecordOf(value: unknown, isMember: (member: unknown) => boolean): boolean {
  return isRecord(value) && Object.values(value).every(isMember);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isResource(value: unknown): boolean {
  if (!isRecord(value) || typeof value['mediaType'] !== 'string') return false;
  const { mediaType, identity, br, gzip } = value;
  const encoded = [br, gzip].filter((variant) => variant !== undefined);
  return mediaTypePattern.test(mediaType) && [identity, ...encoded].every(isVariant);
}

/** @throws DamagedRelease when it names a file that no release has */
function isVariant(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { file, size, sha256 } = value;
  if (typeof file !== 'string' || typeof sha256 !== 'string' || typeof size !== 'number')
    return false;
  if (!filePattern.test(file) || !hexDigest.test(sha256) || !Number.isSafeInteger(size) || size < 0)
    throw new DamagedRelease(
      `${manifestFile} names a file that no release has: ${JSON.stringify(file.slice(0, 200))}`,
    );
  return true;
}

/** Every file of a release except the manifest. */
export function* storedVariants(manifest: Manifest): Generator<StoredVariant> {
  for (const resources of [manifest.public, manifest.protected])
    for (const resource of Object.values(resources)) yield* variantsOf(resource);
  yield* Object.values(manifest.hosts);
}

/**
 * Checks the text of `manifest.json` as it is written.
 *
 * @throws UserError when it is longer than V8's longest string: no gateway could parse it
 */
export function* readableText(chunks: Iterable<string>): Generator<string> {
  let length = 0;
  for (const chunk of chunks) {
    length += chunk.length;
    if (length > constants.MAX_STRING_LENGTH)
      throw new UserError(
        `${manifestFile} would be longer than ${constants.MAX_STRING_LENGTH} characters, which no gateway can read: ` +
          'the bank has too many papers and diagrams. Divide it into several banks. Nothing was published.',
      );
    yield chunk;
  }
}

/**
 * Yields the text of `manifest.json`, equal to `JSON.stringify(manifest)`, in chunks: as one string, that of a large
 * bank would double the memory of a build.
 */
export function* manifestText(manifest: Manifest): Generator<string> {
  for (const [index, [name, part]] of Object.entries(manifest).entries()) {
    yield `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`;
    yield* textOf(part);
  }
  yield '}';
}

function digestOf(parts: ReleaseTables): string {
  const hash = createHash('sha256').update(`${formatVersion}\n`);
  for (const part of Object.values(parts)) {
    for (const chunk of textOf(part)) hash.update(chunk);
    hash.update('\n');
  }
  return hash.digest('hex').slice(0, 16);
}

/** Members of an object in one chunk. */
const chunkMembers = 500;

/** `JSON.stringify` of a part of a manifest, in chunks. */
function* textOf(part: string | number | object | null): Generator<string> {
  if (typeof part !== 'object' || part === null) {
    yield JSON.stringify(part);
    return;
  }
  const members = Object.entries(part);
  yield '{';
  for (let start = 0; start < members.length; start += chunkMembers) {
    const chunk = Object.fromEntries(members.slice(start, start + chunkMembers));
    yield `${start > 0 ? ',' : ''}${JSON.stringify(chunk).slice(1, -1)}`;
  }
  yield '}';
}
