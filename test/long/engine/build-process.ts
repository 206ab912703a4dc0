import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { type StartedProcess, startCommand } from '../../gateway/started-process.ts';

/** The folders of a build: what it reads, and where it writes. */
export interface BuildFolders {
  readonly content: string;
  readonly dist: string;
  readonly data: string;
}

/** How a build process is started. */
export interface BuildOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** A command that runs Node, such as a shell with another umask. */
  readonly wrapper?: readonly string[];
  /** Modules that Node loads first. */
  readonly preload?: readonly string[];
}

/** Starts `npm run build` in its own process. */
export function startBuild(
  { content, dist, data }: BuildFolders,
  { settings = {}, wrapper = [], preload = [] }: BuildOptions = {},
): StartedProcess {
  const imports = preload.flatMap((module) => ['--import', module]);
  const [command = '', ...args] = [
    ...wrapper,
    process.execPath,
    ...imports,
    'build/pastpaper.js',
    'build',
  ];
  const folders = { CONTENT_DIR: content, DIST_DIR: dist, DATA_DIR: data };
  return startCommand(command, args, { ...folders, ...settings });
}

/** Runs a build, which must succeed. @returns the folder of the current release */
export async function build(folders: BuildFolders, options?: BuildOptions): Promise<string> {
  const ended = await startBuild(folders, options).ended;
  assert.equal(ended.status, 0, ended.stderr);
  return realpath(join(folders.dist, 'current'));
}

/** Builds in new folders, without a cache or another release. @returns the dist folder */
export async function buildCold(content: string, options?: BuildOptions): Promise<string> {
  const folders = await newBuildFolders(content);
  await build(folders, options);
  return folders.dist;
}

/** New, empty output folders for a build. */
export async function newBuildFolders(content: string): Promise<BuildFolders> {
  const folder = await temporaryFolder();
  return { content, dist: join(folder, 'dist'), data: join(folder, 'data') };
}

/** Copies a folder with its symbolic links and the times of its files; faster than `cp` of node:fs. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-R', '-P', '-p', `${from}/.`, to]);
}

/** Checks that no draft of any kind is left. */
export async function assertNoDrafts({ dist, data }: Omit<BuildFolders, 'content'>): Promise<void> {
  for (const folder of [dist, join(dist, 'releases'), data]) {
    const drafts = (await readdir(folder)).filter((name) => name.startsWith('.'));
    assert.deepEqual(drafts, [], folder);
  }
}
