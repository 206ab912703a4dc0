/** Sends requests: as many as a server can respond to, or at a fixed rate. */
import { once } from 'node:events';
import { type Agent, get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Latencies, Order } from './fixed-rate.ts';
import { has, peerFile, runPinned } from './processes.ts';
import type { BenchKeys } from './servers.ts';

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

/** A request that gets this status. @param keys undefined for public resources */
export async function targetOf(
  status: number,
  url: string,
  keys: Partial<BenchKeys> | undefined,
): Promise<Target> {
  const bearer = status === 403 ? 'unknown' : status === 429 ? keys?.tightKey : keys?.roomyKey;
  const headers = {
    'Accept-Encoding': 'gzip',
    ...(keys && { Authorization: status === 401 ? 'Basic eDp5' : `Bearer ${bearer}` }),
  };
  if (status !== 304) return { url, headers, status };
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  return {
    url,
    headers: { ...headers, 'If-None-Match': response.headers.get('etag') ?? '' },
    status,
  };
}

export const client = has('wrk') ? 'wrk' : 'autocannon';

/** The throughput of a server in requests per second, at full load. */
export async function throughput(target: Target, seconds: number, core?: string): Promise<number> {
  if (client === 'autocannon') return cannon(target, seconds, core);
  const headers = Object.entries(target.headers).flatMap(([name, value]) => [
    '-H',
    `${name}: ${value}`,
  ]);
  const script = target.script === undefined ? [] : ['-s', target.script];
  const command = [
    'wrk',
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    ...script,
    ...headers,
    target.url,
  ];
  const output = await runPinned(command, '', core);
  if (/Socket errors/.test(output)) throw new Error(`${target.url}: ${output}`);
  const requests = Number(/(\d+) requests in/.exec(output)?.[1]);
  const others = Number(/Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? 0);
  const expected = target.status < 400 ? 0 : requests;
  // The first requests with a key may be within its limit.
  if (Math.abs(others - expected) > 10)
    throw new Error(`${target.url}: ${others} of ${requests} failed`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
}

async function cannon(
  { url, headers, status }: Target,
  seconds: number,
  core?: string,
): Promise<number> {
  const script = await peerFile('autocannon/autocannon.js');
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const options = ['--json', '-c', String(connections), '-d', String(seconds), ...fields];
  const output = await runPinned([process.execPath, script, ...options, url], '', core);
  const { errors, statusCodeStats, requests } = JSON.parse(output);
  const others = Object.keys(statusCodeStats).filter((code) => Number(code) !== status);
  if (errors > 0 || (status < 400 && others.length > 0))
    throw new Error(`${url}: ${errors} errors, ${JSON.stringify(statusCodeStats)}`);
  return requests.average;
}

/** The latencies at a rate of requests per second. */
export function latenciesAt(
  { url, headers }: Target,
  rate: number,
  seconds: number,
): Promise<Latencies | undefined> {
  const { host, port, pathname } = new URL(url);
  const requests = [httpRequest(`GET ${pathname}`, { Host: host, ...headers })];
  const expected = 'HTTP/1.1 200';
  return sendAtRate({
    port: Number(port),
    requests,
    expected,
    rate: Math.round(rate),
    seconds,
    connections,
  });
}

/** Sends a GET request through an agent, and reads the whole response. */
export async function getThrough(agent: Agent | false, url: string, headers: Target['headers']) {
  const [response] = (await once(get(url, { agent, headers }), 'response')) as [IncomingMessage];
  const { socket } = response;
  await buffer(response);
  return { status: response.statusCode, etag: response.headers.etag, bytesRead: socket.bytesRead };
}

/** A request as bytes. */
export function httpRequest(
  line: string,
  headers: Readonly<Record<string, string | number>>,
  body = '',
): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${fields.join('')}\r\n${body}`;
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
  return JSON.parse(await runPinned(command, JSON.stringify(order))) ?? undefined;
}
