/** Starts the servers that benchmarks measure: gateways, an authentication service, and the stacks to compare with. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { DatabaseLocation } from '../../gateway/config-values.ts';
import { freePort } from '../free-port.ts';
import { repository } from '../gateway/started-process.ts';
import { Accounts } from '../long/accounts.ts';
import { has, peerFile, type Server, startServer } from './processes.ts';

/** A key whose limits are never reached, and one with a rate of one request per second. */
export interface BenchKeys {
  readonly roomyKey: string;
  readonly tightKey: string;
}

export interface BenchGateway extends Server, BenchKeys {
  /** Its database. */
  readonly location: DatabaseLocation;
}

/** Limits that are never reached. */
export const roomy = { perSecond: 1_000_000, perMonth: 1_000_000_000 };
export const plans = {
  free: { perSecond: 2, perMonth: 1000 },
  roomy,
  tight: { perSecond: 1, perMonth: 1_000_000 },
};

/** How a process is started. */
interface Options {
  readonly settings?: Readonly<Record<string, string>>;
  /** The command that runs Node, with arguments. */
  readonly node?: readonly string[];
  readonly core?: string;
}

/** Starts a process as `npm run gateway` or `npm run auth` do, with the plans `roomy` and `tight`. */
export async function startService(
  script: 'gateway' | 'auth',
  folder: string,
  { settings = {}, node = [process.execPath], core }: Options,
): Promise<Server> {
  const port = await freePort();
  const plansFile = join(folder, 'plans.json');
  await writeFile(plansFile, JSON.stringify(plans));
  const env = {
    NODE_ENV: 'production',
    PORT: String(port),
    PLANS: plansFile,
    ...settings,
  };
  return startServer(port, [...node, ...(await commandOf(script))], env, core);
}

/** Starts a gateway with everything embedded. @param folder the folder for its data */
export async function startBenchGateway(
  folder: string,
  distDir: string,
  options: Options = {},
): Promise<BenchGateway> {
  const dataDir = join(folder, 'data');
  const location = { kind: 'sqlite', file: join(dataDir, 'pastpaper.db') } as const;
  const keys = await createBenchKeys(location);
  // Unknown keys are measured too.
  const settings = {
    DIST_DIR: distDir,
    DATA_DIR: dataDir,
    FAILED_KEYS_PER_MINUTE: '0',
    ...options.settings,
  };
  return {
    ...(await startService('gateway', folder, { ...options, settings })),
    location,
    ...keys,
  };
}

/** Two gateways that share limits in Redis, and an authentication service. */
export interface BenchReplicas extends BenchKeys {
  readonly gateways: readonly Server[];
  readonly service: Server;
}

const cores = availableParallelism();
/** The core of each of two gateways: the last ones, and the same one if there is no other. */
const coresOfReplicas = [1, 2].map((fromEnd) => (2 * cores - fromEnd) % cores);

/** Starts gateways as in docs/replicas.md, and their service on SQLite in `folder`. */
export async function startBenchReplicas(
  folder: string,
  distDir: string,
  redisUrl: string,
): Promise<BenchReplicas> {
  const dataDir = join(folder, 'service');
  const keys = await createBenchKeys({ kind: 'sqlite', file: join(dataDir, 'pastpaper.db') });
  const secret = { INTROSPECTION_SECRET: randomBytes(32).toString('base64') };
  const common = { DIST_DIR: distDir, DATA_DIR: dataDir, ...secret };
  const service = await startService('auth', folder, {
    core: '0',
    settings: common,
  });
  const shared = { INTROSPECTION_URL: `${service.origin}/auth/introspect`, REDIS_URL: redisUrl };
  const gateways: Server[] = [];
  for (const core of coresOfReplicas)
    gateways.push(
      await startService('gateway', folder, {
        core: String(core),
        settings: { ...common, ...shared },
      }),
    );
  return { gateways, service, ...keys };
}

