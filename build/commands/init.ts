import { cp, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type Command, readArguments } from '../command-line/command.ts';

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
  const dependencies = { pastpaper: await ownSource(folder) };
  await cp(new URL('../starter/', import.meta.url), folder, { recursive: true });
  // npm leaves `.gitignore` out of a package.
  await rename(join(folder, 'gitignore'), join(folder, '.gitignore'));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ private: true, dependencies }, undefined, 2)}\n`);
  io.stdout.write(`Created a bank with two small papers. Next:

  cd ${folder}
  npm install --ignore-scripts
  npx pastpaper dev
`);
  return 0;
};

/** Where the bank gets this program: where the project in the working directory has it from, or the registry. */
async function ownSource(folder: string): Promise<string> {
  const project = JSON.parse(await readFile('package.json', 'utf8').catch(() => '{}'));
  const source: string | undefined = project.dependencies?.pastpaper;
  if (source !== undefined) return source.replace(/^file:(.*)/, (_, path) => `file:${relative(folder, path)}`);
  const own = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  return `^${JSON.parse(own).version}`;
}
