import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { serverSettings } from '../gateway/server-process.ts';
import { repository } from '../gateway/started-process.ts';
import { Accounts } from '../long/accounts.ts';
import { has, peerFile, type Server, startServer } from './processes.ts';

export interface BenchGateway extends Server {
  /** A key whose limits are never reached. */
  readonly roomyKey: string;
}

/** The command of `npm run gateway`. */
const gatewayCommand = [
  process.execPath,
  '--max-semi-space-size=16',
  join(repository, 'build/pastpaper.js'),
  'gateway',
];

/** Starts a process as `npm run gateway` does, with everything embedded. @param folder the folder for its data */
export async function startBenchGateway(
  folder: string,
  distDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<BenchGateway> {
  const port = await freePort();
  const env = await serverSettings({
    ...{ PORT: String(port), DIST_DIR: distDir, DATA_DIR: join(folder, 'data') },
    ...settings,
  });
  const { key: roomyKey } = await Accounts.createIn(env, 'roomy');
  return { ...(await startServer(port, gatewayCommand, env)), roomyKey };
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
  ['node:http, the same checks by hand', 'node.js'],
  ['Express 5, routes and express-rate-limit', 'express.js'],
  ['Fastify, its bearer, rate-limit and static plugins', 'fastify.js'],
] as const;

/** Starts every stack to compare with, by name; those with nginx only if it is installed. */
export async function startStacks(
  setting: StackSetting,
): Promise<readonly (readonly [string, Server])[]> {
  await peerFile('fastify');
  const stacks: [string, Server][] = [];
  for (const [name, script] of nodeServers) stacks.push([name, await startPeer(script, setting)]);
  if (!has('nginx')) return stacks;
  const verifier = new URL((await startPeer('verifier.js', setting)).origin).host;
  stacks.push(['nginx, auth_request to a verifier in Node', await startNginx(setting, verifier)]);
  return stacks;
}

/** Starts a server of `peers/servers`. */
async function startPeer(script: string, { files, key }: StackSetting): Promise<Server> {
  const port = await freePort();
  const path = join(repository, 'test/bench/peers/servers', script);
  const env = { NODE_ENV: 'production', PORT: String(port), FOLDER: files, KEY: key };
  return startServer(port, [process.execPath, path], env);
}

/** @param verifier the host and port that check keys */
async function startNginx({ folder, files }: StackSetting, verifier: string): Promise<Server> {
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
      upstream verifier { server ${verifier}; keepalive 64; }
      server {
        listen 127.0.0.1:${port}; root ${files};
        location = /verify {
          internal; proxy_pass http://verifier; proxy_http_version 1.1; proxy_set_header Connection "";
          proxy_pass_request_body off; proxy_set_header Content-Length "";
        }
        location / {
          auth_request /verify;
          gzip_static on; add_header Cache-Control "private, no-cache";
          add_header Vary "Authorization, Accept-Encoding"; add_header X-Content-Type-Options nosniff;
        }
      }
    }`;
  await writeFile(join(prefix, 'nginx.conf'), configuration);
  return startServer(port, ['nginx', '-p', prefix, '-c', join(prefix, 'nginx.conf')], {});
}
