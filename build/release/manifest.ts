/**
 * A release: the folder that a build publishes and a gateway serves. It holds `manifest.json`, the
 * tree `public/`, which a CDN may serve as it is, the tree `protected/`, which only a gateway may, and `hosts/`,
 * by which stock software serves the public tree.
 * Releases stand under `dist/releases/`; the symbolic link `dist/current` names the one to serve.
 */
import { createHash } from 'node:crypto';

/** Raised when the layout below changes, so that a gateway refuses what it cannot read. */
export const formatVersion = 2;

export const manifestFile = 'manifest.json';
export const currentLink = 'current';
export const releasesFolder = 'releases';

export interface Manifest {
  readonly format: typeof formatVersion;
  /** The release's name: hex digits of the SHA-256 over everything else in this manifest. */
  readonly id: string;
  /** What compressed the bodies; another would give other bytes. */
  readonly encoder: string;
  /** What needs no key, by URL path without slashes at its ends: `neet/2024`, `docs`. */
  readonly public: Resources;
  /** What needs a key, by URL path with the full shift name: `neet/2024/2024-05-05-s1/physics.json`. */
  readonly protected: Resources;
  /** By exam code, then by year: every accepted spelling of a shift, and the full name that it stands for. */
  readonly shifts: Readonly<Record<string, Readonly<Record<string, ShiftAliases>>>>;
  /** What other hosts read and no request is answered with, by path inside the release: `hosts/Caddyfile`. */
  readonly hosts: Readonly<Record<string, StoredVariant>>;
}

export type Resources = Readonly<Record<string, StoredResource>>;
export type ShiftAliases = Readonly<Record<string, string>>;

/** One answer, in each content coding that it is stored in. */
export interface StoredResource {
  readonly mediaType: string;
  readonly identity: StoredVariant;
  readonly br?: StoredVariant;
  readonly gzip?: StoredVariant;
}

export interface StoredVariant {
  /** Path inside the release, with `/` between its parts. */
  readonly file: string;
  /** Bytes. */
  readonly size: number;
  /** Hex SHA-256 of the bytes. */
  readonly sha256: string;
}

/** A release that cannot be served. The message says which file, and what is wrong with it. */
export class DamagedRelease extends Error {
  override readonly name = 'DamagedRelease';
}

/** What a manifest says of its release. */
export type ReleaseTables = Omit<Manifest, 'format' | 'id'>;

/** The manifest of these tables, with its id. */
export function sealManifest(tables: ReleaseTables): Manifest {
  return {
    format: formatVersion,
    id: manifestId(tables),
    encoder: tables.encoder,
    public: tables.public,
    protected: tables.protected,
    shifts: tables.shifts,
    hosts: tables.hosts,
  };
}

/**
 * Reads the text of `manifest.json`.
 *
 * @throws DamagedRelease when it is not a manifest of this format, whole and unchanged.
 */
export function parseManifest(text: string): Manifest {
  let manifest: Manifest;
  try {
    manifest = JSON.parse(text);
  } catch {
    throw new DamagedRelease(`${manifestFile} is not JSON: it is cut short or was changed`);
  }
  if (manifest?.format !== formatVersion) {
    throw new DamagedRelease(`${manifestFile} is not of format ${formatVersion}`);
  }
  if (!hasAllParts(manifest) || manifest.id !== manifestId(manifest)) {
    throw new DamagedRelease(`${manifestFile} does not match its own checksum: it was changed`);
  }
  return manifest;
}

/** A changed byte in the name of a part leaves the manifest without it. */
function hasAllParts({
  encoder,
  public: open,
  protected: locked,
  shifts,
  hosts,
}: Partial<Manifest>): boolean {
  const tables: readonly unknown[] = [open, locked, shifts, hosts];
  return typeof encoder === 'string' && tables.every((table) => typeof table === 'object' && table !== null);
}

/** All variants that a release stores. */
export function* storedVariants(manifest: Manifest): Generator<StoredVariant> {
  for (const resources of [manifest.public, manifest.protected]) {
    for (const { identity, br, gzip } of Object.values(resources)) {
      yield identity;
      if (br) yield br;
      if (gzip) yield gzip;
    }
  }
  yield* Object.values(manifest.hosts);
}

/**
 * The text of `manifest.json`, which is `JSON.stringify` of the manifest, in pieces: that of a large bank is as large as
 * all else that a build holds.
 */
export function* manifestText(manifest: Manifest): Generator<string> {
  let isFirst = true;
  for (const [name, part] of Object.entries(manifest)) {
    yield `${isFirst ? '{' : ','}${JSON.stringify(name)}:`;
    yield* textOf(part);
    isFirst = false;
  }
  yield '}';
}

function manifestId(tables: ReleaseTables): string {
  const hash = createHash('sha256');
  const { encoder, public: open, protected: locked, shifts, hosts } = tables;
  for (const part of [formatVersion, encoder, open, locked, shifts, hosts]) {
    for (const piece of textOf(part)) hash.update(piece);
    hash.update('\n');
  }
  return hash.digest('hex').slice(0, 16);
}

/** Members of an object that are put into one piece. */
const membersAtOnce = 500;

/** `JSON.stringify` of a part of a manifest, in pieces. */
function* textOf(part: string | number | object): Generator<string> {
  if (typeof part !== 'object') {
    yield JSON.stringify(part);
    return;
  }
  const members = Object.entries(part);
  yield '{';
  for (let start = 0; start < members.length; start += membersAtOnce) {
    const piece = Object.fromEntries(members.slice(start, start + membersAtOnce));
    yield `${start > 0 ? ',' : ''}${JSON.stringify(piece).slice(1, -1)}`;
  }
  yield '}';
}
