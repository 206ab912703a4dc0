import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Command, readArguments } from '../command-line/command.ts';
import { createFolder } from '../release/files.ts';
import { UserError } from '../release/user-error.ts';

/** `pastpaper init`: creates a bank to start from, out of `build/starter/`. */
export const initCommand: Command = async (args, _folders, io) => {
  const [folder = ''] = readArguments(args, {}, 'FOLDER').positionals;
  const existing = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (existing.length > 0) {
    io.stderr.write(`${folder} is not empty. Name a folder that does not exist yet.\n`);
    return 1;
  }
  await createFolder(folder);
  const dependencies = { pastpaper: await packInto(folder) };
  await cp(new URL('../starter/', import.meta.url), folder, { recursive: true });
  // npm leaves `.gitignore` out of a package.
  await rename(join(folder, 'gitignore'), join(folder, '.gitignore'));
  await writeFile(
    join(folder, 'package.json'),
    `${JSON.stringify({ private: true, dependencies }, undefined, 2)}\n`,
  );
  io.stdout.write(`Created a bank with two small papers. Next:

  cd ${folder}
  npm install --ignore-scripts
  npx pastpaper dev

Its README.md describes how to publish it.
`);
  return 0;
};

/**
 * Packs this program into the folder of a bank, which then installs wherever there is a registry of its dependencies. For
 * a program that is on that registry, `^` and its version would do.
 *
 * @returns what the bank depends on
 * @throws UserError when npm fails
 */
async function packInto(folder: string): Promise<string> {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const shell = process.platform === 'win32';
  try {
    // What is installed has been compiled, and has no sources.
    if (existsSync(join(root, 'build/cli.ts')))
      await promisify(execFile)('npm', ['run', 'prepack'], { cwd: root, shell });
    const args = ['pack', root, '--ignore-scripts', '--silent', '--pack-destination', folder];
    const { stdout } = await promisify(execFile)('npm', args, { shell });
    return `file:${stdout.trim()}`;
  } catch (error) {
    throw new UserError(
      `This program could not be packed into ${folder}: ${(error as Error).message}`,
    );
  }
}
