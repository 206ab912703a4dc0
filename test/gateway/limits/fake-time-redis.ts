import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { redisLocation } from '../../../gateway/config-values.ts';
import { microsecondsOf } from '../../../gateway/limits/decision.ts';
import { type OpenedRedis, openRedis, takeScript } from '../../../gateway/limits/redis.ts';
import { FakeClock } from './fake-clock.ts';
import { type RedisServer, startRedis } from './redis-server.ts';

/** The key that has the time of the fake clock. */
const timeKey = 'test:time';
/** Milliseconds that Redis has to reply. On a busy machine it may be slow; that is no outage. */
const timeout = 20_000;
/** The first time of the clock, in microseconds since 1970. */
const startTime = Date.UTC(2026, 10, 21) * 1000;

/** take.lua with the time of the fake clock, and an expiry that no test reaches. */
const script = takeScript
  .replace("redis.call('TIME')", `redis.call('LRANGE', '${timeKey}', 0, -1)`)
  .replaceAll("'EXPIRE', KEYS[1], 2)", "'EXPIRE', KEYS[1], 86400)");
assert.ok(script.includes(timeKey) && script.includes('KEYS[1], 86400)'), 'take.lua has changed');

/** A Redis server and replicas that share limits in it, all with a clock that the test sets. */
export class FakeTimeRedis {
  readonly server: RedisServer;
  readonly clock = new FakeClock();
  readonly logged: string[] = [];
  readonly #opened: OpenedRedis[] = [];
  /** Microseconds by which Redis's clock is ahead of the replicas'. */
  #ahead = 0;

  private constructor(server: RedisServer) {
    this.server = server;
  }

  static async start(): Promise<FakeTimeRedis> {
    const redis = new FakeTimeRedis(await startRedis());
    await redis.#writeTime();
    return redis;
  }

  /** Opens limits as a replica does. */
  async open(changed = script): Promise<OpenedRedis> {
    const opened = await openRedis({
      ...{ location: redisLocation(this.server.url), timeout, script: changed, clock: this.clock },
      log: (message) => this.logged.push(message),
    });
    this.#opened.push(opened);
    while (!opened.limits.isShared) await delay(20);
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
    for (const opened of this.#opened) await opened.close();
    await this.server.remove();
  }

  async #writeTime(): Promise<void> {
    const time = startTime + microsecondsOf(this.clock) + this.#ahead;
    const parts = [Math.floor(time / 1e6), time % 1e6].map(String);
    const set = "redis.call('DEL', KEYS[1]) redis.call('RPUSH', KEYS[1], ARGV[1], ARGV[2])";
    await this.server.ask('EVAL', set, '1', timeKey, ...parts);
  }
}
