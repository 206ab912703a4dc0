/** Sends requests: as many as a server can respond to, or at a fixed rate. */
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { has, peerFile, runPinned } from './processes.ts';

/** Connections of a client at full load. */
const connections = 64;

/** Milliseconds that a load at a fixed rate may take. */
const mostTime = 600_000;

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
 * Requests a resource at a fixed rate on persistent connections. Latencies are measured from the time when a request was
 * due, so that a late response also counts for the requests that waited for it.
 *
 * @param interval milliseconds between two requests
 * @param isEnd called with the entity tag of each response, and the seconds since the start
 * @returns the latencies in milliseconds, the seconds until the end, and the last entity tag
 * @throws Error if a response is not 200, or the end does not come in ten minutes
 */
export async function atFixedRate(
  { url, headers }: Target,
  interval: number,
  isEnd: (etag: string | undefined, seconds: number) => boolean,
) {
  const agent = new Agent({ keepAlive: true });
  const latencies: number[] = [];
  const requests: Promise<void>[] = [];
  const start = performance.now();
  let etag: string | undefined;
  let seconds: number | undefined;
  const request = async (due: number) => {
    const [response] = (await once(get(url, { agent, headers }), 'response')) as [IncomingMessage];
    await buffer(response);
    const end = performance.now();
    if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode}`);
    latencies.push(end - due);
    etag = response.headers.etag;
    if (isEnd(etag, (end - start) / 1000)) seconds ??= (end - start) / 1000;
  };
  for (let due = start; seconds === undefined; due += interval) {
    if (due - start > mostTime) throw new Error(`${url}: the end does not come.`);
    await delay(Math.max(0, due - performance.now()));
    requests.push(request(due));
  }
  await Promise.all(requests);
  agent.destroy();
  return { latencies, seconds, etag };
}
