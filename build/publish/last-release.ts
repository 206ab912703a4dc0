import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
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
export class LastRelease implements NamedRelease {
  readonly folder: string;
  readonly manifest: Manifest;
  /** When its manifest was written, in milliseconds since 1970. Nothing in it was written later. */
  readonly #sealed: number;
  /** Results of checks, since a build checks each resource twice. */
  readonly #checked = new Map<StoredResource, boolean>();

  private constructor(folder: string, manifest: Manifest, sealed: number) {
    this.folder = folder;
    this.manifest = manifest;
    this.#sealed = sealed;
  }

  /** Returns undefined if there is no current release, or if its manifest cannot be read. */
  static open(distDir: string): LastRelease | undefined {
    try {
      // Resolved once, so that a release published meanwhile cannot mix with this one.
      const folder = realpathSync(join(distDir, currentLink));
      const file = join(folder, manifestFile);
      // Synchronous: reading such a large text in pieces takes several times as long.
      const manifest = parseManifest(readFileSync(file, 'utf8'));
      return new LastRelease(folder, manifest, lstatSync(file).mtimeMs);
    } catch {
      return undefined;
    }
  }

  get name(): string {
    return basename(this.folder);
  }

  /**
   * The resource that it stores for a path, if it has this body and its files are unchanged: each has its size and is
   * older than the manifest. Their bytes are not read; `pastpaper verify` and the gateway do that.
   *
   * @param sha256 hex, of the plain body
   */
  stored(access: 'public' | 'protected', path: string, sha256: string): StoredResource | undefined {
    const { [access]: resources } = this.manifest;
    const resource = Object.hasOwn(resources, path) ? resources[path] : undefined;
    if (resource?.identity.sha256 !== sha256) return undefined;
    const isWhole = this.#checked.get(resource) ?? variantsOf(resource).every((variant) => this.#isWhole(variant));
    this.#checked.set(resource, isWhole);
    return isWhole ? resource : undefined;
  }

  /** Whether none of its files has changed. */
  isWhole(): boolean {
    for (const variant of storedVariants(this.manifest)) if (!this.#isWhole(variant)) return false;
    return true;
  }

  /** Whether it has this manifest, and its files for other hosts have not changed. */
  holds({ id, hosts }: Manifest): boolean {
    return this.manifest.id === id && Object.values(hosts).every((variant) => this.#isWhole(variant));
  }

  #isWhole({ file, size }: StoredVariant): boolean {
    const found = lstatSync(`${this.folder}/${file}`, { throwIfNoEntry: false });
    return found?.isFile() === true && found.size === size && found.mtimeMs <= this.#sealed;
  }
}
