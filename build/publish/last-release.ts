import { lstatSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  currentLink,
  type Manifest,
  manifestFile,
  parseManifest,
  type StoredResource,
  type StoredVariant,
  storedVariants,
} from '../release/manifest.ts';
import type { NamedRelease } from '../release/switch.ts';

/** The release that is current when a build begins: what has not changed is taken over from it. */
export class LastRelease implements NamedRelease {
  readonly folder: string;
  readonly manifest: Manifest;
  /** Milliseconds since 1970: nothing in it was written later. */
  readonly #sealed: number;
  /** What has been looked at: a build asks twice, when it recalls an answer and when it takes it over. */
  readonly #looked = new Map<StoredResource, boolean>();

  private constructor(folder: string, manifest: Manifest, sealed: number) {
    this.folder = folder;
    this.manifest = manifest;
    this.#sealed = sealed;
  }

  /** @returns undefined when there is none, or one whose manifest cannot be read */
  static async open(distDir: string): Promise<LastRelease | undefined> {
    try {
      // Resolved once, so that a release published meanwhile cannot mix with this one.
      const folder = await realpath(join(distDir, currentLink));
      const file = join(folder, manifestFile);
      const manifest = parseManifest(await readFile(file, 'utf8'));
      return new LastRelease(folder, manifest, (await stat(file)).mtimeMs);
    } catch {
      return undefined;
    }
  }

  get name(): string {
    return basename(this.folder);
  }

  /**
   * What it stores under a path, where that is these bytes and its files are as they were written: of their size,
   * and older than its manifest. Their bytes are not read: that is for `npm run verify` and for the gateway.
   *
   * @param sha256 hex, of the bytes without a content coding
   */
  stored(access: 'public' | 'protected', path: string, sha256: string): StoredResource | undefined {
    const { [access]: resources } = this.manifest;
    const resource = Object.hasOwn(resources, path) ? resources[path] : undefined;
    if (resource?.identity.sha256 !== sha256) return undefined;
    const isWhole = this.#looked.get(resource) ?? this.#isWholeIn(resource);
    this.#looked.set(resource, isWhole);
    return isWhole ? resource : undefined;
  }

  /** Whether every file of it is as it was written. */
  isWhole(): boolean {
    for (const variant of storedVariants(this.manifest)) if (!this.#isWhole(variant)) return false;
    return true;
  }

  /** Whether it is the release of this manifest, and what other hosts read of it is as it was written. */
  holds({ id, hosts }: Manifest): boolean {
    return this.manifest.id === id && Object.values(hosts).every((variant) => this.#isWhole(variant));
  }

  #isWholeIn({ identity, br, gzip }: StoredResource): boolean {
    return [identity, br, gzip].every((variant) => !variant || this.#isWhole(variant));
  }

  #isWhole({ file, size }: StoredVariant): boolean {
    const found = lstatSync(join(this.folder, file), { throwIfNoEntry: false });
    return found?.isFile() === true && found.size === size && found.mtimeMs <= this.#sealed;
  }
}
