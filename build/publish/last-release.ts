import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { PublishedShift } from '../compile/compile-shift.ts';
import {
  currentLink,
  type Manifest,
  manifestFile,
  parseManifest,
  type StoredResource,
  type StoredVariant,
  storedVariants,
  variantsOf,
} from '../release/manifest.ts';
import type { NamedRelease } from '../release/switch.ts';

/** The release that is current when a build begins. Responses that have not changed are reused from it. */
export interface LastRelease extends NamedRelease {
  /** Absolute path. */
  readonly folder: string;
  /**
   * The resource that it stores for a path, if it has this body and its files are unchanged: each has its size and is
   * older than the manifest. Their bytes are not read; `pastpaper verify` and the gateway do that.
   *
   * @param sha256 hex, of the plain body
   */
  stored(access: 'public' | 'protected', path: string, sha256: string): StoredResource | undefined;
  /** Whether it stores all responses of a shift. */
  storesShift(shift: PublishedShift): boolean;
  /** Whether none of its files has changed. */
  isWhole(): boolean;
  /** Whether it has this manifest, and its files for static hosts have not changed. */
  holds(manifest: Manifest): boolean;
}

/** Returns undefined if there is no current release, or if its manifest cannot be read. */
export function openLastRelease(distDir: string): LastRelease | undefined {
  try {
    // Resolved once, so that a release published meanwhile cannot mix with this one.
    const folder = realpathSync(join(distDir, currentLink));
    const file = join(folder, manifestFile);
    // Synchronous: reading such a large text in pieces takes several times as long.
    return lastRelease(folder, parseManifest(readFileSync(file, 'utf8')), lstatSync(file).mtimeMs);
  } catch {
    return undefined;
  }
}

/** @param sealed when its manifest was written, in milliseconds since 1970. Nothing in it was written later. */
function lastRelease(folder: string, manifest: Manifest, sealed: number): LastRelease {
  /** Results of checks, since a build checks each resource twice. */
  const checked = new Map<StoredResource, boolean>();

  function isUnchanged({ file, size }: StoredVariant): boolean {
    const found = lstatSync(`${folder}/${file}`, { throwIfNoEntry: false });
    return found?.isFile() === true && found.size === size && found.mtimeMs <= sealed;
  }

  function stored(
    access: 'public' | 'protected',
    path: string,
    sha256: string,
  ): StoredResource | undefined {
    const { [access]: resources } = manifest;
    const resource = Object.hasOwn(resources, path) ? resources[path] : undefined;
    if (resource?.identity.sha256 !== sha256) return undefined;
    const isWhole = checked.get(resource) ?? variantsOf(resource).every(isUnchanged);
    checked.set(resource, isWhole);
    return isWhole ? resource : undefined;
  }

  return {
    folder,
    manifest,
    name: basename(folder),
    stored,

    storesShift: ({ responses }) =>
      responses.every(({ path, sha256 }) => stored('protected', path, sha256)),

    isWhole() {
      for (const variant of storedVariants(manifest)) if (!isUnchanged(variant)) return false;
      return true;
    },

    holds: ({ id, hosts }) => manifest.id === id && Object.values(hosts).every(isUnchanged),
  };
}
