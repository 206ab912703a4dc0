import { existsSync } from 'node:fs';
import {
  type Command,
  type CommandIO,
  choose,
  type ExitStatus,
  print,
  readArguments,
  UsageError,
} from '../command-line/command.ts';
import { minute, table } from '../command-line/table.ts';
import { configFile, readBank } from '../release/config.ts';
import {
  gracePeriod,
  listReleases,
  prune,
  type ReleaseListing,
  rollBack,
} from '../release/releases.ts';
import { readPublicKeys, readSigner } from '../release/signature.ts';
import { count, formatBytes } from '../report/wording.ts';
import { storeLocation } from '../store/location.ts';
import { readPointer } from '../store/pointer.ts';
import { type PullOptions, pull, verifyStored } from '../store/pull.ts';
import { push } from '../store/push.ts';
import { openStore, type Progress, type Store, StoreError } from '../store/store.ts';
import { progressLine } from './progress.ts';

const options = { json: { type: 'boolean', default: false } } as const;
const pushOptions = { ...options, all: { type: 'boolean', default: false } } as const;
const storedOptions = { ...options, 'public-key': { type: 'string' } } as const;
const pullOptions = {
  ...storedOptions,
  watch: { type: 'boolean', default: false },
  'max-age': { type: 'string' },
} as const;

/** The current release, and some to roll back to. */
const defaultKeep = '5';

const actions: Readonly<
  Record<string, (args: readonly string[], distDir: string, io: CommandIO) => Promise<ExitStatus>>
> = {
  async list(args, distDir, io) {
    const { json } = readArguments(args, options).values;
    const releases = await listReleases(distDir);
    print(
      io,
      json,
      releases,
      releases.length === 0 ? 'There are no releases.\n' : releaseTable(releases),
    );
    return 0;
  },
  async rollback(args, distDir, io) {
    const { values, positionals } = readArguments(args, options, '[ID]');
    const { from, to } = await rollBack(distDir, positionals[0], new Date());
    const before =
      from === undefined ? 'No release was current before.' : `The previous one was ${from}.`;
    const text =
      from === to ? `Release ${to} is already current.` : `Release ${to} is current. ${before}`;
    print(io, values.json, { from: from ?? null, to }, `${text}\n`);
    return 0;
  },
  async prune(args, distDir, io) {
    const { values } = readArguments(args, {
      ...options,
      keep: { type: 'string', default: defaultKeep },
    });
    const { json, keep } = values;
    if (!/^0*[1-9]\d{0,5}$/.test(keep))
      throw new UsageError(`--keep must be a whole number from 1, not "${keep}".`);
    const result = await prune(distDir, Number(keep), new Date());
    const lines = [
      ...result.removed.map((name) => `Removed release ${name}.\n`),
      ...result.recent.map(
        (name) => `Kept release ${name}: it was current or published a moment ago.\n`,
      ),
    ];
    if (result.recent.length > 0) {
      const minutes = gracePeriod / 60_000;
      lines.push(
        `A gateway may serve a release for ${minutes} minutes after that. Run the command again then.\n`,
      );
    }
    print(io, json, result, lines.join('') || 'There is nothing to remove.\n');
    return 0;
  },
  async push(args, distDir, io) {
    const { values, positionals } = readArguments(args, pushOptions, 'STORE');
    const signer = readSigner(io.env['SIGNING_KEY']);
    const warn = (message: string) => void io.stderr.write(`warning: ${message}\n`);
    const result = await withStore(positionals[0] ?? '', io, (store, progress) =>
      push(store, {
        distDir,
        bank: readBank().name,
        signer,
        all: values.all,
        now: new Date(),
        warn,
        progress,
      }),
    );
    const { release, files, bytes, wasCurrent } = result;
    const state = wasCurrent
      ? 'is current in the store already. Its pointer was renewed'
      : 'is current in the store';
    const text = `Release ${release} ${state}. Uploaded ${count(files, 'file')}, ${formatBytes(bytes)} in all.`;
    print(io, values.json, result, `${text}\n`);
    return 0;
  },
  async pull(args, distDir, io) {
    const { values, positionals } = readArguments(args, pullOptions, 'STORE');
    const signed = signedBy(values['public-key']);
    if (values.watch) return follow(positionals[0] ?? '', distDir, signed, values['max-age'], io);
    if (values['max-age'] !== undefined)
      throw new UsageError('--max-age is only for --watch: add it, or leave out --max-age.');
    const result = await withStore(positionals[0] ?? '', io, async (store, progress) =>
      pull(store, { ...(await currentOf(store, signed)), distDir, now: new Date(), progress }),
    );
    const { name, files, bytes } = result;
    const text = `Release ${name} is current. Downloaded ${count(files, 'file')}, ${formatBytes(bytes)} in all.`;
    print(io, values.json, result, `${text}\n`);
    return 0;
  },
  async verify(args, _distDir, io) {
    const { values, positionals } = readArguments(args, storedOptions, 'STORE');
    const signed = signedBy(values['public-key']);
    const result = await withStore(positionals[0] ?? '', io, async (store, progress) =>
      verifyStored(store, await currentOf(store, signed), progress),
    );
    const { release, files, bytes, damage } = result;
    const problems =
      `Release ${release} in the store is damaged. Run npx pastpaper releases push --all with the same STORE where you build.\n` +
      damage.map((problem) => `  ${problem}\n`).join('');
    const intact = `Release ${release} in the store is undamaged: ${count(files, 'file')}, ${formatBytes(bytes)}.\n`;
    print(io, values.json, result, damage.length > 0 ? problems : intact);
    return damage.length > 0 ? 1 : 0;
  },
};

