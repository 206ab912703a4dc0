import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { behindProxy } from '../../gateway/accounts/set-ups.ts';
import { runGateway } from '../../gateway/running-gateway.ts';
import { runPastpaper } from '../../gateway/started-process.ts';

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
      /Redis is unavailable \(connect ECONNREFUSED .*\)\. Until it is available again, limits are kept/,
    );
    assert.match((await accounts(['list'])).stdout, /^school +roomy +active +1 +unknown /m);
  });
});
