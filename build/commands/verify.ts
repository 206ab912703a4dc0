/**
 * `pastpaper verify`: checks every file of the current release against its root, then builds the content again,
 * without any cache, in a scratch folder and compares the two. With a public key, it checks the signature first.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from '../build.ts';
import {
  type Command,
  type CommandIO,
  type Folders,
  readArguments,
  terminal,
} from '../command-line/command.ts';
import { encoder } from '../publish/encode.ts';
import { type Bank, readPublishedBank } from '../release/config.ts';
import { draftName, removeAbandonedDrafts } from '../release/files.ts';
import { type Release, readCurrent } from '../release/read.ts';
import { DamagedRelease, signatureFile, yearsOf } from '../release/root.ts';
import {
  checksumsPath,
  isSigned,
  type PublicKeys,
  publicKeyPath,
  readPublicKeys,
  type Signer,
  signatureOf,
} from '../release/signature.ts';
import { findDamage } from '../release/verify.ts';
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
  const release = await readCurrent(distDir).catch((error: DamagedRelease) => error);
  if (release instanceof DamagedRelease) return damaged([release.message]);
  const { root } = release;
  const { files, problems } = await findDamage(release);
  if (problems.length > 0) return damaged(problems);
  if (publicKeys && !(await isSigned(release, publicKeys)))
    return (
      `Release ${root.id} is not signed with this key: ${signatureFile} is missing, or belongs to another key or ` +
      'release. Do not trust the release unless you built it.\n'
    );

  await removeAbandonedDrafts(distDir);
  const scratch = join(distDir, draftName());
  await mkdir(scratch);
  try {
    const bank = readPublishedBank(io.env);
    const { report, publication } = await rebuild(bank, contentDir, scratch, release);
    if (!publication)
      return (
        textReport(report, { contentDir, ...terminal(io.stderr, io.env) }) +
        'The content has errors, so there is no build to compare the release with.\n'
      );
    if (publication.release.root.id !== root.id) {
      const paths = await differences(release, publication.release);
      const reason =
        root.encoder === encoder
          ? ''
          : 'Another version of Node.js or of this program compressed it.\n';
      return (
        `Release ${root.id} is undamaged, but differs from a build of the content: ` +
        `${count(paths.length, 'difference')}.\n${reason}${list(paths)}`
      );
    }
    const signature = publicKeys ? ', signed with this key' : '';
    io.stdout.write(
      `Release ${root.id} is undamaged (${count(files, 'file')})${signature} and identical to a build of the content.\n`,
    );
    if (!publicKeys && root.public[publicKeyPath])
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

/** Builds the content into an empty folder. */
async function rebuild(bank: Bank, contentDir: string, scratch: string, release: Release) {
  const setting = {
    bank,
    contentDir,
    dataDir: join(scratch, 'data'),
    now: new Date(),
    signer: await recordedSigner(release),
  };
  return build(setting, join(scratch, 'dist'));
}

/** A signer with the key and the signature that a release has: the signed list is then compared like any other file. */
async function recordedSigner({ root, pathOf }: Release): Promise<Signer | undefined> {
  const { [publicKeyPath]: key, [checksumsPath]: checksums } = root.public;
  if (!key || !checksums) return undefined;
  const signature = signatureOf(await readFile(pathOf(checksums.identity), 'utf8'));
  return { publicKey: await readFile(pathOf(key.identity), 'utf8'), sign: () => signature };
}

/** The paths whose responses differ between two releases. Pages, which differ if the content does, are last. */
async function differences(current: Release, rebuilt: Release): Promise<string[]> {
  const [one, other] = [await resourcesOf(current), await resourcesOf(rebuilt)];
  const paths = [...new Set([...one.keys(), ...other.keys()])].sort();
  const changed = paths.filter((path) => one.get(path) !== other.get(path));
  const isPage = (path: string) => /^(?:docs|dashboard)(?:\/|$)/.test(path);
  return [...changed.filter((path) => !isPage(path)), ...changed.filter(isPage)];
}

/** What a release stores of each response and file for static hosts, as text, by its path. */
async function resourcesOf({ root, readYear }: Release): Promise<Map<string, string>> {
  const found: [string, object][] = Object.entries({ ...root.hosts, ...root.public });
  for (const { exam, year, index } of yearsOf(root)) {
    const { shifts } = await readYear(index);
    for (const [shift, files] of Object.entries(shifts))
      for (const [file, resource] of Object.entries(files))
        found.push([`${exam}/${year}/${shift}/${file}`, resource]);
  }
  return new Map(found.map(([path, stored]) => [path, JSON.stringify(stored)]));
}
