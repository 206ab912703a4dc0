import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { freePort } from '../../free-port.ts';
import { killOnExit } from '../../gateway/started-process.ts';
import { waitUntil } from '../../wait-until.ts';

/** A server process that is configured with the files of a release. */
export interface RunningHost {
  readonly baseUrl: string;
  /** Its configuration and temporary files. */
  readonly folder: string;
  close(): Promise<void>;
}

/** Software that serves a release. Every test of public responses runs on each. */
export interface HostSoftware {
  readonly name: 'nginx' | 'Caddy';
  /**
   * @param release its folder
   * @param gateway address of a gateway, as `host:port`; undefined for none
   */
  start(release: string, gateway?: string): Promise<RunningHost>;
}

export const nginx: HostSoftware = {
  name: 'nginx',
  start: (release, gateway) =>
    startNginx(
      async (_folder, port) => `include ${release}/hosts/nginx-maps.conf;
  server {
    listen 127.0.0.1:${port};
    set $pastpaper_release ${release};
    set $pastpaper_gateway "${gateway === undefined ? '' : `http://${gateway}`}";
    include ${release}/hosts/nginx-server.conf;
  }`,
    ),
};

export const caddy: HostSoftware = {
  name: 'Caddy',
  start: (release, gateway) =>
    startHost(async (folder, port) => {
      await writeFile(
        join(folder, 'Caddyfile'),
        `{
	admin off
	auto_https off
}

http://:${port} {
	bind 127.0.0.1
	root * ${release}
	${gateway === undefined ? '' : `vars pastpaper_gateway ${gateway}`}
	import ${release}/hosts/Caddyfile
}
`,
      );
      return spawn(
        'caddy',
        ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')],
        {
          env: {
            ...process.env,
            HOME: folder,
            TMPDIR: folder,
            XDG_DATA_HOME: folder,
            XDG_CONFIG_HOME: folder,
          },
        },
      );
    }),
};

export const hosts: readonly HostSoftware[] = [nginx, caddy];

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
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  ${await configure(folder, port)}
}
`,
    );
    return spawn('nginx', ['-e', 'stderr', '-p', folder, '-c', file]);
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
