/** A gateway loads only the modules that its settings need. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryFolder } from '../../build/bank-folder.ts';
import {
  active,
  json,
  startAuthenticationServer,
} from '../../gateway/access/authentication-service.ts';
import { noRedis, startRedis } from '../../gateway/limits/redis-server.ts';
import { introspectionAt } from '../../gateway/running-gateway.ts';
import { sampleRelease } from '../../gateway/sample-release.ts';
import { startPastpaper } from '../../gateway/started-process.ts';

const distDir = await sampleRelease();

/** Packages that are needed only with some settings or paths. */
const optional = [
  '@redis/client',
  'aws4fetch',
  'better-auth',
  'kysely',
  'libsql',
  'nodemailer',
  'pg',
  'undici',
];

/**
 * Starts a gateway, requests a public and a protected resource, and stops it.
 *
 * @returns the optional packages that it has loaded, and whether it has created a data folder
 */
async function serve(settings: Readonly<Record<string, string>>, key?: string) {
  const folder = await temporaryFolder();
  const [DATA_DIR, coverage] = [join(folder, 'data'), join(folder, 'coverage')];
  const started = startPastpaper('gateway', {
    PORT: '0',
    DIST_DIR: distDir,
    DATA_DIR,
    NODE_V8_COVERAGE: coverage,
    ...settings,
  });
  const [, baseUrl] = await started.waitForOutput(/at (http:\/\/\S+)\/\n/);
  const development = () => readFile(join(DATA_DIR, 'development-key'), 'utf8');
  const headers = { Authorization: `Bearer ${key ?? (await development()).trim()}` };
  for (const path of ['neet', 'neet/2024/s1/physics.json']) {
    assert.equal((await fetch(`${baseUrl}/${path}`, { headers })).status, 200);
  }
  const { status, stderr } = await started.stop();
  assert.equal(status, 0, stderr);
  assert.equal(stderr, '');
  const packages = await packagesIn(await modulesIn(coverage));
  assert.ok(packages.has('express'));
  return { loaded: optional.filter((name) => packages.has(name)), hasData: existsSync(DATA_DIR) };
}

/** The URLs of all modules that a process has loaded: a report of coverage lists them. */
async function modulesIn(coverage: string): Promise<string[]> {
  const files = (await readdir(coverage)).map((file) => readFile(join(coverage, file), 'utf8'));
  return (await Promise.all(files)).flatMap((report) =>
    JSON.parse(report).result.map(({ url }: { url: string }) => url),
  );
}

/** The packages of loaded modules: imported from node_modules, or compiled into the program. */
async function packagesIn(loads: readonly string[]): Promise<Set<string>> {
  const compiled = loads.filter((url) => url.includes('/compiled/'));
  const sources = await Promise.all(compiled.map((url) => readFile(new URL(url), 'utf8')));
  // esbuild writes the path of each bundled module in a comment.
  const named = sources.flatMap((source) => source.match(/^ *\/\/ .*node_modules\/.*/gm) ?? []);
  const external = loads.filter((url) => !url.includes('/compiled/'));
  const paths = [...external, ...named].join('\n');
  return new Set(
    [...paths.matchAll(/node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//g)].map(([, name = '']) => name),
  );
}

describe('A gateway loads', () => {
  it('only the database with embedded accounts, until a user signs in', async () => {
    assert.deepEqual(await serve({}), { loaded: ['kysely', 'libsql'], hasData: true });
  });

  it('neither a database nor the accounts with an authentication service and Redis', {
    skip: noRedis,
  }, async () => {
    const [service, redis] = await Promise.all([startAuthenticationServer(), startRedis()]);
    service.respond = json({ ...active, plan: 'free' });
    const settings = { ...introspectionAt(service.url), REDIS_URL: redis.url };
    const served = await serve(settings, 'any-token').finally(() =>
      Promise.all([service.close(), redis.remove()]),
    );
    assert.deepEqual(served, { loaded: ['@redis/client', 'undici'], hasData: false });
  });
});
