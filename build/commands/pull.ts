import { accessTo } from '../client/mirror/access.ts';
import { scopePattern } from '../client/mirror/mirror-folder.ts';
import { type PullResult, type PullSettings, pull } from '../client/mirror/pull.ts';
import type { RateLimit } from '../client/mirror/rate-limit.ts';
import { type Command, readArguments, UsageError } from '../command-line/command.ts';
import { readPublicKeys } from '../release/signature.ts';
import { isLoopback } from '../release/urls.ts';
import { count, formatBytes, formatDuration, formatNumber, formatTime } from '../report/wording.ts';
import { progressLine } from './progress.ts';

const options = { out: { type: 'string' }, 'public-key': { type: 'string' } } as const;

/** Problems printed of one pull. If there are many, most have the same cause. */
const maxProblems = 20;

/** `pastpaper pull`: mirrors an exam's papers and diagrams. */
export const pullCommand: Command = async (args, _folders, { stdout, stderr, env }) => {
  const settings = parse(args, env);
  const progress = progressLine(stderr);
  const start = performance.now();
  if (settings.baseUrl.startsWith('http:') && !isLoopback(new URL(settings.baseUrl).hostname))
    progress.note(
      `${settings.baseUrl} does not use HTTPS. Others on the network can read the API key.`,
    );
  const result = await pull(settings.folder, {
    ...settings,
    note: progress.note,
    progress: (done, total, bytes) => progress.show('Files:', done, total, formatBytes(bytes)),
  }).finally(progress.clear);
  const isComplete = result.end.kind === 'complete';
  (isComplete ? stdout : stderr).write(summary(result, settings, performance.now() - start));
  return isComplete ? 0 : 1;
};

type Arguments = Omit<PullSettings, 'note' | 'progress'> & { readonly folder: string };

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
  return { ...accessTo(address, env), scope, folder, publicKeys: readPublicKeys(keyFile) };
}

/** Reports how a pull ended. @param took milliseconds */
function summary(
  result: PullResult,
  { scope, folder, publicKeys }: Arguments,
  took: number,
): string {
  const { end, papers, diagrams, bytes, limits } = result;
  const downloaded =
    papers + diagrams === 0
      ? 'nothing was downloaded'
      : `downloaded ${count(papers, 'paper')} and ${count(diagrams, 'diagram')}, ${formatBytes(bytes)}`;
  const lines =
    end.kind === 'complete'
      ? [
          `${folder} has all of ${scope}: ${count(end.shifts, 'shift')}, ${count(end.papers, 'paper')}, ` +
            `${count(end.diagrams, 'diagram')}, every checksum verified${publicKeys ? ', every file signed' : ''}.`,
          `In ${formatDuration(took)} ${downloaded}${end.removed === 0 ? '' : `, removed ${count(end.removed, 'file')}`}.`,
        ]
      : [
          ...end.problems.slice(0, maxProblems),
          ...(end.problems.length > maxProblems
            ? [`And ${end.problems.length - maxProblems} more.`]
            : []),
          `${folder} does not have all of ${scope} yet. In ${formatDuration(took)} ${downloaded}; complete files are kept.`,
        ];
  return [...lines, ...quotaLine(limits)].map((line) => `${line}\n`).join('');
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
