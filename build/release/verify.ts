import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  DamagedRelease,
  type Manifest,
  manifestFile,
  parseManifest,
  type StoredVariant,
  storedVariants,
} from './manifest.ts';

/** Files hashed side by side: enough to keep a disk busy, few enough for any file limit. */
const parallelReads = 8;

/**
 * Reads the manifest of the release in `folder` and holds every file of the release against it.
 *
 * @throws DamagedRelease when a file is missing, of another size, or has other bytes.
 */
export async function readWholeRelease(folder: string): Promise<Manifest> {
  const manifest = parseManifest(await readManifestText(folder));
  const variants = storedVariants(manifest);
  const workers = Array.from({ length: parallelReads }, async () => {
    for (const variant of variants) await verifyVariant(folder, variant);
  });
  await Promise.all(workers);
  return manifest;
}

async function readManifestText(folder: string): Promise<string> {
  try {
    return await readFile(join(folder, manifestFile), 'utf8');
  } catch (error) {
    throw new DamagedRelease(`${manifestFile} ${reason(error)}`);
  }
}

/** Holds one file of a release against its manifest. @throws DamagedRelease as above */
export async function verifyVariant(folder: string, { file, size, sha256 }: StoredVariant): Promise<void> {
  const hash = createHash('sha256');
  let read = 0;
  try {
    await pipeline(createReadStream(join(folder, file)), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        hash.update(chunk);
        read += chunk.length;
      }
    });
  } catch (error) {
    throw new DamagedRelease(`${file} ${reason(error)}`);
  }
  if (read !== size) throw new DamagedRelease(`${file} has ${read} bytes, not ${size}`);
  if (hash.digest('hex') !== sha256)
    throw new DamagedRelease(`${file} does not match its checksum: it was changed`);
}

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR' ? 'is missing' : `cannot be read (${code ?? message})`;
}
