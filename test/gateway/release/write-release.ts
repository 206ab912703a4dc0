import { createHash } from 'node:crypto';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  currentLink,
  manifestFile,
  type ReleaseTables,
  releasesFolder,
  type StoredResource,
  type StoredVariant,
  sealManifest,
} from '../../../build/release/manifest.ts';

/** A response of a release: its bytes, uncompressed and in each stored coding. */
export interface ReleaseResponse {
  readonly access: 'public' | 'protected';
  readonly path: string;
  readonly mediaType: string;
  readonly identity: Buffer;
  readonly br?: Buffer;
  readonly gzip?: Buffer;
}

/**
 * Writes a release with these responses, without a build.
 *
 * @returns its folder
 */
export async function writeRelease(
  distDir: string,
  name: string,
  responses: Iterable<ReleaseResponse> | AsyncIterable<ReleaseResponse>,
  shifts: ReleaseTables['shifts'],
): Promise<string> {
  const folder = join(distDir, releasesFolder, name);
  const tables: Record<ReleaseResponse['access'], Record<string, StoredResource>> = {
    public: {},
    protected: {},
  };
  for await (const { access, path, mediaType, identity, br, gzip } of responses) {
    const file = `${access}/${path}`;
    await mkdir(dirname(join(folder, file)), { recursive: true });
    tables[access][path] = {
      mediaType,
      identity: await writeVariant(folder, file, identity),
      ...(br && { br: await writeVariant(folder, `${file}.br`, br) }),
      ...(gzip && { gzip: await writeVariant(folder, `${file}.gz`, gzip) }),
    };
  }
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, manifestFile),
    JSON.stringify(sealManifest({ ...tables, shifts, encoder: 'none', hosts: {} })),
  );
  return folder;
}

/** Makes a release the current one, with one rename. */
export async function switchTo(distDir: string, name: string): Promise<void> {
  const link = join(distDir, `.${currentLink}-${name}`);
  await symlink(join(releasesFolder, name), link);
  await rename(link, join(distDir, currentLink));
}

async function writeVariant(folder: string, file: string, bytes: Buffer): Promise<StoredVariant> {
  await writeFile(join(folder, file), bytes);
  return { file, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
