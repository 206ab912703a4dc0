/**
 * `probe-gateway.ts ORIGIN KEY SECONDS`: requests a public and a protected resource by turns, each on a new connection, and
 * prints the results as JSON.
 */
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { paths } from './small-release.ts';

export interface ProbeResult {
  readonly failed: readonly string[];
  /** Milliseconds of each request, in order of length. */
  readonly public: readonly number[];
  readonly protected: readonly number[];
}

/** Milliseconds between two requests. */
const pause = 4;

const [origin = '', key = '', seconds] = process.argv.slice(2);
const times = { public: [] as number[], protected: [] as number[] };
const failed: string[] = [];

function probe(path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { agent: false, headers: { Authorization: `Bearer ${key}` } };
    request(`${origin}${path}`, options, (response) => {
      response.resume().once('error', reject);
      response.once('end', () => resolve(response.statusCode));
    })
      .once('error', reject)
      .end();
  });
}

const end = performance.now() + Number(seconds) * 1_000;
for (let count = 0; performance.now() < end; count += 1) {
  const kind = count % 2 === 0 ? 'public' : 'protected';
  const start = performance.now();
  const status = await probe(kind === 'public' ? paths.public : paths.paper).catch(String);
  times[kind].push(performance.now() - start);
  if (status !== 200) failed.push(`${kind}: ${status}`);
  await delay(pause);
}
for (const each of Object.values(times)) each.sort((one, other) => one - other);
process.stdout.write(`${JSON.stringify({ failed, ...times } satisfies ProbeResult)}\n`);
