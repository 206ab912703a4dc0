import { baseUrlOf, checkedKey } from '../client/access.ts';
import { connect } from '../client/connection.ts';
import { PastpaperError } from '../client/errors.ts';
import type { RateLimit } from '../client/rate-limit.ts';
import { scopePattern } from '../client/resources.ts';
import { type SyncEnd, synchronize } from '../client/sync.ts';
import { type Command, readArguments, UsageError } from '../command-line/command.ts';
import { type PublicKeys, readPublicKeys, verifiedChecksums } from '../release/signature.ts';
import { isLoopback } from '../release/urls.ts';
import { count, formatBytes, formatDuration, formatNumber, formatTime } from '../report/wording.ts';
import { progressLine } from './progress.ts';

const options = { out: { type: 'string' }, 'public-key': { type: 'string' } } as const;

/** `pastpaper pull`: mirrors an exam's papers and diagrams. */
export const pullCommand: Command = async (args, _folders, { stdout, stderr, env }) => {
  const settings = parse(args, env);
  const { baseUrl, key, scope, folder, publicKeys } = settings;
  const progress = progressLine(stderr);
  const start = performance.now();
  if (baseUrl.startsWith('http:') && !isLoopback(new URL(baseUrl).hostname))
    progress.note(`${baseUrl} does not use HTTPS. Others on the network can read the API key.`);
  const connection = connect(baseUrl, key, progress.note);
  const [exam = '', year] = scope.split('/');
  const end = await synchronize(connection, folder, {
    exam,
    years: year === undefined ? undefined : [Number(year)],
    verify: publicKeys && ((signed) => verifiedChecksums(signed, publicKeys)),
    progress: (done, total, bytes) => progress.show('Shifts:', done, total, formatBytes(bytes)),
  }).finally(progress.clear);
  const lines = [
    ...summary(end, settings, performance.now() - start),
    ...quotaLine(connection.limits()),
  ];
  (end.problem ? stderr : stdout).write(lines.map((line) => `${line}\n`).join(''));
  return end.problem ? 1 : 0;
};

interface Arguments {
  readonly baseUrl: string;
  readonly key: string;
  readonly scope: string;
  readonly folder: string;
  readonly publicKeys: PublicKeys | undefined;
}

/** @throws UsageError; UserError when a key file cannot be used */
function parse(args: readonly string[], env: NodeJS.ProcessEnv): Arguments {
  const { values, positionals } = readArguments(args, options, 'BASE_URL', 'EXAM[/YEAR]');
  const [address = '', scope = ''] = positionals;
  if (!scopePattern.test(scope))
    throw new UsageError(
      `"${scope}" is not an exam or a year of one. Name what to pull, such as neet or neet/2024.`,
    );
  const { out: folder, 'public-key': keyFile } = values;
  if (!folder) throw new UsageError('Missing --out. Name the folder for the copy: --out copy');
  // Not an argument: all users of a machine see the arguments of its processes, and shells store them.
  const { API_KEY: key } = env;
  return { ...access(address, key), scope, folder, publicKeys: readPublicKeys(keyFile) };
}

/** @throws UsageError when the address or the key is invalid */
function access(address: string, key: string | undefined) {
  try {
    const baseUrl = baseUrlOf(address);
    if (!key)
      throw new UsageError('API_KEY is not set. Set this environment variable to your API key.');
    return { baseUrl, key: checkedKey(key) };
  } catch (error) {
    throw error instanceof PastpaperError ? new UsageError(error.message) : error;
  }
}

/** Reports how a pull ended. @param took milliseconds */
function summary(
  { shifts, papers, diagrams, removed, downloaded, problem }: SyncEnd,
  { scope, folder, publicKeys }: Arguments,
  took: number,
): readonly string[] {
  const work =
    downloaded.papers + downloaded.diagrams === 0
      ? 'nothing was downloaded'
      : `downloaded ${count(downloaded.papers, 'paper')} and ${count(downloaded.diagrams, 'diagram')}, ` +
        formatBytes(downloaded.bytes);
  const done = `In ${formatDuration(took)} ${work}`;
  if (!problem)
    return [
      `${folder} has all of ${scope}: ${count(shifts, 'shift')}, ${count(papers, 'paper')}, ` +
        `${count(diagrams, 'diagram')}, every checksum verified${publicKeys ? ', every file signed' : ''}.`,
      `${done}${removed === 0 ? '' : `, removed ${count(removed, 'file')}`}.`,
    ];
  return [
    problem.message,
    `${folder} does not have all of ${scope} yet. ${done}; complete files are kept.`,
  ];
}

/** Reports what is left of the limit with the longest window: the month's. */
function quotaLine(limits: readonly RateLimit[]): readonly string[] {
  const longest = limits.toSorted((a, b) => (b.span ?? 0) - (a.span ?? 0)).at(0);
  const { quota, remaining, reset } = longest ?? {};
  if (quota === undefined || remaining === undefined || reset === undefined) return [];
  return [
    `${count(remaining, 'request')} of ${formatNumber(quota)} are left until ${formatTime(Date.now() + reset)}.`,
  ];
}
