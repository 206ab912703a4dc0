import assert from 'node:assert/strict';
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { type StartedProcess, startCommand } from '../../gateway/started-process.ts';
import { copyFolder } from './copy-folder.ts';

/** What a build reads, and where it writes. */
export interface Places {
  readonly content: string;
  readonly dist: string;
  readonly data: string;
}

/** How a build is started. */
export interface Surroundings {
  readonly settings?: Readonly<Record<string, string>>;
  /** What runs Node: a shell with another umask, say. */
  readonly before?: readonly string[];
  /** What Node loads first. */
  readonly preload?: readonly string[];
}

/** Starts `npm run build` as npm does, in a process of its own. */
export function startBuild(
  { content, dist, data }: Places,
  { settings = {}, before = [], preload = [] }: Surroundings = {},
): StartedProcess {
  const imports = preload.flatMap((module) => ['--import', module]);
  const [command = '', ...args] = [...before, process.execPath, ...imports, 'build/pastpaper.js', 'build'];
  const folders = { CONTENT_DIR: content, DIST_DIR: dist, DATA_DIR: data };
  return startCommand(command, args, { ...folders, ...settings });
}

/** Builds to the end, which has to be a good one. @returns the folder that is current then */
export async function build(places: Places, surroundings?: Surroundings): Promise<string> {
  const ended = await startBuild(places, surroundings).ended;
  assert.equal(ended.status, 0, ended.stderr);
  return realpath(join(places.dist, 'current'));
}

/**
 * Builds with nothing remembered, where nothing stands but the release that the content is compared with.
 *
 * @param predecessor folder of that release; undefined for a first build
 * @returns the release's folder
 */
export async function buildCold(
  content: string,
  predecessor?: string,
  surroundings?: Surroundings,
): Promise<string> {
  const places = await coldPlaces(content);
  if (predecessor) {
    await mkdir(join(places.dist, 'releases'), { recursive: true });
    const target = join('releases', basename(predecessor));
    await copyFolder(predecessor, join(places.dist, target));
    await symlink(target, join(places.dist, 'current'));
  }
  return build(places, surroundings);
}

export async function coldPlaces(content: string): Promise<Places> {
  const folder = await temporaryFolder();
  return { content, dist: join(folder, 'dist'), data: join(folder, 'data') };
}
