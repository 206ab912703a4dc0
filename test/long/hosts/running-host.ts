import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { freePort } from '../../free-port.ts';
import { killOnExit } from '../../gateway/started-process.ts';
import { waitUntil } from '../../wait-until.ts';

/** A server process. */
export interface RunningHost {
  readonly baseUrl: string;
  /** Its configuration and temporary files. */
  readonly folder: string;
  close(): Promise<void>;
}

/**
 * Starts nginx with two workers.
 *
 * @param configure returns the content of its `http` block, for a folder and a port
 */
export function startNginx(
  configure: (folder: string, port: number) => Promise<string>,
): Promise<RunningHost> {
  return startHost(async (folder, port) => {
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const file = join(folder, 'main.conf');
    await writeFile(
      file,
      // Without a user, the workers of root's nginx run as one who may not read the release.
      `daemon off;
user root;
worker_processes 2;
pid ${folder}/pid;
events { worker_connections 1024; }
http {
  include /etc/nginx/mime.types;
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  ${await configure(folder, port)}
}
`,
    );
    return spawn('nginx', ['-e', 'stderr', '-p', folder, '-c', file]);
  });
}

/** Starts Caddy. @param configure returns its site blocks, for a port */
export function startCaddy(configure: (port: number) => string): Promise<RunningHost> {
  return startHost(async (folder, port) => {
    const file = join(folder, 'Caddyfile');
    await writeFile(file, `{\n\tadmin off\n\tauto_https off\n}\n\n${configure(port)}`);
    const folders = { HOME: folder, TMPDIR: folder };
    const stored = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    return spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
      env: { ...process.env, ...folders, ...stored },
    });
  });
}

async function startHost(
  launch: (folder: string, port: number) => Promise<ChildProcess>,
): Promise<RunningHost> {
  const folder = await temporaryFolder();
  const port = await freePort();
  const child = await launch(folder, port);
  killOnExit(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-4000);
    });
  const ended = once(child, 'close');
  await waitUntil(() => {
    if (child.exitCode !== null)
      throw new Error(`The host exited with ${child.exitCode}: ${printed}`);
    return isListening(port);
  });
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    folder,
    async close() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}
