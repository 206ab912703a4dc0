import type { ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../free-port.ts';
import { peerFile } from '../peers.ts';
import { has, startPinned, waitForServer } from './pinned.ts';

/** A server that sends the question file to clients with the key. */
export interface Stack {
  readonly name: string;
  readonly origin: string;
  readonly processes: readonly ChildProcess[];
}

/** The settings of all stacks. */
export interface StackSetting {
  /** For files that they write. */
  readonly folder: string;
  /** The folder with the question file, uncompressed and as gzip. */
  readonly files: string;
  readonly key: string;
  /** The command that runs Node. */
  readonly node: readonly string[];
}

const servers = [
  ['node:http, the same checks by hand', 'node.js'],
  ['Express 5, routes and express-rate-limit', 'express.js'],
  ['Express 5, express.static behind them', 'express-static.js'],
  ['Fastify, its bearer, rate-limit and static plugins', 'fastify.js'],
] as const;

/** Starts every stack to compare with; those with nginx only if it is installed. */
export async function startStacks(setting: StackSetting): Promise<Stack[]> {
  await peerFile('fastify');
  const stacks: Stack[] = [];
  for (const [name, script] of servers) {
    const { child, origin } = await startServer(script, setting);
    stacks.push({ name, origin, processes: [child] });
  }
  if (!has('nginx')) return stacks;
  const verifier = await startServer('verifier.js', setting);
  stacks.push(
    await startNginx('nginx, auth_request to a verifier in Node', setting, {
      http: `upstream verifier { server ${new URL(verifier.origin).host}; keepalive 64; }`,
      server: `location = /verify {
        internal; proxy_pass http://verifier; proxy_http_version 1.1; proxy_set_header Connection "";
        proxy_pass_request_body off; proxy_set_header Content-Length "";
      }`,
      location: 'auth_request /verify;',
      processes: [verifier.child],
    }),
    await startNginx('nginx, keys in its configuration', setting, {
      http: `map_hash_bucket_size 256; map $http_authorization $known { default 0; "Bearer ${setting.key}" 1; }`,
      server: '',
      location: 'if ($known = 0) { return 403; }',
      processes: [],
    }),
  );
  return stacks;
}

/** Starts a server of `peers/servers`. */
export async function startServer(
  script: string,
  { files, key, node }: StackSetting,
  more: Readonly<Record<string, string>> = {},
) {
  const port = await freePort();
  const path = fileURLToPath(new URL(`../peers/servers/${script}`, import.meta.url));
  const env = { NODE_ENV: 'production', PORT: String(port), FOLDER: files, KEY: key, ...more };
  const child = startPinned([...node, path], env);
  const origin = `http://127.0.0.1:${port}`;
  await waitForServer(origin);
  return { child, origin };
}

interface NginxParts {
  readonly http: string;
  readonly server: string;
  readonly location: string;
  readonly processes: readonly ChildProcess[];
}

async function startNginx(
  name: string,
  { folder, files }: StackSetting,
  { http, server, location, processes }: NginxParts,
): Promise<Stack> {
  const port = await freePort();
  const prefix = join(folder, `nginx-${port}`);
  await mkdir(prefix);
  const configuration = `
    daemon off; master_process off; worker_processes 1; pid ${prefix}/pid; error_log ${prefix}/error.log;
    events { worker_connections 1024; }
    http {
      access_log off; keepalive_requests 1000000000; sendfile on; tcp_nopush on; open_file_cache max=100;
      default_type application/octet-stream; types { application/json json; }
      ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${prefix}/${kind};`).join(' ')}
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
  const child = startPinned(['nginx', '-p', prefix, '-c', join(prefix, 'nginx.conf')], {});
  const origin = `http://127.0.0.1:${port}`;
  await waitForServer(origin);
  return { name, origin, processes: [child, ...processes] };
}
