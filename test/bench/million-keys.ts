/**
 * Measures a store with a million keys (or another number, the first argument), on SQLite and on PostgreSQL: the creation
 * and first use of a key, the verification of uncached keys, in the process and by an authentication service, with and
 * without prepared statements, and the memory of a gateway compared with a store with a thousand keys.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { createKey } from '../../gateway/auth/keys.ts';
import { openDatabase } from '../../gateway/auth/store/store.ts';
import { LastUsedWriter, verifyStoredKeys } from '../../gateway/auth/verify-keys.ts';
import { systemClock } from '../../gateway/clock.ts';
import type { VerifyKey } from '../../gateway/key-check.ts';
import { type Engine, postgres, sqlite, type TestDatabase } from '../gateway/auth/engines.ts';
import { startPastpaper } from '../gateway/started-process.ts';
import { inOrder, latencies, quantile } from './figures.ts';
import type { Latencies } from './gateway/fixed-rate.ts';
import { sendAtRate } from './gateway/load.ts';
import { fillStore } from './many-keys.ts';

const many = Number(process.argv[2] ?? 1_000_000);
const few = 1_000;
/** The number of keys that are verified: more than a minute's, so that each verification also records the last use. */
const verified = 20_000;
/** Requests to a gateway before its memory is measured, each with another key. */
const requests = 900;
/** The rate and duration of verifications at a fixed rate. */
const rate = 200;
const seconds = 10;
/** Rounds at each service, and connections of its client. */
const rounds = Number(process.argv[3] ?? 9);
const connections = 32;
const secret = randomBytes(32).toString('base64url');
const roomy = { perSecond: 100_000, perMonth: 100_000_000 };
const plans = { free: { perSecond: 2, perMonth: 1000 }, roomy };

const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
const settings = { PORT: '0', PLANS: join(folder, 'plans.json'), DIST_DIR: join(folder, 'dist') };
await writeFile(settings.PLANS, JSON.stringify(plans));
await startPastpaper('build', settings, []).ended;
console.log(`${many} keys, Node ${process.version}, ${availableParallelism()} cores`);
for (const engine of [postgres, sqlite]) {
  if (engine.skip) console.log(`\n${engine.name}: ${engine.skip}`);
  else await measure(engine);
}
await rm(folder, { recursive: true });

async function measure(engine: Engine): Promise<void> {
  console.log(`\n${engine.name}`);
  const memoryWithFew = await memoryOfGateway(engine, few);
  const memoryWithMany = await memoryOfGateway(engine, many, measureVerification);
  const change = ((memoryWithMany / memoryWithFew - 1) * 100).toFixed(1);
  console.log(
    `  memory of a gateway after ${requests} requests: ${memoryWithFew} MiB with ${few} keys, ${memoryWithMany} MiB with ${many} (${change} %)`,
  );
}

/**
 * Starts a gateway on a store with `count` keys, and sends it requests.
 *
 * @param beside another measurement on the same store, before the gateway starts
 * @returns its resident memory in MiB
 */
