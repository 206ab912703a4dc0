/** Checks of this machine: Node, the data folder, the release and the ports. */
import { mkdtemp, rmdir, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join, resolve } from 'node:path';
import { entityTag } from '../../../build/release/headers.ts';
import { readCurrent } from '../../../build/release/read.ts';
import { DamagedRelease } from '../../../build/release/root.ts';
import { openCurrentRelease } from '../../release/current-release.ts';
import { ListenError, listen, originAt } from '../run.ts';
import { type Check, type Finding, formatDuration, found, ok, problem, warning } from './check.ts';

/** Versions that the tests run on; of the first, the oldest. */
const oldestNode = { major: 20, minor: 19 };
const testedNodes: readonly number[] = [20, 22, 24, 26];

export const nodeVersion: Check = {
  name: 'Node',
  async *run() {
    yield checkNodeVersion(process.versions.node);
  },
};

/** @param version like `22.11.0` */
export function checkNodeVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const advice = `Install Node ${testedNodes.at(-1)}.`;
  if (major < oldestNode.major || (major === oldestNode.major && minor < oldestNode.minor))
    return problem(`Node ${version} is too old: 20.19 or later is required.`, advice);
  if (!testedNodes.includes(major))
    return warning(
      `Node ${version} is not tested. Tested versions: ${testedNodes.join(', ')}.`,
      advice,
    );
  return ok(`Node ${version}.`);
}

export const release: Check = {
  name: 'release',
  async *run({ distDir }) {
    try {
      const releases = await openCurrentRelease(distDir, () => {});
      await releases.close();
      if (releases.problem !== undefined)
        return yield problem(releases.problem, 'Run npx pastpaper build --repair.');
      yield ok(`Release ${releases.current.id} can be served.`);
      const age = Date.now() - (releases.publishedAt ?? Date.now());
      if (age < 0) yield found('release-from-future', { duration: formatDuration(-age) });
      else if (releases.publishedAt !== undefined)
        yield ok(`It was published ${formatDuration(age)} ago.`);
    } catch (error) {
      if (!(error instanceof DamagedRelease)) throw error;
      yield problem(
        `The release cannot be served: ${error.message}.`,
        'Run npx pastpaper build --repair.',
      );
    }
  },
};

const mebibyte = 1024 * 1024;

/** Free bytes below which writes may soon fail, and below which the operator should make room. */
const tooLittleSpace = 32 * mebibyte;
const littleSpace = 512 * mebibyte;

/** Permissions of users other than the owner. */
const otherUsers = 0o077;

export const dataFolder: Check = {
  name: 'data folder',
  async *run({ dataDir }) {
    const folder = await nearestFolder(resolve(dataDir));
    yield checkPermissions(dataDir, folder);
    const { bavail, bsize } = await statfs(folder);
    yield checkSpace(bavail * bsize);
  },
};

/** The folder, or the nearest parent that exists. */
async function nearestFolder(path: string): Promise<string> {
  const entry = await stat(path).catch(() => undefined);
  return entry === undefined && dirname(path) !== path ? nearestFolder(dirname(path)) : path;
}

async function checkPermissions(dataDir: string, folder: string): Promise<Finding> {
  const entry = await stat(folder);
  const { uid, mode } = entry;
  if (!entry.isDirectory()) return found('data-folder-is-file', { folder });
  const writeError = await tryToWrite(folder);
  if (writeError !== undefined)
    return found('data-folder-not-writable', {
      folder,
      owner: uid,
      user: process.geteuid?.(),
      code: writeError,
    });
  if (folder !== resolve(dataDir)) return ok(`${dataDir} does not exist yet and can be created.`);
  if ((mode & otherUsers) === 0) return ok(`${dataDir} can be written, and only by its owner.`);
  return found('data-folder-open', { dataDir, mode: (mode & 0o777).toString(8) });
}

/** Creates and removes a folder. Returns the code of the error if that fails. */
async function tryToWrite(folder: string): Promise<string | undefined> {
  try {
    await rmdir(await mkdtemp(join(folder, '.doctor-')));
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

/** @param free bytes */
export function checkSpace(free: number): Finding {
  const message = `${Math.floor(free / mebibyte).toLocaleString('en-GB')} MiB of disk space are free.`;
  if (free >= littleSpace) return ok(message);
  const advice = 'Free disk space. Without it, usage is not stored and keys cannot be created.';
  return free >= tooLittleSpace ? warning(message, advice) : problem(message, advice);
}

/** Milliseconds that a server on a port has to identify itself. */
const probeTimeout = 2_000;

/** A request by which a server of ours is recognized: no other one responds in these words. */
interface Probe {
  readonly path: string;
  readonly status: number;
  readonly body: string;
}

const publicProbe: Probe = { path: '//', status: 400, body: '{"error":"Malformed URL"}' };
const adminProbe: Probe = { path: '/livez', status: 200, body: 'ok\n' };

export const ports: Check = {
  name: 'ports',
  async *run({ port, host, adminPort, adminHost, distDir }) {
    const ofPort = await checkPort(host, port, '', publicProbe);
    yield ofPort.state === 'ok' &&
    (await servesAnotherRelease(host, port, distDir).catch(() => false))
      ? found('port-of-other-bank', { port, host, distDir })
      : ofPort;
    if (adminPort === undefined) return;
    yield adminPort === port && port !== 0
      ? found('same-ports', { port })
      : checkPort(adminHost, adminPort, 'ADMIN_', adminProbe);
  },
};

/** Tries to listen. If the port is in use, checks whether this service uses it. */
async function checkPort(
  host: string,
  port: number,
  settings: '' | 'ADMIN_',
  probe: Probe,
): Promise<Finding> {
  const name = `${settings}PORT`;
  const server = createServer();
  try {
    const listening = await listen(server, port, host, () => {}, settings);
    return ok(
      port === 0
        ? `${name} is 0: the system chooses a free port.`
        : `${name} ${listening} on ${host} is free.`,
    );
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    const isOurs =
      error.code === 'EADDRINUSE' && (await responds(host, port, probe).catch(() => false));
    if (isOurs) return ok(`${name} ${port} on ${host} is in use by this service.`);
    const { what, advice } = error;
    return problem(`${what}.`, advice.charAt(0).toUpperCase() + advice.slice(1));
  } finally {
    server.close();
  }
}

async function responds(
  host: string,
  port: number,
  { path, status, body }: Probe,
): Promise<boolean> {
  const response = await request(host, port, path);
  return response.status === status && (await response.text()) === body;
}

/** Public responses that depend on the whole bank: its configuration, and its papers. */
const ofWholeBank = ['docs/openapi.json', 'docs/catalogue'];

/**
 * Whether the gateway on a port serves another release than the current one here, such as that of another bank. An
 * authentication service serves none.
 *
 * @throws when there is no release here, or no server on the port
 */
async function servesAnotherRelease(host: string, port: number, distDir: string): Promise<boolean> {
  const { public: resources } = (await readCurrent(distDir)).root;
  for (const path of ofWholeBank) {
    const stored = resources[path];
    const response = await request(host, port, `/${path}`, { 'Accept-Encoding': 'identity' });
    await response.body?.cancel();
    const isSame = stored && response.headers.get('etag') === entityTag(stored.identity.sha256);
    if (response.status === 200 && !isSame) return true;
  }
  return false;
}

function request(
  host: string,
  port: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  // A server that listens on all addresses.
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return fetch(originAt(address, port) + path, {
    headers,
    signal: AbortSignal.timeout(probeTimeout),
    redirect: 'error',
  });
}
