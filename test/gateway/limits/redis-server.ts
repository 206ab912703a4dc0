import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { freePort } from '../../free-port.ts';
import { goesAlong } from '../goes-along.ts';

/** A Redis of its own, which nothing else uses, on loopback. */
export interface RedisServer {
  /** What REDIS_URL says of it. */
  readonly url: string;
  readonly port: number;
  /** Asks it by a connection of its own. */
  ask(...command: readonly string[]): Promise<unknown>;
  /** Ends it at once, as `kill -9` does. What it held is lost unless it keeps a log. */
  kill(): Promise<void>;
  /** Starts it again where it was. */
  start(): Promise<void>;
  /** It hangs: connections stay, and new ones are taken, but nothing is answered. */
  pause(): void;
  /** It goes on with all that it was sent meanwhile. */
  resume(): void;
  remove(): Promise<void>;
}

/** Why tests with Redis are skipped; in CI a missing one is a failure. */
export const noRedis: string | false = missing();

function missing(): string | false {
  const { error } = spawnSync('redis-server', ['--version']);
  if (!error) return false;
  if (process.env['CI']) throw new Error(`CI needs Redis: apt-get install redis-server (${error.message}).`);
  return 'there is no redis-server on this machine';
}

/** @param settings options of redis-server, beside those that give it its place */
export async function startRedis(...settings: readonly string[]): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'pastpaper-redis-'));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const own = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', ''];
    child = spawn('redis-server', [...own, ...settings], { stdio: 'ignore' });
    goesAlong(child);
    while (!(await answers(port))) {
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
    url,
    port,
    async ask(...command) {
      const client = createClient({ url, RESP: 2 });
      await client.connect();
      try {
        return await client.sendCommand([...command]);
      } finally {
        client.destroy();
      }
    },
    kill,
    start,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    async remove() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Whether a Redis takes commands: while it loads its data, it takes connections alone. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.write('PING\r\n');
    const [answer] = await once(socket, 'data');
    return /PONG|NOAUTH/.test(String(answer));
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
