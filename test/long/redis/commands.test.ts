import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { freePort } from '../../free-port.ts';
import { behindProxy } from '../../gateway/auth/set-ups.ts';
import { startRedis } from '../../gateway/limits/redis-server.ts';
import { runGateway } from '../../gateway/running-gateway.ts';
import { runPastpaper } from '../../gateway/started-process.ts';
import { findingsOf } from './replicas.ts';

describe('npm run accounts with usage in Redis', async () => {
  const running = await runGateway(behindProxy, 'embedded-redis');
  after(running.close);
  const { config, databaseUrl: DATABASE_URL, redis } = running;
  const env = { DATA_DIR: config.dataDir, DATABASE_URL, REDIS_URL: redis?.url ?? '' };
  const accounts = (args: readonly string[]) => runPastpaper('accounts', env, args);
  const json = async (args: readonly string[]) =>
    JSON.parse((await accounts([...args, '--json'])).stdout);

  it('shows the usage, or "unknown" while Redis is down', async () => {
    await running.createKey('school');
    const school = async () =>
      (await json(['list'])).find(({ name }: { name: string }) => name === 'school');
    await running.addUsage((await school()).id, 42);
    assert.equal((await school()).used, 42);
    assert.match((await accounts(['list'])).stdout, /^school +roomy +active +1 +42 /m);
    assert.equal((await json(['block', 'school'])).used, 42);
    await redis?.kill();
    const { status, stdout, stderr } = await accounts(['unblock', 'school', '--json']);
    assert.equal(status, 0);
    assert.deepEqual([JSON.parse(stdout).state, JSON.parse(stdout).used], ['active', null]);
    assert.match(
      stderr,
      /Redis is unavailable \(connect ECONNREFUSED .*\)\. Until it is available again, usage cannot be shown\./,
    );
    assert.match((await accounts(['list'])).stdout, /^school +roomy +active +1 +unknown /m);
  });
});

describe('The Redis check', () => {
  it('passes without REDIS_URL', async () => {
    assert.deepEqual(await findingsOf(''), [
      'ok: REDIS_URL is not set. The gateway enforces limits by itself.',
    ]);
  });

  it('passes if Redis responds, writes to disk and never evicts', async (t) => {
    const server = await startRedis('--appendonly', 'yes', '--maxmemory', '1gb');
    t.after(() => server.remove());
    assert.deepEqual(await findingsOf(server.url), [
      `ok: Redis at 127.0.0.1:${server.port} responds.`,
      'ok: Its clock agrees with the local clock.',
      'ok: It writes every count to disk.',
      'ok: It does not evict counts.',
    ]);
  });

  it('warns if a restart or full memory loses counts', async (t) => {
    const server = await startRedis('--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru');
    t.after(() => server.remove());
    assert.deepEqual((await findingsOf(server.url)).slice(2), [
      'warning: It does not write every count to disk. A restart loses counts.',
      'warning: It evicts counts when its memory is full (maxmemory-policy allkeys-lru).',
    ]);
  });

  it('reports a server that is down or requires a password, without the password', async (t) => {
    const server = await startRedis('--requirepass', 'right-password');
    t.after(() => server.remove());
    const [refused = ''] = await findingsOf(`redis://:wrong-password@127.0.0.1:${server.port}`);
    assert.match(refused, /^problem: Redis at 127\.0\.0\.1:\d+ cannot be used: WRONGPASS/);
    assert.doesNotMatch(refused, /wrong-password/);
    const [gone = ''] = await findingsOf(`redis://:secret@127.0.0.1:${await freePort()}`);
    assert.match(gone, /^problem: Redis at 127\.0\.0\.1:\d+ cannot be used: .*ECONNREFUSED/);
  });
});
