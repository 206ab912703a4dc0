import { type Command, readArguments, UsageError } from '../command-line/command.ts';
import type { ProxySettings } from '../pull/client.ts';
import { type PullResult, type PullSettings, pull } from '../pull/pull.ts';
import { type RateLimit, systemClock } from '../pull/rate-limit.ts';
import { readPublicKeys } from '../release/signature.ts';
import { isLoopback, namePatterns } from '../release/urls.ts';
import { count, formatBytes, formatDuration, formatNumber, formatTime } from '../report/wording.ts';
import { progressLine } from './progress.ts';

const options = { out: { type: 'string' }, 'public-key': { type: 'string' } } as const;

/** Milliseconds for a request. A slower service counts as down. */
export const timeout = 60_000;

/** Problems printed of one pull. If there are many, most have the same cause. */
const maxProblems = 20;

/** An exam, or one of its years. */
export const scopePattern = new RegExp(`^${namePatterns.exam}(?:/${namePatterns.year})?$`);

/** What the command line says. */
interface Arguments extends Pick<PullSettings, 'baseUrl' | 'proxy' | 'scope' | 'key' | 'publicKeys'> {
  readonly folder: string;
}

/** `pastpaper pull`: mirrors an exam's papers and diagrams. */
export const pullCommand: Command = async (args, _folders, { stdout, stderr, env }) => {
  const settings = parse(args, env);
  const progress = progressLine(stderr);
  const start = performance.now();
  if (settings.baseUrl.startsWith('http:') && !isLoopback(new URL(settings.baseUrl).hostname))
    progress.note(`${settings.baseUrl} does not use HTTPS. Others on the network can read the API key.`);
  const result = await pull(settings.folder, {
    ...settings,
    clock: systemClock,
    timeout,
    note: progress.note,
    progress: (done, total, bytes) => progress.show('Files:', done, total, formatBytes(bytes)),
  }).finally(progress.clear);
  const isComplete = result.end.kind === 'complete';
  (isComplete ? stdout : stderr).write(summary(result, settings, performance.now() - start));
  return isComplete ? 0 : 1;
};

/** @throws UsageError; UnusableKey */
function parse(args: readonly string[], env: NodeJS.ProcessEnv): Arguments {
  const { values, positionals } = readArguments(args, options, 'BASE_URL', 'EXAM[/YEAR]');
  const [address = '', scope = ''] = positionals;
  if (!scopePattern.test(scope))
    throw new UsageError(`"${scope}" is not an exam or a year of one. Name what to pull, such as neet or neet/2024.`);
  if (!values.out) throw new UsageError('Missing --out. Name the folder for the copy: --out copy');
  const baseUrl = baseUrlOf(address);
  const { out: folder, 'public-key': keyFile } = values;
  const publicKeys = readPublicKeys(keyFile);
  return { baseUrl, key: keyOf(env), proxy: proxyFor(baseUrl, env), scope, folder, publicKeys };
}

/** @throws UsageError */
export function baseUrlOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new UsageError(
      `"${address}" is not the address of a service. Use an address such as https://api.example.org, ` +
        'without user, query or fragment.',
    );
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Not an argument: all users of a machine see the arguments of its processes, and shells store them. */
export function keyOf({ API_KEY: key }: NodeJS.ProcessEnv): string {
  if (!key) throw new UsageError('API_KEY is not set. Set this environment variable to your API key.');
  // The token of RFC 6750, 2.1. The message omits the value, as part of it may be a key.
  if (!/^[A-Za-z0-9._~+/-]+=*$/.test(key))
    throw new UsageError('API_KEY contains characters that no API key has. Remove spaces and quotation marks.');
  return key;
}

/**
 * Reads the proxy settings as other tools do: HTTPS_PROXY or HTTP_PROXY by the scheme of the service, and NO_PROXY;
 * names in lower case have precedence. A service on this machine needs no proxy.
 *
 * @throws UsageError when the address of the proxy is invalid; the message omits it, as it may hold a password
 */
export function proxyFor(baseUrl: string, environment: NodeJS.ProcessEnv): ProxySettings {
  const setting = (name: string) => environment[name.toLowerCase()] ?? environment[name] ?? '';
  const name = baseUrl.startsWith('https:') ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = isLoopback(new URL(baseUrl).hostname) ? '' : setting(name);
  if (proxy !== '' && !/^https?:$/.test(URL.canParse(proxy) ? new URL(proxy).protocol : ''))
    throw new UsageError(`${name} is not a proxy URL such as http://proxy.example.org:3128.`);
  return { proxy, noProxy: setting('NO_PROXY') };
}

/** Reports how a pull ended. @param took milliseconds */
function summary(result: PullResult, { scope, folder, publicKeys }: Arguments, took: number): string {
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
          ...(end.problems.length > maxProblems ? [`And ${end.problems.length - maxProblems} more.`] : []),
          `${folder} does not have all of ${scope} yet. In ${formatDuration(took)} ${downloaded}; complete files are kept.`,
        ];
  return [...lines, ...quotaLine(limits)].map((line) => `${line}\n`).join('');
}

/** Reports what is left of the limit with the longest window: the month's. */
function quotaLine(limits: readonly RateLimit[]): readonly string[] {
  const longest = limits.toSorted((a, b) => (b.span ?? 0) - (a.span ?? 0)).at(0);
  const { quota, remaining, reset } = longest ?? {};
  if (quota === undefined || remaining === undefined || reset === undefined) return [];
  return [`${count(remaining, 'request')} of ${formatNumber(quota)} are left until ${formatTime(Date.now() + reset)}.`];
}
