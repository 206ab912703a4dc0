import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type CreatedKey, createKey } from '../../../gateway/auth/keys.ts';
import { openDatabase } from '../../../gateway/auth/store/store.ts';
import type { Database } from '../../../gateway/auth/store/tables.ts';
import { systemClock } from '../../../gateway/clock.ts';
import { buildFolder } from '../../build/build-folder.ts';
import { sampleContentDir } from '../../content/sample-bank.ts';
import { freePort } from '../../free-port.ts';
import { postgres } from '../../gateway/auth/engines.ts';
import { noRedis, type RedisServer, startRedis } from '../../gateway/limits/redis-server.ts';
import { type CommandResult, type StartedProcess, startPastpaper } from '../../gateway/started-process.ts';
import { nginx } from '../hosts/running-host.ts';

/** Why the tests of replicas are skipped. */
export const noFleet = postgres.skip || noRedis || nginx.skip;

/** The plans of the accounts. `burst` has the monthly quota of `free`, and practically no rate limit. */
export const plans = {
  free: { perSecond: 2, perMonth: 1000 },
  burst: { perSecond: 1_000_000, perMonth: 1000 },
  roomy: { perSecond: 1_000_000, perMonth: 100_000_000 },
};

export type PlanName = keyof typeof plans;

const secret = randomBytes(32).toString('base64');

/** The configuration files of the docs, tested with other addresses and folders. */
const docs = new URL('../../../docs/replicas/', import.meta.url);

/**
 * Three gateways behind nginx, an authentication service on PostgreSQL, and Redis, each in its own process, as in
 * docs/replicas.md.
 */
export class Fleet {
  readonly replicas: readonly Replica[];
  readonly service: Replica;
  readonly redis: RedisServer;
  readonly database: Database;
  /** The address of nginx. */
  readonly baseUrl: string;
  readonly #cleanups: readonly (() => Promise<unknown>)[];

  private constructor(
    parts: Omit<Fleet, 'createKey' | 'close'>,
    cleanups: readonly (() => Promise<unknown>)[],
  ) {
    ({
      replicas: this.replicas,
      service: this.service,
      redis: this.redis,
      database: this.database,
      baseUrl: this.baseUrl,
    } = parts);
    this.#cleanups = cleanups;
  }

