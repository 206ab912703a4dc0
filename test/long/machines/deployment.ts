/**
 * The commands of docs/ as they are printed: they lead from an empty machine to a bank behind nginx, to PostgreSQL, Redis and
 * several gateways, and to a gateway on a second machine. A program for namespaces of its own. A machine has another network
 * namespace, and /etc, /usr, /var, /srv and /run of its own. `debian.sh` is what it has instead of systemd.
 */
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { signedIn } from '../../gateway/accounts/users/visitor.ts';
import { repository } from '../../gateway/started-process.ts';
import { startS3 } from '../../store/s3-server.ts';
import { waitUntil } from '../../wait-until.ts';
import { addMachine, createBridge } from './network.ts';

/** The Git repository of a bank. */
const [bank = ''] = process.argv.slice(2);
const [hub, firstHost, secondHost] = ['10.0.0.254', '10.0.0.1', '10.0.0.2'];

/** The blocks of commands in a section of a page. */
function commandsOf(page: string, heading: string): string[] {
  const sections = readFileSync(join(repository, 'docs', page), 'utf8').split(/^#+ (?=.*\n\n)/m);
  const section = sections.find((one) => one.startsWith(`${heading}\n`)) ?? assert.fail(heading);
  return Array.from(section.matchAll(/^( *)```sh\n(.*?)^ *```/gms), ([, indent = '', lines = '']) =>
    lines.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

/** Makes folders of a machine its own, and installs `debian.sh`. */
const setUp = `
  mount -t tmpfs tmpfs /mnt
  overlay() {
    mkdir -p /mnt/$1/upper /mnt/$1/work $3
    mount -t overlay overlay -o lowerdir=$2,upperdir=/mnt/$1/upper,workdir=/mnt/$1/work $3
  }
  for folder in etc usr var; do overlay $folder /$folder /$folder; done
  for folder in /srv /run; do mount -t tmpfs -o mode=755 tmpfs $folder; done
  overlay npm "$NPM_CACHE" /mnt/cache
  find /mnt/cache -type d -exec chmod a+rwx {} +
  for name in apt-get certbot systemctl; do install -m 755 "$DEBIAN" /usr/local/bin/$name; done
  [ -e /usr/bin/node ] || ln -s "$NODE" /usr/bin/node
  echo 127.0.0.1 api.example.org >>/etc/hosts
  git config --system url."$BANK".insteadOf https://example.org/my-bank.git
  git config --system safe.directory '*'
  echo ready
  exec sleep infinity`;

const { PATH, npm_config_cache } = process.env;
const npmCache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();

/** Starts a machine. @returns a function that runs commands there as root, and resolves to what they print */
async function startMachine(name: string, address: string) {
  const [enter = '', ...network] = addMachine(name, address);
  const holder = spawn(enter, [...network, 'unshare', '--mount', 'sh', '-ec', setUp], {
    env: {
      PATH,
      HOME: '/root',
      NPM_CACHE: npmCache,
      DEBIAN: join(import.meta.dirname, 'debian.sh'),
      NODE: process.execPath,
      BANK: bank,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  const place = [`--target=${holder.pid}`, '--net', '--mount'];
  const env = {
    PATH: `/usr/local/bin:/usr/local/sbin:/usr/sbin:/sbin:${PATH}`,
    npm_config_cache: '/mnt/cache',
    npm_config_offline: 'true',
    npm_config_audit: 'false',
    npm_config_update_notifier: 'false',
  };
  return async (commands: readonly string[], typed = ''): Promise<string> => {
    const script = ['cd /', ...commands].join('\n');
    const begin = performance.now();
    // Without a terminal, passwords are read from standard input.
    const running = promisify(execFile)(
      'setsid',
      ['--wait', 'nsenter', ...place, 'sh', '-ec', script],
      { env },
    );
    running.child.stdin?.end(typed);
    const { stdout } = await running;
    console.error(`${((performance.now() - begin) / 1000).toFixed(1)} s`, script.slice(0, 200));
    return stdout;
  };
}

createBridge(hub);
const s3 = await startS3(hub);
const place = (commands: string) => commands.replaceAll('s3://BUCKET/PREFIX', `${s3.bucket}/bank`);

const first = await startMachine('first', firstHost);
const [install = '', clone = '', copy = '', start = '', balance = '', check = ''] = commandsOf(
  'deployment.md',
  'Deployment',
);
// Node is there, and certificates are not.
const installed = install.replace(/^curl .* && /m, '');
const checked = check.replace('https:', 'http:');
const one = await first([installed, clone, copy, start, balance, checked]);
console.error(one);
