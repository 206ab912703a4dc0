/**
 * The commands of docs/ as they are printed: they lead from an empty machine to a bank behind nginx, to PostgreSQL, Redis and
 * several gateways, and to a gateway on a second machine. A program for namespaces of its own. A machine has another network
 * namespace, and /etc, /usr, /var, /srv and /run of its own. `debian.sh` is what it has instead of systemd.
 */
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
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
  find /mnt/cache '(' -type d -o -path '*/index-v5/*' ')' -exec chmod a+rwX {} +
  for name in apt-get certbot systemctl; do install -m 755 "$DEBIAN" /usr/local/bin/$name; done
  [ -e /usr/bin/node ] || ln -s "$NODE" /usr/bin/node
  echo 127.0.0.1 api.example.org >>/etc/hosts
  git clone --quiet --bare "$BANK" /mnt/bank.git
  git config --system url./mnt/bank.git.insteadOf https://example.org/my-bank.git
  git config --system safe.directory '*'
  echo ready
  exec sleep infinity`;

const { PATH } = process.env;
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
    // Without a terminal, passwords are read from standard input.
    const running = promisify(execFile)(
      'setsid',
      ['--wait', 'nsenter', ...place, 'sh', '-ec', script],
      { env, timeout: 60_000 },
    );
    // Commands that read nothing may have ended before.
    running.child.stdin?.on('error', () => {}).end(typed);
    const { stdout } = await running;
    return stdout;
  };
}

createBridge(hub);
const folder = join(bank, '..');
await writeFile(join(folder, 'hosts'), `${firstHost} api.example.org\n`);
execFileSync('mount', ['--bind', join(folder, 'hosts'), '/etc/hosts']);
const s3 = await startS3(hub);
const first = await startMachine('first', firstHost);
const second = await startMachine('second', secondHost);

const [install = '', clone = '', copy = '', start = '', balance = '', check = ''] = commandsOf(
  'deployment.md',
  'Deployment',
);
// Node is there, and certificates are not.
const installed = install.replace(/^curl .* && /m, '');
assert.match(
  await first([installed, clone, copy, start, balance, check.replace('https:', 'http:')]),
  /\{"exam":"sample",/,
);
const [, upgrade = ''] = commandsOf('deployment.md', 'Upgrade');
const [backUp = '', restore = '', restorePostgres = ''] = commandsOf(
  'operations.md',
  'Back up and restore',
);
// The packages are new, and stay.
await first([upgrade.replace(/bank npm ci .*? && /, ''), backUp, restore]);

const [createDatabase = '', move = ''] = commandsOf(
  'operations.md',
  'Move from SQLite to PostgreSQL',
);
await first([createDatabase], 'PASSWORD\nPASSWORD\n');
await first([move, 'systemctl start bank-backup', 'systemctl stop bank']);
await first([restorePostgres.replace('FILE', '*')]);

await first([...commandsOf('replicas.md', 'With systemd')]);

const [share = '', follow = ''] = commandsOf('replicas.md', 'On more machines').map((commands) =>
  commands.replaceAll('s3://BUCKET/PREFIX', `${s3.bucket}/bank`),
);
const credentials = Object.entries(s3.env).map(
  (entry) => `echo ${entry.join('=')} >>/etc/bank.env`,
);
await first([
  ...credentials,
  share,
  `cp /etc/bank.env ${folder}`,
  `cp -r /srv/bank/my-bank ${folder}/copy && rm -r ${folder}/copy/dist ${folder}/copy/.data`,
]);
const [createUser = ''] = clone.split('\n');
await second([
  createUser,
  `cp -r ${folder}/copy /srv/bank/my-bank && chown -R bank: /srv/bank/my-bank`,
  copy,
  `cp ${folder}/bank.env /etc/bank.env`,
  follow,
]);
await first([
  // What a person edits: the gateway is listed twice.
  `sed -i 's/127.0.0.1:8083\\(.*\\)/&\\n  server ${secondHost}:8081\\1/' /etc/nginx/pastpaper-upstreams.conf`,
  'nginx -t && systemctl reload nginx',
]);

const baseUrl = 'http://api.example.org';
const ada = await signedIn(`${baseUrl}/auth`);
const { key } = await ada.createKey();
const used = async () => (await ada.get('account')).body.usage.used;
/** Downloads a paper. @returns the status */
async function download(): Promise<number> {
  const headers = { Authorization: `Bearer ${key}` };
  const response = await fetch(`${baseUrl}/sample/2025/s1/science.json`, { headers });
  const text = await response.text();
  if (response.status === 200) assert.match(text, /Think first/);
  return response.status;
}

const begin = performance.now();
const statuses = await Promise.all(Array.from({ length: 40 }, download));
const seconds = (performance.now() - begin) / 1000;
const accepted = statuses.filter((status) => status === 200).length;
assert.ok(
  accepted >= 1 && accepted <= 2 * (Math.floor(seconds) + 1),
  `${statuses} in ${seconds} s`,
);
assert.equal(statuses.filter((status) => status === 429).length, statuses.length - accepted);
assert.equal(await used(), accepted);
for (const machine of [first, second])
  assert.match(
    await machine(['curl -fsS http://127.0.0.1:18081/metrics']),
    /^pastpaper_http_requests_total\{.*status="429"\} [1-9]/m,
  );

const [introspect = ''] = commandsOf('authentication.md', 'Introspection');
const introspected = await first(['. /etc/bank.env', `API_KEY=${key}`, introspect]);
assert.match(introspected, /^\{"active":true,"sub":"acc_/);

await second(['kill -9 $(cat /run/bank-gateway@8081.pid)']);
for (let served = 0; served < 3; served += 1) {
  await waitUntil(async () => {
    const status = await download();
    assert.ok(status === 200 || status === 429, `${status} after a gateway was killed`);
    return status === 200;
  }, 100);
}
await second(['kill $(cat /run/bank-releases.pid)']);
await first([
  'kill $(head --quiet --lines=1 /run/*.pid /var/lib/postgresql/bank/postmaster.pid)',
  'while [ -n "$(ss --no-header --listening --tcp)" ]; do sleep 0.1; done',
]);
assert.equal(await used().catch(() => 'unreachable'), 'unreachable');
await s3.close();
console.log(`${accepted} of ${statuses.length} requests in ${seconds.toFixed(1)} s were accepted`);
process.exit();
