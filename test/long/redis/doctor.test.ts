import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '../../../gateway/config.ts';
import { redis } from '../../../gateway/ops/doctor/redis.ts';
import { freePort } from '../../free-port.ts';
import { noRedis, startRedis } from '../../gateway/limits/redis-server.ts';

/** The findings, a line each: state and message. */
async function found(url: string): Promise<string[]> {
  const findings = await redis.run(readConfig({ REDIS_URL: url }, assert.fail));
  return [findings].flat().map(({ state, message }) => `${state}: ${message}`);
}

describe('The Redis check', { skip: noRedis }, () => {
  it('passes without REDIS_URL', async () => {
    assert.deepEqual(await found(''), ['ok: REDIS_URL is not set. The gateway enforces limits by itself.']);
  });

  it('passes if Redis responds, writes to disk and never evicts', async () => {
    const server = await startRedis('--appendonly', 'yes');
    try {
      assert.deepEqual(await found(server.url), [
        `ok: Redis at 127.0.0.1:${server.port} responds.`,
        'ok: Its clock agrees with the local clock.',
        'ok: It writes every count to disk.',
        'ok: It does not evict counts.',
      ]);
    } finally {
      await server.remove();
    }
  });

  it('warns if a restart or full memory loses counts', async () => {
    const server = await startRedis('--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru');
    try {
      assert.deepEqual((await found(server.url)).slice(2), [
        'warning: It does not write every count to disk. A restart loses counts.',
        'warning: It evicts counts when its memory is full (maxmemory-policy allkeys-lru).',
      ]);
    } finally {
      await server.remove();
    }
  });

  it('reports a server that is down or requires a password, without the password', async () => {
    const server = await startRedis('--requirepass', 'right-password');
    try {
      const [refused = ''] = await found(`redis://:wrong-password@127.0.0.1:${server.port}`);
      assert.match(refused, /^problem: Redis at 127\.0\.0\.1:\d+ cannot be used: WRONGPASS/);
      assert.doesNotMatch(refused, /wrong-password/);
    } finally {
      await server.remove();
    }
    const [gone = ''] = await found(`redis://:secret@127.0.0.1:${await freePort()}`);
    assert.match(gone, /^problem: Redis at 127\.0\.0\.1:\d+ cannot be used: .*ECONNREFUSED/);
  });
});