async function memoryOfGateway(
  engine: Engine,
  count: number,
  beside: (databaseUrl: string, keys: readonly string[]) => Promise<void> = async () => {},
): Promise<number> {
  const testDatabase = await engine.createDatabase();
  const database = await openDatabase(testDatabase.location, 5000);
  const keys = await fillStore(database, count, Math.min(count, verified));
  await waitUntilIdle(testDatabase, engine);
  await beside(testDatabase.url, keys);
  await database.destroy();
  const data = { DATABASE_URL: testDatabase.url, DATA_DIR: join(folder, `data-${engine.name}-${count}`) };
  const gateway = startPastpaper('gateway', { ...settings, ...data, NODE_ENV: 'production', WORKERS: '1' });
  const [, origin] = await gateway.waitForOutput(/at (http:\S+)\//);
  for (const key of keys.slice(0, requests)) {
    const headers = { Authorization: `Bearer ${key}` };
    const { status } = await fetch(`${origin}/neet/2024/s1/physics.json`, { headers });
    if (status !== 200) throw new Error(`the gateway responded with ${status}`);
  }
  const memory = await residentMemory(gateway.process.pid);
  gateway.process.kill('SIGTERM');
  await gateway.ended;
  await testDatabase.remove();
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

async function measureVerification(databaseUrl: string, keys: readonly string[]): Promise<void> {
  await verifyInProcess(databaseUrl, keys);
  await verifyAtService(databaseUrl, keys);
}

async function verifyInProcess(databaseUrl: string, keys: readonly string[]): Promise<void> {
  const location = databaseUrl.startsWith('file:')
    ? ({ kind: 'sqlite', file: databaseUrl.slice('file:'.length) } as const)
    : ({ kind: 'postgres', url: databaseUrl } as const);
  const database = await openDatabase(location, 100);
  const lastUsed = new LastUsedWriter(database, console.error);
  const verify = verifyStoredKeys(database, 'pfx_', plans, lastUsed, systemClock, console.error);
  await measureCreation(verify, () =>
    createKey(database, systemClock, {
      account: 'newcomer',
      plan: 'roomy',
      fallbackPlan: 'roomy',
      lifetime: undefined,
      prefix: 'pfx_',
    }),
  );
  console.log(`  verified in the process:       ${latencies(await timeInTurn(verify, keys))}`);
  console.log(`  in the process, ${rate} a second:  ${latencies(await timeAtRate(verify, keys))}`);
  await lastUsed.close();
  await database.destroy();
}

/**
 * Sends introspection requests to services in production, at a fixed rate. A key is sent again after more than a minute, so
 * that its last use is recorded. Keys that are malformed show what the machine and HTTP take without the database.
 */
async function verifyAtService(databaseUrl: string, keys: readonly string[]): Promise<void> {
  const start = async (prepared: string) => {
    const data = { DATABASE_URL: databaseUrl, DATA_DIR: join(folder, 'service') };
    const service = startPastpaper('auth', {
      ...settings,
      ...data,
      NODE_ENV: 'production',
      DATABASE_PREPARED_STATEMENTS: prepared,
      INTROSPECTION_SECRET: secret,
    });
    const [, url = ''] = await service.waitForOutput(/INTROSPECTION_URL=(\S+)/);
    return { ...service, url: new URL(url) };
  };
  const isPostgres = databaseUrl.startsWith('postgres:');
  const [prepared, unprepared] = [await start('on'), isPostgres ? await start('off') : undefined];
  const all = shuffled(keys);
  const candidates = [
    { name: 'at a service', at: prepared, keys: all, expected: '"active":true' },
    ...(unprepared ? [{ name: 'not prepared', at: unprepared, keys: all, expected: '"active":true' }] : []),
    { name: 'malformed keys', at: prepared, keys: ['malformed'], expected: '"active":false' },
  ].map((candidate) => ({ ...candidate, measured: [] as (Latencies | undefined)[] }));
  for (let sent = 0, round = 0; round < rounds; round += 1) {
    for (const { at, keys, expected, measured } of candidates) {
      const requests = Array.from({ length: rate * seconds }, () =>
        introspectionRequest(at.url, keys[sent++ % keys.length] ?? ''),
      );
      measured.push(
        await sendAtRate({ port: Number(at.url.port), requests, expected, rate, seconds, connections }),
      );
    }
  }
  for (const { name, measured } of candidates) {
    const [median, p99] = (['median', 'p99'] as const).map((figure) => {
      const figures = inOrder(measured.map((latencies) => latencies?.[figure] ?? Number.POSITIVE_INFINITY));
      const [middle, least, most] = [0.5, 0, 1].map((share) => quantile(figures, share).toFixed(2));
      return `${figure} ${middle} ms (${least} to ${most})`;
    });
    console.log(`  ${name}, ${rate} a second:`.padEnd(33), `${median}, ${p99}, ${rounds} rounds`);
  }
  for (const { process, ended } of [prepared, unprepared].filter((service) => service !== undefined)) {
    process.kill('SIGTERM');
    await ended;
  }
}

function introspectionRequest({ host, pathname }: URL, key: string): string {
  const body = new URLSearchParams({ token: key }).toString();
  const fields = {
    Host: host,
    Authorization: `Bearer ${secret}`,
    'Content-Type': 'application/x-www-form-urlencoded',
    'Content-Length': body.length,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

async function measureCreation(
  verify: VerifyKey,
  create: () => Promise<{ readonly key: string }>,
): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const start = performance.now();
    const { key } = await create();
    if ((await verify(key)).state !== 'valid') throw new Error('a new key is rejected');
    times.push(performance.now() - start);
  }
  console.log(`  created and used: median ${quantile(inOrder(times), 0.5).toFixed(2)} ms`);
}

/** Verifies keys one after the other. @returns milliseconds */
async function timeInTurn(verify: VerifyKey, keys: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const key of shuffled(keys)) times.push(await timeOf(verify, key));
  return times;
}

/** Verifies keys at a fixed rate, whether or not previous verifications have ended. @returns milliseconds */
async function timeAtRate(verify: VerifyKey, keys: readonly string[]): Promise<number[]> {
  const times: Promise<number>[] = [];
  const sample = shuffled(keys).slice(0, rate * seconds);
  const start = performance.now();
  for (const key of sample) {
    const due = start + times.length * (1000 / rate);
    await delay(Math.max(0, due - performance.now()));
    times.push(timeOf(verify, key, due));
  }
  return Promise.all(times);
}

/** @param start when it was due, so that delays of the process are included */
async function timeOf(verify: VerifyKey, key: string, start = performance.now()): Promise<number> {
  const { state } = await verify(key);
  if (state !== 'valid') throw new Error(`a live key is ${state}`);
  return performance.now() - start;
}

/** In an order that is unrelated to that of the store. */
function shuffled(keys: readonly string[]): string[] {
  return [...keys].sort();
}

/** The resident memory in MiB. */
async function residentMemory(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}
