/**
 * `pastpaper verify`: checks every file of the current release against its manifest, then builds the content again,
 * without any cache, in a scratch folder and compares the two. With a public key, it checks the signature first.
 */
import { mkdir, readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from '../build.ts';
import {
  type Command,
  type CommandIO,
  type Folders,
  readArguments,
  terminal,
} from '../command-line/command.ts';
import { encoderOf } from '../publish/encode.ts';
import { type Bank, readPublishedBank } from '../release/config.ts';
import { draftName, removeAbandonedDrafts } from '../release/files.ts';
import {
  currentLink,
  DamagedRelease,
  type Manifest,
  type StoredResource,
  signatureFile,
  storedVariants,
} from '../release/manifest.ts';
import {
  checksumsPath,
  isSigned,
  type PublicKeys,
  publicKeyPath,
  readPublicKeys,
  type Signer,
  signatureOf,
} from '../release/signature.ts';
import { findDamage, readManifest } from '../release/verify.ts';
import { textReport } from '../report/text.ts';
import { count, formatNumber } from '../report/wording.ts';

/** How many items of a list are printed. */
const maxListed = 20;

const options = { 'public-key': { type: 'string' } } as const;

export const verifyCommand: Command = async (args, folders, io) => {
  const { values } = readArguments(args, options);
  const failure = await verify(folders, readPublicKeys(values['public-key']), io);
  io.stderr.write(failure ?? '');
  return failure === undefined ? 0 : 1;
};

/** @returns what is wrong, as text; undefined when the release is intact, signed by the key, and matches the content */
async function verify(
  { contentDir, distDir }: Folders,
  publicKeys: PublicKeys | undefined,
  io: CommandIO,
): Promise<string | undefined> {
  const link = join(distDir, currentLink);
  const folder = await realpath(link).catch(() => undefined);
  if (folder === undefined) return damaged([`${link} is missing`]);
  const manifest = await readManifest(folder).catch((error: DamagedRelease) => error);
  if (manifest instanceof DamagedRelease) return damaged([manifest.message]);
  const damage = await findDamage(folder, manifest);
  if (damage.size > 0) return damaged([...damage.values()]);
  if (publicKeys && !(await isSigned(folder, manifest, publicKeys)))
    return (
      `Release ${manifest.id} is not signed with this key: ${signatureFile} is missing, or belongs to another key or ` +
      'manifest. Do not trust the release unless you built it.\n'
    );

  await removeAbandonedDrafts(distDir);
  const scratch = join(distDir, draftName());
  await mkdir(scratch);
  try {
    const bank = readPublishedBank(io.env);
    const { report, publication } = await rebuild(bank, contentDir, scratch, folder, manifest);
    if (!publication)
      return (
        textReport(report, { contentDir, ...terminal(io.stderr, io.env) }) +
        'The content has errors, so there is no build to compare the release with.\n'
      );
    const lines = differences(manifest, publication.manifest);
    const number = count(lines.length, 'difference');
    if (lines.length > 0)
      return `Release ${manifest.id} is undamaged, but differs from a build of the content: ${number}.\n${list(lines)}`;
    const files = count([...storedVariants(manifest)].length, 'file');
    const signature = publicKeys ? ', signed with this key' : '';
    io.stdout.write(
      `Release ${manifest.id} is undamaged (${files})${signature} and identical to a build of the content.\n`,
    );
    if (!publicKeys && manifest.public[publicKeyPath])
      io.stdout.write(
        'Its signature was not verified. To verify it, name the public key of the signer: --public-key FILE.\n',
      );
    return undefined;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function damaged(problems: readonly string[]): string {
  return (
    'The current release is damaged. Run npx pastpaper build --repair, ' +
    `or npx pastpaper releases pull STORE if it came from a store.\n${list(problems)}`
  );
}

function list(lines: readonly string[]): string {
  const more = lines.length - maxListed;
  const listed = lines.slice(0, maxListed).map((line) => `  ${line}\n`);
  return listed.join('') + (more > 0 ? `  and ${formatNumber(more)} more\n` : '');
}

/** Builds the content into an empty folder, compressed as the release is. */
async function rebuild(
  bank: Bank,
  contentDir: string,
  scratch: string,
  folder: string,
  manifest: Manifest,
) {
  const setting = {
    bank,
    contentDir,
    dataDir: join(scratch, 'data'),
    now: new Date(),
    isQuick: manifest.encoder === encoderOf(true),
    signer: await recordedSigner(folder, manifest),
  };
  return build(setting, join(scratch, 'dist'));
}

/** A signer with the key and the signature that a release has: the signed list is then compared like any other file. */
async function recordedSigner(
  folder: string,
  { public: resources }: Manifest,
): Promise<Signer | undefined> {
  const key = resources[publicKeyPath];
  const checksums = resources[checksumsPath];
  if (!key || !checksums) return undefined;
  const signature = signatureOf(await readFile(join(folder, checksums.identity.file), 'utf8'));
  return {
    publicKey: await readFile(join(folder, key.identity.file), 'utf8'),
    sign: () => signature,
  };
}

/** Describes how a release differs from a build of the content. Pages, which differ if the content does, are last. */
function differences(current: Manifest, rebuilt: Manifest): string[] {
  const all = [
    ...(['public', 'protected'] as const).flatMap((access) =>
      keysOf(current[access], rebuilt[access]).flatMap((path) => {
        const difference = resourceDifference(current[access][path], rebuilt[access][path]);
        return difference ? [`${path}  ${access}: ${difference}`] : [];
      }),
    ),
    ...keysOf(current.shifts, rebuilt.shifts).flatMap((exam) => {
      const one = current.shifts[exam] ?? {};
      const other = rebuilt.shifts[exam] ?? {};
      return keysOf(one, other)
        .filter((year) => JSON.stringify(one[year]) !== JSON.stringify(other[year]))
        .map((year) => `${exam}/${year}  different shift aliases`);
    }),
  ];
  const isPage = (line: string) => /^(?:docs|dashboard)[ /]/.test(line);
  return [...all.filter((line) => !isPage(line)), ...all.filter(isPage)];
}

function resourceDifference(
  current: StoredResource | undefined,
  rebuilt: StoredResource | undefined,
) {
  if (!current) return 'missing in the release';
  if (!rebuilt) return 'only in the release';
  if (current.identity.sha256 !== rebuilt.identity.sha256) return 'different bytes';
  if (current.mediaType !== rebuilt.mediaType)
    return `${current.mediaType}, not ${rebuilt.mediaType}`;
  const isSame = JSON.stringify(current) === JSON.stringify(rebuilt);
  return isSame
    ? undefined
    : 'same bytes, but compressed differently, probably by another version of Node';
}

function keysOf(one: object, other: object): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
}
