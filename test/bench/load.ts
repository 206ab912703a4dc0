/** Sends requests: as many as a server can respond to, or at a fixed rate. */
import { once } from 'node:events';
import { type Agent, get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Latencies, Order } from './fixed-rate.ts';
import { has, peerFile, runPinned } from './processes.ts';

/** Connections of a client. */
export const connections = 64;

/** A resource that is requested with gzip and a key. */
export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A resource with the key for it. */
export function targetOf(url: string, key: string): Target {
  return { url, headers: { 'Accept-Encoding': 'gzip', Authorization: `Bearer ${key}` } };
}

export const client = has('wrk') ? 'wrk' : 'autocannon';

/** The throughput of a server in requests per second, at full load. */
export async function throughput(target: Target, seconds: number): Promise<number> {
  if (client === 'autocannon') return cannon(target, seconds);
  const headers = Object.entries(target.headers).flatMap(([name, value]) => [
    '-H',
    `${name}: ${value}`,
  ]);
  // A slow peer may take longer than two seconds, which wrk would count as an error.
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s'];
  const command = ['wrk', ...options, ...headers, target.url];
  const output = await runPinned(command);
  if (/Socket errors|Non-2xx/.test(output)) throw new Error(`${target.url}: ${output}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
}

async function cannon({ url, headers }: Target, seconds: number): Promise<number> {
  const script = await peerFile('autocannon/autocannon.js');
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const options = ['--json', '-c', String(connections), '-d', String(seconds), ...fields];
  const output = await runPinned([process.execPath, script, ...options, url]);
  const { errors, statusCodeStats, requests } = JSON.parse(output);
  if (errors > 0 || Object.keys(statusCodeStats).join() !== '200')
    throw new Error(`${url}: ${errors} errors, ${JSON.stringify(statusCodeStats)}`);
  return requests.average;
}

/**
 * The latencies at a rate of requests per second.
 *
 * @throws Error if a response is not the expected one
 * @returns undefined if the server cannot keep up
 */
export async function latenciesAt(
  { url, headers }: Target,
  rate: number,
  seconds: number,
): Promise<Latencies | undefined> {
  const { host, port, pathname } = new URL(url);
  const fields = Object.entries({ Host: host, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const order: Order = {
    port: Number(port),
    request: `GET ${pathname} HTTP/1.1\r\n${fields.join('')}\r\n`,
    rate: Math.round(rate),
    seconds,
    connections,
  };
  const script = fileURLToPath(new URL('fixed-rate.ts', import.meta.url));
  const command = [process.execPath, '--import', import.meta.resolve('tsx'), script];
  return JSON.parse(await runPinned(command, JSON.stringify(order))) ?? undefined;
}

/** Sends a GET request through an agent, and reads the whole response. */
export async function getThrough(agent: Agent | false, url: string, headers: Target['headers']) {
  const [response] = (await once(get(url, { agent, headers }), 'response')) as [IncomingMessage];
  const { socket } = response;
  await buffer(response);
  return { status: response.statusCode, etag: response.headers.etag, bytesRead: socket.bytesRead };
}