  static async start(): Promise<Fleet> {
    const folder = await mkdtemp(join(tmpdir(), 'pastpaper-fleet-'));
    // If root starts nginx, its workers run as another user.
    await chmod(folder, 0o755);
    const cleanups: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true })];
    const [testDatabase, redis] = await Promise.all([
      postgres.createDatabase(),
      startRedis('--appendonly', 'yes', '--maxmemory-policy', 'noeviction'),
    ]);
    cleanups.push(
      () => testDatabase.remove(),
      () => redis.remove(),
    );
    const dist = join(folder, 'dist');
    const { publication } = await buildFolder(sampleContentDir, dist);
    assert.ok(publication);
    const plansFile = join(folder, 'plans.json');
    await writeFile(plansFile, JSON.stringify(plans));
    const common = {
      NODE_ENV: 'production',
      WORKERS: '1',
      DIST_DIR: dist,
      DATA_DIR: join(folder, 'data'),
      REDIS_URL: redis.url,
      INTROSPECTION_SECRET: secret,
      TRUST_PROXY: '1',
      PLANS: plansFile,
    };
    const service = await Replica.start('auth', {
      ...common,
      DATABASE_URL: testDatabase.url,
      SESSION_SECRET: randomBytes(32).toString('base64'),
    });
    cleanups.push(() => service.stop());
    const INTROSPECTION_URL = `http://127.0.0.1:${service.port}/auth/introspect`;
    const replicas: Replica[] = [];
    for (let replica = 0; replica < 3; replica += 1) {
      const started = await Replica.start('gateway', { ...common, INTROSPECTION_URL });
      cleanups.push(() => started.stop());
      replicas.push(started);
    }
    const { baseUrl, close } = await startNginx(folder, dist, replicas, service);
    cleanups.push(close);
    const database = await openDatabase(testDatabase.location, 5000);
    cleanups.push(() => database.destroy());
    return new Fleet({ replicas, service, redis, database, baseUrl }, cleanups);
  }

  /** Creates a key of an account. */
  createKey(account: string, plan: PlanName): Promise<CreatedKey> {
    const request = { account, plan, fallbackPlan: plan, lifetime: undefined, prefix: 'pfx_' };
    return createKey(this.database, systemClock, request);
  }

  async close(): Promise<void> {
    for (const cleanup of [...this.#cleanups].reverse()) await cleanup();
  }
}

/** A gateway or authentication service that can be restarted on the same port. */
export class Replica {
  readonly port: number;
  readonly #adminPort: number;
  readonly #module: string;
  readonly #settings: Readonly<Record<string, string>>;
  #process: StartedProcess | undefined;
  /** Its log since its first start. */
  logged = '';

  private constructor(
    module: string,
    settings: Readonly<Record<string, string>>,
    port: number,
    adminPort: number,
  ) {
    this.#module = module;
    this.#settings = settings;
    this.port = port;
    this.#adminPort = adminPort;
  }

  static async start(module: string, settings: Readonly<Record<string, string>>): Promise<Replica> {
    const replica = new Replica(module, settings, await freePort(), await freePort());
    await replica.start();
    return replica;
  }

  /** Starts it, and waits until it is ready. */
  async start(): Promise<void> {
    const ports = { PORT: String(this.port), ADMIN_PORT: String(this.#adminPort) };
    const started = startPastpaper(this.#module, { ...this.#settings, ...ports });
    this.#process = started;
    started.process.stderr?.on('data', (text: string) => {
      this.logged += text;
    });
    const ended = started.ended.then(({ stderr }) => Promise.reject(new Error(stderr)));
    ended.catch(() => {});
    while (!(await Promise.race([this.#isReady(), ended]))) await delay(20);
  }

  /** Stops it with SIGTERM. */
  stop(): Promise<CommandResult> {
    return this.#end('SIGTERM');
  }

  /** Kills it with SIGKILL. */
  kill(): Promise<CommandResult> {
    return this.#end('SIGKILL');
  }

  async #end(signal: NodeJS.Signals): Promise<CommandResult> {
    assert.ok(this.#process);
    this.#process.process.kill(signal);
    return this.#process.ended;
  }

  async #isReady(): Promise<boolean> {
    const url = `http://127.0.0.1:${this.#adminPort}/readyz`;
    return fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}

/** Starts nginx with the configuration of the docs, with these addresses and folders. */
async function startNginx(
  folder: string,
  dist: string,
  replicas: readonly Replica[],
  service: Replica,
): Promise<{ readonly baseUrl: string; close(): Promise<void> }> {
  const port = await freePort();
  const upstreams = join(folder, 'upstreams.conf');
  const addresses = [8081, 8082, 8083].map((port, index) => [port, replicas[index]?.port]);
  const file = (name: string) => readFile(new URL(name, docs), 'utf8');
  await writeFile(
    upstreams,
    replaceAll(
      await file('upstreams.conf'),
      [...addresses, [8090, service.port]].map(([from, to]) => [`127.0.0.1:${from}`, `127.0.0.1:${to}`]),
    ),
  );
  await writeFile(
    join(folder, 'site.conf'),
    replaceAll(await file('nginx.conf'), [
      ['/etc/nginx/pastpaper-upstreams.conf', upstreams],
      ['/srv/pastpaper/dist/current', await realpath(join(dist, 'current'))],
      ['listen 80;', `listen 127.0.0.1:${port};`],
    ]),
  );
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off;
worker_processes 2;
pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  include ${folder}/site.conf;
}
`,
  );
  const child = spawn('nginx', [
    '-e',
    join(folder, 'error.log'),
    '-p',
    folder,
    '-c',
    join(folder, 'nginx.conf'),
  ]);
  await waitForPort(child, port);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    async close() {
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function replaceAll(text: string, pairs: readonly (readonly [string, string])[]): string {
  for (const [from, to] of pairs) {
    assert.ok(text.includes(from), `${from} is missing`);
    text = text.replaceAll(from, to);
  }
  return text;
}

async function waitForPort(child: ChildProcess, port: number): Promise<void> {
  let printed = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isListening = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isListening) return;
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}: ${printed}`);
    await delay(20);
  }
}
