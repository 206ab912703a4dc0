import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '../../../gateway/config.ts';
import { redis } from '../../../gateway/ops/doctor/redis.ts';
import { freePort } from '../../free-port.ts';
import { noRedis, startRedis } from '../../gateway/limits/redis-server.ts';

/** What is found, a line each: state and message. */
async function found(url: string): Promise<string[]> {
  const findings = await redis.look(readConfig({ REDIS_URL: url }, assert.fail));
  return findings.map(({ state, message }) => `${state}: ${message}`);
}

describe('The check of Redis', { skip: noRedis }, () => {
  it('finds nothing to ask for where there is no REDIS_URL', async () => {
    assert.deepEqual(await found(''), ['ok: Limits are kept by the gateway itself.']);
  });

  it('is content with one that answers, keeps a log, and gives nothing up', async () => {
    const server = await startRedis('--appendonly', 'yes');
    try {
      assert.deepEqual(await found(server.url), [
        `ok: Redis at 127.0.0.1:${server.port} answers.`,
        'ok: Its clock goes with the one here.',
        'ok: It writes counts to disk as they come.',
        'ok: It gives up no counts for memory.',
      ]);
    } finally {
      await server.remove();
    }
  });

  it('warns of counts that a restart or a full memory would lose', async () => {
    const server = await startRedis('--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru');
    try {
      assert.deepEqual((await found(server.url)).slice(2), [
        'warning: It writes no log of what it counts: a restart loses the counts that no gateway remembers.',
        'warning: When its memory is full it gives up counts (maxmemory-policy allkeys-lru).',
      ]);
    } finally {
      await server.remove();
    }
  });

  it('tells of one that is not there, or wants a password, and never the password', async () => {
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
