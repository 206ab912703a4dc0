import { open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { draftName } from './draft.ts';

/**
 * Writes a file as a whole or not at all: first a draft beside it, which then takes its name. Its folder has to be
 * there.
 *
 * @param mode the rights that it is to have; left out, those of any new file
 * @param isReplaceable whether it may be lost when the power goes: then nothing waits for the disk
 * @throws the file system's own error, with the path of the file
 */
export async function writeWhole(
  path: string,
  content: Buffer | string | Iterable<Uint8Array>,
  { mode, isReplaceable = false }: { readonly mode?: number; readonly isReplaceable?: boolean } = {},
): Promise<void> {
  const draft = join(dirname(path), draftName());
  try {
    const file = await open(draft, 'wx');
    try {
      await writeFile(file, content);
      if (mode !== undefined) await file.chmod(mode);
      // The name must not last longer than the bytes when the power goes.
      if (!isReplaceable) await file.datasync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw Object.assign(error as Error, { path });
  }
}