/** Which releases of a store are accepted. */
type Accepted = Pick<PullOptions, 'publicKeys' | 'bank'>;

/** @param files PEM; see `readPublicKeys` */
function signedBy(files: string | undefined): Accepted {
  const bank = existsSync(configFile) ? readBank().name : undefined;
  return { publicKeys: readPublicKeys(files), bank };
}

/** Reads the pointer of a store. @throws StoreError when it has no release */
async function currentOf(store: Store, signed: Accepted) {
  const read = await readPointer(store, signed.publicKeys);
  if (!read || read === 'unchanged')
    throw new StoreError('there is no release. Run npx pastpaper releases push first');
  return { read, ...signed };
}

/** Pulls every new release of a store until the process is stopped. */
async function follow(
  address: string,
  distDir: string,
  signed: Accepted,
  maxAge: string | undefined,
  io: CommandIO,
): Promise<ExitStatus> {
  const { followStore } = await import('../store/follow.ts');
  const end = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end.abort());
  const location = storeLocation(address, io.env);
  const say = (line: string) => void io.stdout.write(`${line}\n`);
  const warn = (line: string) => void io.stderr.write(`${line}\n`);
  if (maxAge !== undefined && !/^[1-9]\d{0,5}$/.test(maxAge))
    throw new UsageError(`--max-age must be a whole number of hours from 1, not "${maxAge}".`);
  const age = maxAge === undefined ? undefined : Number(maxAge) * 3_600_000;
  await followStore(location, { distDir, ...signed, maxAge: age, say, warn, signal: end.signal });
  return 0;
}

/** Opens a store for an action, and shows its progress. @throws UsageError, StoreError with the name of the store */
async function withStore<Result>(
  address: string,
  io: CommandIO,
  action: (store: Store, progress: Progress) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(storeLocation(address, io.env));
  const line = progressLine(io.stderr);
  try {
    return await action(store, (done, total) => line.show('Files:', done, total));
  } catch (error) {
    throw error instanceof StoreError ? new StoreError(`${store.name}: ${error.message}.`) : error;
  } finally {
    line.clear();
  }
}

/** `pastpaper releases list|rollback|prune|push|pull|verify`: manages the releases in the dist folder, and copies them. */
export const releasesCommand: Command = ([name, ...args], { distDir }, io) =>
  choose(actions, 'command', name)(args, distDir, io);

function releaseTable(releases: readonly ReleaseListing[]): string {
  return table(
    ['RELEASE', 'PUBLISHED (UTC)', 'STATE'],
    releases.map(({ name, current, publishedAt, damage }) => {
      const state = [current ? 'current' : '', damage === null ? '' : `damaged: ${damage}`];
      return [name, minute(publishedAt), state.filter(Boolean).join(', ')];
    }),
  );
}
