import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import glob from 'fast-glob';
import pg from 'pg';
import { freePort } from '../../free-port.ts';
import { childrenOf } from '../../gateway/started-process.ts';
import { waitUntil } from '../../wait-until.ts';

/** The folder of the server programs on Debian, of the newest version. */
const [programs] = glob.sync('/usr/lib/postgresql/*/bin', { onlyDirectories: true }).sort().reverse();

/** Why tests with a dedicated PostgreSQL server are skipped; in CI a missing server is a failure. */
export const noPostgresServer: string | false = missing();

function missing(): string | false {
  if (programs !== undefined) return false;
  if (process.env['CI']) throw new Error('CI needs the programs of PostgreSQL: apt-get install postgresql.');
  return 'there are no programs of PostgreSQL in /usr/lib/postgresql';
}

/** The user that runs the server, which refuses to run as root. */
function serverUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Starts a dedicated PostgreSQL server on loopback, which ends with the test. */
export async function startPostgresServer(t: TestContext) {
  const user = serverUser();
  const folder = await mkdtemp(join(tmpdir(), 'pastpaper-postgres-'));
  if (user) await chown(folder, user.uid, user.gid);
  const [data, port] = [join(folder, 'data'), await freePort()];
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const program = (name: string) => join(programs ?? '', name);
  execFileSync(program('initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync'], {
    ...user,
    cwd: folder,
    stdio: 'ignore',
  });
  let child: ChildProcess | undefined;

  /** Runs a query on a new connection. */
  async function query(sql: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 15_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** Starts it, also again on the same port with the same data. */
  async function start(): Promise<void> {
    const own = ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', folder];
    await waitUntil(() => {
      // It does not start while a process of the previous server still has its shared memory.
      if (!child || child.exitCode !== null || child.signalCode !== null)
        child = spawn(program('postgres'), own, { ...user, cwd: folder, stdio: 'ignore' });
      return query('select 1').then(Boolean, () => false);
    }, 50);
  }

  /** Kills the server and all of its processes with SIGKILL. */
  async function kill(): Promise<void> {
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'close');
    const children = childrenOf(child.pid);
    child.kill('SIGKILL');
    for (const pid of children) killIfRunning(pid);
    await ended;
  }

  await start();
  t.after(async () => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  });
  return { url, query, kill, start };
}

/** Kills a process that may already have exited. */
function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
