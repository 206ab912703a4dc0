import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@redis/client';
import type { Ask } from '../../../gateway/limits/redis/connection.ts';
import { redisUsage } from '../../../gateway/limits/redis/redis-usage.ts';
import { Script, type Scripts, scripts } from '../../../gateway/limits/redis/scripts.ts';
import { type OpenedLimits, openSharedLimits } from '../../../gateway/limits/redis/shared-limits.ts';
import type { UsageReader } from '../../../gateway/limits/store.ts';
import { type RedisServer, startRedis } from './redis-server.ts';
import { SetClock } from './set-clock.ts';

/** Where a Redis finds the time that it is told. */
const timeName = 'test:time';
/** Microseconds since 1970, when the clock begins. */
const beginning = Date.UTC(2026, 10, 21) * 1000;

/** take.lua with the time that it is told, by which nothing expires meanwhile. */
async function takeAtSetTime(): Promise<Script> {
  const file = new URL('../../../gateway/limits/redis/take.lua', import.meta.url);
  const text = await readFile(file, 'utf8');
  const told = text
    .replace("redis.call('TIME')", `redis.call('LRANGE', '${timeName}', 0, -1)`)
    .replaceAll("'EXPIRE', KEYS[1], 2)", "'EXPIRE', KEYS[1], 86400)");
  assert.ok(told.includes(timeName) && told.includes('KEYS[1], 86400)'), 'take.lua has changed');
  return new Script(told);
}

/** A Redis of its own, and replicas that share limits in it, all with time that stands still. */
export class SetRedis {
  readonly server: RedisServer;
  readonly clock = new SetClock();
  readonly usage: UsageReader;
  /** Asks Redis by one connection. */
  readonly ask: Ask;
  readonly logged: string[] = [];
  readonly #scripts: Scripts;
  readonly #client: ReturnType<typeof clientOf>;
  readonly #opened: OpenedLimits[] = [];
  /** Microseconds by which Redis's clock is ahead of the replicas'. */
  #ahead = 0;

  private constructor(server: RedisServer, scripts: Scripts, client: ReturnType<typeof clientOf>) {
    this.server = server;
    this.#scripts = scripts;
    this.#client = client;
    this.ask = (command) => client.sendCommand([...command]);
    this.usage = redisUsage(this.ask);
  }

  static async start(): Promise<SetRedis> {
    const server = await startRedis();
    const client = clientOf(server.url);
    await client.connect();
    const redis = new SetRedis(server, { ...scripts, take: await takeAtSetTime() }, client);
    await redis.#tellTime();
    return redis;
  }

  /** Opens limits as a replica does. */
  async open(): Promise<OpenedLimits> {
    const opened = await openSharedLimits({
      url: this.server.url,
      // Time stands still: that a busy machine lets Redis wait is no outage.
      timeout: 20_000,
      scripts: this.#scripts,
      clock: this.clock,
      log: (message) => this.logged.push(message),
    });
    this.#opened.push(opened);
    while (!opened.limits.isShared) {
      // A busy machine may let it wait. Whatever else is in the way stays there.
      const reason = this.logged.find((line) => !line.includes('no connection within'));
      if (reason !== undefined) throw new Error(reason);
      await delay(20);
    }
    return opened;
  }

  /** Time passes, here and there. */
  async pass(milliseconds: number): Promise<void> {
    this.clock.pass(milliseconds);
    await this.#tellTime();
  }

  /** Redis's clock alone is set, forward or back. */
  async setClock(milliseconds: number): Promise<void> {
    this.#ahead += milliseconds * 1000;
    await this.#tellTime();
  }

  async remove(): Promise<void> {
    for (const opened of this.#opened) await opened.close().catch(() => {});
    this.#client.destroy();
    await this.server.remove();
  }

  async #tellTime(): Promise<void> {
    const time = beginning + this.clock.elapsed() + this.#ahead;
    const [seconds, microseconds] = [Math.floor(time / 1e6), time % 1e6];
    await this.#client
      .multi()
      .del(timeName)
      .rPush(timeName, [String(seconds), String(microseconds)])
      .exec();
  }
}

function clientOf(url: string) {
  return createClient({ url, RESP: 2 }).on('error', () => {});
}
