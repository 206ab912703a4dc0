import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../../../build/release/make-folder.ts';
import { StorageError } from '../../store/database.ts';

const fileName = 'session-secret';

/**
 * The secret that signs sessions where no setting gives one: made once, and kept in the data folder.
 *
 * @throws StorageError when it cannot be kept
 */
export async function keptSessionSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, fileName);
  try {
    await makeFolder(dataDir, 0o700);
    // Of two processes that start at once, one writes it and both read it.
    await writeFile(path, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' }).catch(
      keepExisting,
    );
    const secret = await readFile(path, 'utf8');
    if (secret.length < 32) throw new Error(`${fileName} is cut short: remove it, and all sign in again.`);
    return secret;
  } catch (error) {
    throw new StorageError(`The data folder ${dataDir} cannot be used: ${(error as Error).message}`);
  }
}

function keepExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