async function createBenchKeys(location: DatabaseLocation): Promise<BenchKeys> {
  const accounts = await Accounts.open(location);
  const roomy = await accounts.create('roomy', 'roomy');
  const tight = await accounts.create('tight', 'tight');
  await accounts.close();
  return { roomyKey: roomy.key, tightKey: tight.key };
}

/** The arguments of Node in an npm script. */
async function commandOf(script: string): Promise<readonly string[]> {
  const { scripts } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'));
  const [, words = ''] = /^exec node (.*)$/.exec(scripts[script]) ?? [];
  return words.split(' ').map((word) => (word.endsWith('.js') ? join(repository, word) : word));
}

/** What the compared stacks serve. */
export interface StackSetting {
  /** For files that they write. */
  readonly folder: string;
  /** The folder with the question file, uncompressed and as gzip. */
  readonly files: string;
  readonly key: string;
}

const nodeServers = [
  ['node:http, the same checks by hand', 'node.js', {}],
  ['Express 5, routes and express-rate-limit', 'express.js', {}],
  ['Express 5, express.static behind them', 'express.js', { STATIC: 'true' }],
  ['Fastify, its bearer, rate-limit and static plugins', 'fastify.js', {}],
] as const;

/** Starts every stack to compare with, by name; those with nginx only if it is installed. */
export async function startStacks(
  setting: StackSetting,
): Promise<readonly (readonly [string, Server])[]> {
  await peerFile('fastify');
  const stacks: [string, Server][] = [];
  for (const [name, script, settings] of nodeServers)
    stacks.push([name, await startPeer(script, setting, { settings })]);
  if (!has('nginx')) return stacks;
  const verifier = new URL((await startPeer('verifier.js', setting)).origin).host;
  const asking = {
    http: `upstream verifier { server ${verifier}; keepalive 64; }`,
    server: `location = /verify {
      internal; proxy_pass http://verifier; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_pass_request_body off; proxy_set_header Content-Length "";
    }`,
    location: 'auth_request /verify;',
  };
  const knowing = {
    http: `map_hash_bucket_size 256; map $http_authorization $known { default 0; "Bearer ${setting.key}" 1; }`,
    server: '',
    location: 'if ($known = 0) { return 403; }',
  };
  stacks.push(['nginx, auth_request to a verifier in Node', await startNginx(setting, asking)]);
  stacks.push(['nginx, keys in its configuration', await startNginx(setting, knowing)]);
  return stacks;
}

/** Starts a server of `peers/servers`. */
export async function startPeer(
  script: string,
  { files, key }: StackSetting,
  { node = [process.execPath], settings = {} }: Options = {},
): Promise<Server> {
  const port = await freePort();
  const path = join(repository, 'test/bench/peers/servers', script);
  const env = { NODE_ENV: 'production', PORT: String(port), FOLDER: files, KEY: key, ...settings };
  return startServer(port, [...node, path], env);
}

async function startNginx(
  { folder, files }: StackSetting,
  { http, server, location }: Readonly<Record<'http' | 'server' | 'location', string>>,
): Promise<Server> {
  const port = await freePort();
  const prefix = join(folder, `nginx-${port}`);
  await mkdir(prefix);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${prefix}/${kind};`,
  );
  const configuration = `
    daemon off; master_process off; worker_processes 1; pid ${prefix}/pid; error_log ${prefix}/error.log;
    events { worker_connections 1024; }
    http {
      access_log off; keepalive_requests 1000000000; sendfile on; tcp_nopush on; open_file_cache max=100;
      default_type application/octet-stream; types { application/json json; }
      ${temporary.join(' ')}
      ${http}
      server {
        listen 127.0.0.1:${port}; root ${files};
        ${server}
        location / {
          ${location}
          gzip_static on; add_header Cache-Control "private, no-cache";
          add_header Vary "Authorization, Accept-Encoding"; add_header X-Content-Type-Options nosniff;
        }
      }
    }`;
  await writeFile(join(prefix, 'nginx.conf'), configuration);
  return startServer(port, ['nginx', '-p', prefix, '-c', join(prefix, 'nginx.conf')], {});
}
