/** What a gateway loads: the parts that its settings need, and no others. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { built } from '../build/built.ts';
import { sampleContentDir } from '../content/sample-bank.ts';
import { active, json, startAuthenticationServer } from './access/authentication-service.ts';
import { noRedis, startRedis } from './limits/redis-server.ts';
import { introspectionAt } from './running-gateway.ts';
import { startModule } from './started-process.ts';

const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
const distDir = join(folder, 'dist');
await built(sampleContentDir, distDir);
after(() => rm(folder, { recursive: true }));

/** Packages that a setting or a path needs, and their own. */
const optional = ['@redis/client', 'better-auth', 'kysely', 'libsql', 'nodemailer', 'pg', 'undici'];

let gateways = 0;

/**
 * Starts a gateway, asks it for what needs a key and for what does not, and ends it.
 *
 * @returns the optional packages that it has loaded by then, and whether it has made a data folder
 */
async function serve(settings: Readonly<Record<string, string>>, key?: string) {
  gateways += 1;
  const [dataDir, record] = [`data-${gateways}`, `loads-${gateways}`].map((name) => join(folder, name));
  const started = startModule('gateway/main.ts', {
    PORT: '0',
    DIST_DIR: distDir,
    DATA_DIR: dataDir ?? '',
    RECORD_LOADS: record ?? '',
    NODE_OPTIONS: `--import=${import.meta.resolve('./record-loads.js')}`,
    ...settings,
  });
  const [, baseUrl] = await started.printed(/at (http:\/\/\S+)\/\n/);
  const development = () => readFile(join(dataDir ?? '', 'development-key'), 'utf8');
  const headers = { Authorization: `Bearer ${key ?? (await development()).trim()}` };
  for (const path of ['neet', 'neet/2024/s1/physics.json']) {
    assert.equal((await fetch(`${baseUrl}/${path}`, { headers })).status, 200);
  }
  started.process.kill('SIGTERM');
  const { status, stderr } = await started.ended;
  assert.deepEqual([status, stderr], [0, '']);
  const loads = await readFile(record ?? '', 'utf8');
  assert.match(loads, /node_modules\/express\//);
  return {
    loaded: optional.filter((name) => loads.includes(`/node_modules/${name}/`)),
    hasData: await stat(dataDir ?? '').then(
      () => true,
      () => false,
    ),
  };
}

describe('A gateway loads', () => {
  it('with everything embedded: the database alone, and accounts only when someone signs in', async () => {
    assert.deepEqual(await serve({}), { loaded: ['kysely', 'libsql'], hasData: true });
  });

  it('with keys elsewhere and counts in Redis: neither a database nor an account library', {
    skip: noRedis,
  }, async () => {
    const [service, redis] = await Promise.all([startAuthenticationServer(), startRedis()]);
    service.answer = json({ ...active, plan: 'free' });
    const settings = { ...introspectionAt(service.url), REDIS_URL: redis.url };
    const served = await serve(settings, 'any-token').finally(() =>
      Promise.all([service.close(), redis.remove()]),
    );
    assert.deepEqual(served, { loaded: ['@redis/client', 'undici'], hasData: false });
  });
});
