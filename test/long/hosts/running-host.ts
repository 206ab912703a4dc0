import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { freePort } from '../../free-port.ts';
import { type StartedProcess, startCommand } from '../../gateway/started-process.ts';
import { waitUntil } from '../../wait-until.ts';

/** A server process. */
export interface RunningHost {
  readonly baseUrl: string;
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
    return startCommand('nginx', ['-e', 'stderr', '-p', folder, '-c', file], {});
  });
}

/** Starts Caddy. @param configure returns its site blocks, for a port */
export function startCaddy(configure: (port: number) => string): Promise<RunningHost> {
  return startHost(async (folder, port) => {
    const file = join(folder, 'Caddyfile');
    await writeFile(file, `{\n\tadmin off\n\tauto_https off\n}\n\n${configure(port)}`);
    const folders = { HOME: folder, TMPDIR: folder };
    const stored = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const args = ['run', '--adapter', 'caddyfile', '--config', file];
    return startCommand('caddy', args, { ...folders, ...stored });
  });
}

async function startHost(
  launch: (folder: string, port: number) => Promise<StartedProcess>,
): Promise<RunningHost> {
  const folder = await temporaryFolder();
  const port = await freePort();
  const { process: child, output, stop } = await launch(folder, port);
  await waitUntil(() => {
    if (child.exitCode !== null) throw new Error(`The host ended: ${output.stderr}`);
    return isListening(port);
  });
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    close: async () => void (await stop('SIGTERM')),
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
