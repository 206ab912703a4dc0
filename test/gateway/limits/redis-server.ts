import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { freePort } from '../../free-port.ts';
import { killOnExit } from '../started-process.ts';

export type RedisServer = Awaited<ReturnType<typeof startServer>>;

/** @param settings options of redis-server in addition to its address and folder */
export const startRedis = (...settings: readonly string[]) =>
  startServer(async () => ['--save', '', ...settings]);

/**
 * Starts redis-server on loopback, also as a Sentinel.
 *
 * @param settingsIn returns its options, in addition to its address and this folder; a configuration file is the first
 */
export async function startServer(settingsIn: (folder: string) => Promise<readonly string[]>) {
  const folder = await mkdtemp(join(tmpdir(), 'pastpaper-redis-'));
  const port = await freePort();
  const settings = await settingsIn(folder);
  const url = `redis://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const own = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder];
    child = spawn('redis-server', [...settings, ...own], { stdio: 'ignore' });
    killOnExit(child);
    while (!(await isReady(port))) {
      if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}.`);
      await delay(20);
    }
  }

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
  }

  await start();
  return {
    /** Its REDIS_URL. */
    url,
    port,
    /** Sends a command on a new connection. */
    async ask(...command: readonly string[]): Promise<unknown> {
      const client = createClient({ url, RESP: 2 });
      await client.connect();
      try {
        return await client.sendCommand([...command]);
      } finally {
        client.destroy();
      }
    },
    /** Kills it with SIGKILL. Its data is lost unless it has an append-only file. */
    kill,
    /** Starts it again on the same port and folder. */
    start,
    /** Stops the process with SIGSTOP: connections stay open, but get no replies. */
    pause: () => void child?.kill('SIGSTOP'),
    /** Continues it; it runs the commands that were sent meanwhile. */
    resume: () => void child?.kill('SIGCONT'),
    async remove(): Promise<void> {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Whether a Redis accepts commands: while it loads its data, it only accepts connections. */
async function isReady(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.write('PING\r\n');
    const [reply] = await once(socket, 'data');
    return /PONG|NOAUTH/.test(String(reply));
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
