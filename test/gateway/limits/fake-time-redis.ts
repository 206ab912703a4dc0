import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { redisLocation } from '../../../gateway/config-values.ts';
import { microsecondsOf } from '../../../gateway/limits/decision.ts';
import { type Ask, openServer, type RedisClient } from '../../../gateway/limits/redis/client.ts';
import { redisUsage } from '../../../gateway/limits/redis/redis-usage.ts';
import { Script, type Scripts, scripts } from '../../../gateway/limits/redis/scripts.ts';
import {
  type OpenedLimits,
  openSharedLimits,
} from '../../../gateway/limits/redis/shared-limits.ts';
import type { UsageReader } from '../../../gateway/limits/store.ts';
import { FakeClock } from './fake-clock.ts';
import { type RedisServer, startRedis } from './redis-server.ts';

/** The key that has the time of the fake clock. */
const timeKey = 'test:time';
/** Milliseconds that Redis has to reply. On a busy machine it may be slow; that is no outage. */
const timeout = 20_000;
/** The first time of the clock, in microseconds since 1970. */
const startTime = Date.UTC(2026, 10, 21) * 1000;

/** take.lua with the time of the fake clock, and an expiry that no test reaches. */
async function takeWithFakeTime(): Promise<Script> {
  const file = new URL('../../../gateway/limits/redis/take.lua', import.meta.url);
  const text = await readFile(file, 'utf8');
  const changed = text
    .replace("redis.call('TIME')", `redis.call('LRANGE', '${timeKey}', 0, -1)`)
    .replaceAll("'EXPIRE', KEYS[1], 2)", "'EXPIRE', KEYS[1], 86400)");
  assert.ok(
    changed.includes(timeKey) && changed.includes('KEYS[1], 86400)'),
    'take.lua has changed',
  );
  return new Script(changed);
}

/** A Redis server and replicas that share limits in it, all with a clock that the test sets. */
export class FakeTimeRedis {
  readonly server: RedisServer;
  readonly clock = new FakeClock();
  readonly usage: UsageReader;
  /** Sends commands on one connection. */
  readonly ask: Ask;
  readonly logged: string[] = [];
  readonly #scripts: Scripts;
  readonly #client: RedisClient;
  readonly #opened: OpenedLimits[] = [];
  /** Microseconds by which Redis's clock is ahead of the replicas'. */
  #ahead = 0;

  private constructor(server: RedisServer, scripts: Scripts, client: RedisClient) {
    this.server = server;
    this.#scripts = scripts;
    this.#client = client;
    this.ask = client.ask;
    this.usage = redisUsage(this.ask);
  }

  static async start(): Promise<FakeTimeRedis> {
    const server = await startRedis();
    const client = await openServer(server.url, timeout);
    const redis = new FakeTimeRedis(server, { ...scripts, take: await takeWithFakeTime() }, client);
    await redis.#writeTime();
    return redis;
  }

  /** Opens limits as a replica does. */
  async open(): Promise<OpenedLimits> {
    const opened = await openSharedLimits({
      location: redisLocation(this.server.url),
      timeout,
      scripts: this.#scripts,
      clock: this.clock,
      log: (message) => this.logged.push(message),
    });
    this.#opened.push(opened);
    while (!opened.limits.isShared) {
      // On a busy machine connecting may time out. Any other error is permanent.
      const reason = this.logged.find((line) => !line.includes('no connection within'));
      if (reason !== undefined) throw new Error(reason);
      await delay(20);
    }
    return opened;
  }

  /** Advances the clocks of Redis and of the replicas. */
  async advance(milliseconds: number): Promise<void> {
    this.clock.advance(milliseconds);
    await this.#writeTime();
  }

  /** Sets only Redis's clock, forward or back. */
  async setClock(milliseconds: number): Promise<void> {
    this.#ahead += milliseconds * 1000;
    await this.#writeTime();
  }

  async remove(): Promise<void> {
    for (const opened of this.#opened) await opened.close().catch(() => {});
    this.#client.close();
    await this.server.remove();
  }

  async #writeTime(): Promise<void> {
    const time = startTime + microsecondsOf(this.clock) + this.#ahead;
    const parts = [Math.floor(time / 1e6), time % 1e6].map(String);
    const set = "redis.call('DEL', KEYS[1]) redis.call('RPUSH', KEYS[1], ARGV[1], ARGV[2])";
    await this.ask(timeKey, ['EVAL', set, '1', timeKey, ...parts]);
  }
}
