/**
 * Measures a store with a million keys, on SQLite and on PostgreSQL: the verification of uncached keys, in the process and
 * by an authentication service, with and without prepared statements, and the memory of a gateway compared with a store
 * with a thousand keys. Arguments: keys, and rounds at each service.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { openDatabase } from '../../gateway/accounts/store/store.ts';
import { lastUsedWriter, verifyStoredKeys } from '../../gateway/accounts/verify-keys.ts';
import { realSystem } from '../../gateway/clock.ts';
import { type Engine, postgres, sqlite, type TestDatabase } from '../gateway/accounts/engines.ts';
import { startPastpaper } from '../gateway/started-process.ts';
import { conditions, latencies, mebibytes, median, rangeOf } from './figures.ts';
import { fillStore } from './generated.ts';
import { httpRequest, sendAtRate } from './load.ts';
import { atEnd, inRounds, memoryOf, runBench, stop } from './processes.ts';
import { plans, startService } from './servers.ts';

const many = Number(process.argv[2] ?? 1_000_000);
const few = 1_000;
/** The number of keys that are verified: more than a minute's, so that each verification also records the last use. */
const verified = 20_000;
/** Requests to a gateway before its memory is measured, each with another key. */
const requests = 900;
/** The rate and duration of verifications at a service. */
const [rate, seconds] = [200, 10];
/** Rounds at each service, and connections of its client. */
const rounds = Number(process.argv[3] ?? 9);
const connections = 32;
const secret = randomBytes(32).toString('base64url');

await runBench(async (folder) => {
  const settings = { DIST_DIR: join(folder, 'dist'), DATA_DIR: join(folder, 'data') };
  await startPastpaper('build', settings).ended;
  console.log(`${many} keys, ${conditions()}`);
  for (const engine of [postgres, sqlite]) {
    console.log(`\n${engine.name}${engine.skip ? `: ${engine.skip}` : ''}`);
    if (engine.skip) continue;
    const withFew = await measure(engine, few, folder, settings);
    const withMany = await measure(engine, many, folder, settings);
    const change = ((withMany / withFew - 1) * 100).toFixed(1);
    console.log(
      `  memory of a gateway after ${requests} requests: ${mebibytes(withFew)} with ${few} keys, ${mebibytes(withMany)} with ${many} (${change} %)`,
    );
  }
});

type Settings = Readonly<Record<string, string>>;

/** Measures a store with `count` keys. @returns the memory of a gateway after requests */
async function measure(
  engine: Engine,
  count: number,
  folder: string,
  common: Settings,
): Promise<number> {
  const testDatabase = await engine.createDatabase();
  atEnd(() => testDatabase.remove());
  const database = await openDatabase(testDatabase.location);
  const keys = await fillStore(database, count, Math.min(count, verified));
  await database.destroy();
  await waitUntilIdle(testDatabase, engine);
  const settings = { ...common, DATABASE_URL: testDatabase.url };
  if (count === many) {
    // In an order that is unrelated to that of the store.
    const shuffled = keys.toSorted();
    await verifyInProcess(testDatabase, shuffled);
    await verifyAtService(engine, folder, settings, shuffled);
  }
  const { process: gateway, origin } = await startService('gateway', folder, { settings });
  for (const key of keys.slice(0, requests)) {
    const headers = { Authorization: `Bearer ${key}` };
    const { status } = await fetch(`${origin}/neet/2024/s1/physics.json`, { headers });
    if (status !== 200) throw new Error(`the gateway responded with ${status}`);
  }
  const memory = memoryOf(gateway.pid);
  await stop(gateway);
  return memory;
}

/** Waits until the database and the disk have finished writing. */
async function waitUntilIdle(testDatabase: TestDatabase, engine: Engine): Promise<void> {
  if (engine === postgres) {
    const database = new Kysely({ dialect: testDatabase.dialect() });
    await sql`vacuum analyze`.execute(database);
    await sql`checkpoint`.execute(database);
    await database.destroy();
  }
  await once(spawn('sync'), 'close');
}

/** Verifies keys one after the other. */
async function verifyInProcess({ location }: TestDatabase, keys: readonly string[]): Promise<void> {
  const database = await openDatabase(location);
  const lastUsed = lastUsedWriter(database, console.error);
  const verify = verifyStoredKeys(database, 'pfx_', plans, lastUsed, realSystem, console.error);
  const times: number[] = [];
  for (const key of keys) {
    const start = performance.now();
    const { state } = await verify(key);
    if (state !== 'valid') throw new Error(`an active key is ${state}`);
    times.push(performance.now() - start);
  }
  console.log(`  verified in the process:       ${latencies(times)}`);
  await lastUsed.close();
  await database.destroy();
}

/**
 * Sends introspection requests to services in production, at a fixed rate. A key is sent again after more than a minute, so
 * that its last use is recorded. Keys that are malformed show what the machine and HTTP take without the database.
 */
async function verifyAtService(
  engine: Engine,
  folder: string,
  common: Settings,
  keys: readonly string[],
): Promise<void> {
  const services = [];
  for (const prepared of engine === postgres ? ['on', 'off'] : ['on']) {
    const settings = {
      ...common,
      INTROSPECTION_SECRET: secret,
      DATABASE_PREPARED_STATEMENTS: prepared,
    };
    services.push(await startService('auth', folder, { settings }));
  }
  const [prepared, unprepared] = services.map(({ origin }) => new URL('/auth/introspect', origin));
  const candidates = [
    { name: 'at a service', url: prepared, keys, expected: '"active":true' },
    { name: 'not prepared', url: unprepared, keys, expected: '"active":true' },
    { name: 'malformed keys', url: prepared, keys: ['malformed'], expected: '"active":false' },
  ].filter(({ url }) => url !== undefined);
  let sent = 0;
  const measured = await inRounds(
    rounds,
    candidates,
    ({ url = new URL(''), keys, expected }) => {
      const requests = Array.from({ length: rate * seconds }, () =>
        introspectionRequest(url, keys[sent++ % keys.length] ?? ''),
      );
      return sendAtRate({ port: Number(url.port), requests, expected, rate, seconds, connections });
    },
    (latencies) => `${latencies?.median.toFixed(2)} ms`,
  );
  for (const [{ name }, all] of measured) {
    const figures = (['median', 'p99'] as const).map((figure) => {
      const each = all.map((latencies) => latencies?.[figure] ?? Number.POSITIVE_INFINITY);
      return `${figure} ${median(each).toFixed(2)} ms (${rangeOf(each)})`;
    });
    console.log(
      `  ${name}, ${rate} a second:`.padEnd(33),
      `${figures.join(', ')}, ${rounds} rounds`,
    );
  }
  for (const service of services) await stop(service.process);
}

function introspectionRequest({ host, pathname }: URL, key: string): string {
  const body = new URLSearchParams({ token: key }).toString();
  const fields = {
    Host: host,
    Authorization: `Bearer ${secret}`,
    'Content-Type': 'application/x-www-form-urlencoded',
    'Content-Length': body.length,
  };
  return httpRequest(`POST ${pathname}`, fields, body);
}
