import { fileURLToPath } from 'node:url';
import { peerFile } from '../peers.ts';
import type { Latencies, Order } from './fixed-rate.ts';
import { has, runPinned } from './pinned.ts';

/** Connections of a client. */
const connections = 64;

export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What every answer has to be. */
  readonly status: number;
}

export const client = has('wrk') ? 'wrk' : 'autocannon';

/** Requests a second that a server answers, with as many as it can take. */
export async function throughput(target: Target, seconds: number): Promise<number> {
  if (client === 'autocannon') return (await cannon(target, seconds)).requests.average;
  const headers = Object.entries(target.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const said = await runPinned(['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, ...headers, target.url]);
  if (/Socket errors/.test(said)) throw new Error(`${target.url}: ${said}`);
  const requests = Number(/(\d+) requests in/.exec(said)?.[1]);
  const others = Number(/Non-2xx or 3xx responses: (\d+)/.exec(said)?.[1] ?? 0);
  const expected = target.status < 400 ? 0 : requests;
  // The first requests with a key may come before its limit is spent.
  if (Math.abs(others - expected) > 10) throw new Error(`${target.url}: ${others} of ${requests} failed`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(said)?.[1]);
}

/**
 * Latencies with so many requests a second.
 *
 * @returns undefined when the server cannot answer so many
 */
export async function latencies(
  { url, headers }: Target,
  rate: number,
  seconds: number,
): Promise<Latencies | undefined> {
  const { host, port, pathname } = new URL(url);
  const fields = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = `GET ${pathname} HTTP/1.1\r\n${fields.join('')}\r\n`;
  const order: Order = { port: Number(port), request, rate: Math.round(rate), seconds, connections };
  const script = fileURLToPath(new URL('fixed-rate.ts', import.meta.url));
  const said = await runPinned([
    process.execPath,
    '--import',
    import.meta.resolve('tsx'),
    script,
    JSON.stringify(order),
  ]);
  return JSON.parse(said) ?? undefined;
}

interface CannonResult {
  readonly requests: { readonly average: number };
  readonly errors: number;
  readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>;
}

async function cannon({ url, headers, status }: Target, seconds: number) {
  const script = await peerFile('autocannon/autocannon.js');
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const options = ['--json', '-c', String(connections), '-d', String(seconds), ...fields];
  const said = await runPinned([process.execPath, script, ...options, url]);
  const result = JSON.parse(said) as CannonResult;
  const others = Object.keys(result.statusCodeStats).filter((code) => Number(code) !== status);
  if (result.errors > 0 || (status < 400 && others.length > 0)) {
    throw new Error(`${url}: ${result.errors} errors, ${JSON.stringify(result.statusCodeStats)}`);
  }
  return result;
}
