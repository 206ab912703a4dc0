import { fileURLToPath } from 'node:url';
import { peerFile } from '../peers.ts';
import type { Latencies, Order } from './fixed-rate.ts';
import { has, runPinned } from './pinned.ts';

/** Connections of a client. */
export const connections = 64;

export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The expected status of every response. */
  readonly status: number;
  /** The path of a script for wrk, which sets more header fields. */
  readonly script?: string;
}

export const client = has('wrk') ? 'wrk' : 'autocannon';

/** The throughput of a server in requests per second, at full load. */
export async function throughput(target: Target, seconds: number, core?: string): Promise<number> {
  if (client === 'autocannon') return (await cannon(target, seconds, core)).requests.average;
  const headers = Object.entries(target.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const script = target.script === undefined ? [] : ['-s', target.script];
  const command = ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, ...script, ...headers, target.url];
  const output = await runPinned(command, '', core);
  if (/Socket errors/.test(output)) throw new Error(`${target.url}: ${output}`);
  const requests = Number(/(\d+) requests in/.exec(output)?.[1]);
  const others = Number(/Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? 0);
  const expected = target.status < 400 ? 0 : requests;
  // The first requests with a key may be within its limit.
  if (Math.abs(others - expected) > 10) throw new Error(`${target.url}: ${others} of ${requests} failed`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
}

/** The latencies at a rate of requests per second. See `sendAtRate`. */
export function latencies(
  { url, headers }: Target,
  rate: number,
  seconds: number,
): Promise<Latencies | undefined> {
  const { host, port, pathname } = new URL(url);
  const fields = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const requests = [`GET ${pathname} HTTP/1.1\r\n${fields.join('')}\r\n`];
  const expected = 'HTTP/1.1 200';
  return sendAtRate({ port: Number(port), requests, expected, rate: Math.round(rate), seconds, connections });
}

/**
 * Sends requests at a fixed rate.
 *
 * @throws Error if a response is not the expected one
 * @returns undefined if the server cannot keep up
 */
export async function sendAtRate(order: Order): Promise<Latencies | undefined> {
  const script = fileURLToPath(new URL('fixed-rate.ts', import.meta.url));
  const command = [process.execPath, '--import', import.meta.resolve('tsx'), script];
  const output = await runPinned(command, JSON.stringify(order));
  return JSON.parse(output) ?? undefined;
}

interface CannonResult {
  readonly requests: { readonly average: number };
  readonly errors: number;
  readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>;
}

async function cannon({ url, headers, status }: Target, seconds: number, core?: string) {
  const script = await peerFile('autocannon/autocannon.js');
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const options = ['--json', '-c', String(connections), '-d', String(seconds), ...fields];
  const output = await runPinned([process.execPath, script, ...options, url], '', core);
  const result = JSON.parse(output) as CannonResult;
  const others = Object.keys(result.statusCodeStats).filter((code) => Number(code) !== status);
  if (result.errors > 0 || (status < 400 && others.length > 0)) {
    throw new Error(`${url}: ${result.errors} errors, ${JSON.stringify(result.statusCodeStats)}`);
  }
  return result;
}
