import { isOnThisMachine, type Way, wayTo } from '../pull/connection.ts';
import { parseScope, scopeName } from '../pull/paths.ts';
import { showProgress } from '../pull/progress.ts';
import { type Pulled, type PullOrder, pull } from '../pull/pull.ts';
import { systemTiming, type ToldLimit } from '../pull/rate-limit.ts';
import { counted, inWords, momentInWords, sizeInWords } from '../pull/words.ts';
import { type Command, readArguments, UsageError } from './command.ts';

const options = { out: { type: 'string' } } as const;

/** Milliseconds. A service that is slower than this is as good as down. */
const timeLimits = { connect: 10_000, answer: 60_000 };

/** `npm run pull`: keeps a copy of an exam's papers and diagrams in step with a service. */
export const pullCommand: Command = async (args, _folders, { stdout, stderr, env }) => {
  const order = orderOf(args, env);
  const progress = showProgress(stderr, systemTiming);
  if (isOpenToAll(order.baseUrl))
    progress.note(`${order.baseUrl} is not https: anyone on the way can read the API key.`);
  const start = systemTiming.elapsed();
  const pulled = await pull(order, { timing: systemTiming, timeLimits, watcher: progress });
  progress.end();
  const place = { name: scopeName(order.scope), folder: order.folder, now: systemTiming.now() };
  const summary = summaryOf(pulled, { ...place, took: systemTiming.elapsed() - start });
  const isWhole = pulled.end.kind === 'whole';
  (isWhole ? stdout : stderr).write(summary);
  return isWhole ? 0 : 1;
};

/** @throws UsageError */
function orderOf(args: readonly string[], environment: NodeJS.ProcessEnv): PullOrder {
  const { values, positionals } = readArguments(args, { options, allowPositionals: true });
  const [address, what, ...more] = positionals;
  if (address === undefined || what === undefined || more.length > 0)
    throw new UsageError(
      'The address of the service and what to pull are needed: npm run pull -- https://api.example.org neet/2024 --out copy',
    );
  const scope = parseScope(what);
  if (!scope)
    throw new UsageError(
      `What to pull is an exam or one of its years, like neet or neet/2024, not "${what}".`,
    );
  if (!values.out) throw new UsageError('--out names the folder of the copy: --out copy');
  const baseUrl = baseUrlOf(address);
  const key = keyOf(environment['API_KEY']);
  return { baseUrl, way: wayOf(baseUrl, environment), scope, folder: values.out, key };
}

function baseUrlOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new UsageError(
      `The address of the service is like https://api.example.org, without user, query or fragment, not "${address}".`,
    );
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Never an argument: everyone on a machine can list the arguments of its processes, and shells remember them. */
function keyOf(key: string | undefined): string {
  if (!key) throw new UsageError('API_KEY is not set. It holds the API key: API_KEY=... npm run pull -- ...');
  // The token of RFC 6750, 2.1. What it is not must not be shown, as it may be a key with something beside it.
  if (!/^[A-Za-z0-9._~+/-]+=*$/.test(key))
    throw new UsageError('API_KEY holds characters that no API key has. Has it a space or a quote too many?');
  return key;
}

function wayOf(baseUrl: string, environment: NodeJS.ProcessEnv): Way {
  try {
    return wayTo(baseUrl, environment);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
}

function isOpenToAll(baseUrl: string): boolean {
  return baseUrl.startsWith('http:') && !isOnThisMachine(baseUrl);
}

/** Problems told of one pull. A service that has many has one reason for most of them. */
const mostProblems = 20;

/** Where a pull took place, for its last words. */
export interface Place {
  /** `neet/2024` */
  readonly name: string;
  readonly folder: string;
  /** Milliseconds. */
  readonly took: number;
  /** Milliseconds since 1970, UTC. */
  readonly now: number;
}

/** The last words of a pull, in lines. */
export function summaryOf(pulled: Pulled, { name, folder, took, now }: Place): string {
  const { end, papers, diagrams, bytes } = pulled;
  const downloaded =
    papers + diagrams === 0
      ? 'nothing was downloaded'
      : `downloaded ${counted(papers, 'paper')} and ${counted(diagrams, 'diagram')}, ${sizeInWords(bytes)}`;
  const lines =
    end.kind === 'whole'
      ? [
          `${folder} has all of ${name}: ${counted(end.shifts, 'shift')}, ${counted(end.papers, 'paper')}, ${counted(end.diagrams, 'diagram')}, every checksum verified.`,
          `In ${inWords(took)} ${downloaded}${end.removed === 0 ? '' : `, removed ${counted(end.removed, 'file')}`}.`,
        ]
      : [
          ...end.problems.slice(0, mostProblems),
          ...(end.problems.length > mostProblems ? [`And ${end.problems.length - mostProblems} more.`] : []),
          `${folder} does not have all of ${name} yet. In ${inWords(took)} ${downloaded}; what is whole is kept, and not fetched again.`,
        ];
  return [...lines, ...quotaLine(pulled.limits, now)].map((line) => `${line}\n`).join('');
}

/** What is left of the limit that spans longest: the month's. */
function quotaLine(limits: readonly ToldLimit[], now: number): readonly string[] {
  const [longest] = [...limits].sort((a, b) => (b.span ?? 0) - (a.span ?? 0));
  if (longest?.quota === undefined || longest.remaining === undefined || longest.reset === undefined)
    return [];
  return [
    `${counted(longest.remaining, 'request')} of ${longest.quota.toLocaleString('en')} are left until ${momentInWords(now + longest.reset)}.`,
  ];
}
