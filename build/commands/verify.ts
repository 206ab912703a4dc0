/**
 * `npm run verify`: checks every file of the current release against its manifest, then builds the content again, without
 * any cache, in a scratch folder and compares the two.
 */
import { mkdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from '../build.ts';
import { draftName, removeAbandonedDrafts } from '../release/drafts.ts';
import {
  currentLink,
  DamagedRelease,
  type Manifest,
  manifestFile,
  type Resources,
  releasesFolder,
  type StoredResource,
  sealManifest,
  storedVariants,
} from '../release/manifest.ts';
import { findDamage, readManifest } from '../release/verify.ts';
import { textReport } from '../report/text.ts';
import { count, formatNumber } from '../report/wording.ts';
import { changesPath } from '../site/catalogue/changes.ts';
import { type Command, type CommandIO, type Folders, readArguments, terminal } from './command.ts';

/** How many items of a list are printed. */
const maxListed = 20;

export const verifyCommand: Command = async (args, folders, io) => {
  readArguments(args, {});
  const failure = await verify(folders, io);
  if (failure === undefined) return 0;
  io.stderr.write(failure);
  return 1;
};

/** @returns what is wrong, as text; undefined when the release is intact and matches the content */
async function verify({ contentDir, distDir }: Folders, io: CommandIO): Promise<string | undefined> {
  const link = join(distDir, currentLink);
  const folder = await realpath(link).catch(() => undefined);
  if (folder === undefined) return damaged([`${link} is missing`]);
  let manifest: Manifest;
  try {
    manifest = await readManifest(folder);
  } catch (error) {
    if (!(error instanceof DamagedRelease)) throw error;
    return damaged([error.message]);
  }
  const damage = await findDamage(folder, manifest);
  if (damage.length > 0) return damaged(damage);

  await removeAbandonedDrafts(distDir);
  const scratch = join(distDir, draftName());
  await mkdir(scratch);
  try {
    const { report, publication } = await rebuild(contentDir, scratch, folder, manifest);
    if (!publication)
      return `${textReport(report, { contentDir, ...terminal(io.stderr, io.env) })}The content gives no release to compare with.\n`;
    const lines = differences(manifest, publication.manifest);
    if (lines.length > 0)
      return `Release ${manifest.id} is whole, but is not what the content gives: ${count(lines.length, 'difference')}.\n${list(lines)}`;
    const files = count([...storedVariants(manifest)].length, 'file');
    io.stdout.write(
      `Release ${manifest.id} is whole, ${files}, and is what the content gives, byte for byte.\n`,
    );
    return undefined;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function damaged(problems: readonly string[]): string {
  return `The current release is damaged; the next build replaces it.\n${list(problems)}`;
}

function list(lines: readonly string[]): string {
  const more = lines.length - maxListed;
  const listed = lines.slice(0, maxListed).map((line) => `  ${line}\n`);
  return listed.join('') + (more > 0 ? `  and ${formatNumber(more)} more\n` : '');
}

/** Builds the content in an empty folder, on top of as much of the release as the list of changes depends on. */
async function rebuild(contentDir: string, scratch: string, folder: string, manifest: Manifest) {
  const distDir = join(scratch, 'dist');
  await copyChanges(distDir, folder, manifest);
  return build({ contentDir, dataDir: join(scratch, 'data'), now: new Date() }, distDir);
}

/**
 * Writes a release that contains only the years and the list of recent changes of another one. That list depends on the
 * release before, which may be gone: a build of the same years carries it over, but finds nothing else to reuse.
 */
async function copyChanges(distDir: string, folder: string, manifest: Manifest): Promise<void> {
  const years = Object.entries(manifest.shifts).flatMap(([exam, byYear]) =>
    Object.keys(byYear).map((year) => `${exam}/${year}`),
  );
  const copied: Record<string, StoredResource> = {};
  for (const path of [...years, changesPath]) {
    const resource = manifest.public[path];
    if (resource) copied[path] = { mediaType: resource.mediaType, identity: resource.identity };
  }
  const { shifts } = manifest;
  // Without an encoder, so that no compressed form is reused.
  const sealed = sealManifest({ encoder: '', public: copied, protected: {}, shifts, hosts: {} });
  const target = join(releasesFolder, sealed.id);
  for (const { identity } of Object.values(copied)) {
    const file = join(distDir, target, identity.file);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await readFile(join(folder, identity.file)));
  }
  await mkdir(join(distDir, target), { recursive: true });
  await writeFile(join(distDir, target, manifestFile), JSON.stringify(sealed));
  await symlink(target, join(distDir, currentLink));
}

/** Describes how a release differs from the one that its content gives, in the order of the paths. */
function differences(current: Manifest, rebuilt: Manifest): string[] {
  return [
    ...resourceDifferences('public', current.public, rebuilt.public),
    ...resourceDifferences('protected', current.protected, rebuilt.protected),
    ...aliasDifferences(current.shifts, rebuilt.shifts),
  ];
}

function resourceDifferences(access: string, current: Resources, rebuilt: Resources): string[] {
  return keysOf(current, rebuilt).flatMap((path) => {
    const difference = resourceDifference(current[path], rebuilt[path]);
    return difference ? [`${path}  ${access}: ${difference}`] : [];
  });
}

function resourceDifference(current: StoredResource | undefined, rebuilt: StoredResource | undefined) {
  if (!current) return 'the content gives it, the release lacks it';
  if (!rebuilt) return 'the release has it, the content does not give it';
  if (current.identity.sha256 !== rebuilt.identity.sha256) return 'other bytes';
  if (current.mediaType !== rebuilt.mediaType) return `${current.mediaType}, not ${rebuilt.mediaType}`;
  const isSame = JSON.stringify(current) === JSON.stringify(rebuilt);
  return isSame ? undefined : 'the same bytes, stored or compressed otherwise: by another version of Node?';
}

function aliasDifferences(current: Manifest['shifts'], rebuilt: Manifest['shifts']): string[] {
  return keysOf(current, rebuilt).flatMap((exam) => {
    const [one = {}, other = {}] = [current[exam], rebuilt[exam]];
    return keysOf(one, other)
      .filter((year) => JSON.stringify(one[year]) !== JSON.stringify(other[year]))
      .map((year) => `${exam}/${year}  other aliases of its shifts`);
  });
}

function keysOf(one: object, other: object): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
}
