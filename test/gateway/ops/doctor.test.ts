import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { main } from '../../../gateway/ops/doctor.ts';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { runInProcess } from '../../in-process.ts';
import { runGateway, unreachableService } from '../running-gateway.ts';
import { sampleRelease } from '../sample-release.ts';

const DIST_DIR = await sampleRelease();

/** Runs doctor, and returns its exit status and the findings of a check: state and message. */
async function examine(check: string, settings: Record<string, string> = {}) {
  const folder = await temporaryFolder();
  const env = { PORT: '0', DIST_DIR, DATA_DIR: join(folder, 'data'), ...settings };
  const { status, stdout } = await runInProcess((args, io) => main(args, '', io), ['--json'], env);
  const { findings } = JSON.parse(stdout);
  const found = findings.filter((finding: { check: string }) => finding.check === check);
  return {
    status,
    found: found.map((one: Record<string, string>) => `${one['state']}: ${one['message']}`),
  };
}

describe('pastpaper doctor', () => {
  it('finds no problem where a gateway can start, and creates nothing', async () => {
    const { status, found } = await examine('database');
    assert.equal(status, 0);
    assert.match(found.join(), /^ok: .* does not exist yet/);
  });

  it('reports invalid settings, and then checks nothing else', async () => {
    const { status, found } = await examine('settings', { PORT: 'a', LOG_LEVEL: 'b' });
    assert.equal(status, 1);
    assert.equal(found.length, 2);
  });

  const problems: readonly (readonly [string, Record<string, string>, RegExp])[] = [
    ['release', { DIST_DIR: '/nowhere' }, /^problem: /],
    ['database', { DATABASE_URL: 'postgres://127.0.0.1:9/none' }, /^problem: .*cannot be used/],
    ['Redis', { REDIS_URL: 'redis://127.0.0.1:9' }, /^problem: Redis is unavailable/],
    ['authentication service', unreachableService, /^problem: .*sent no valid response/],
    ['mail', { SMTP_URL: 'smtp://127.0.0.1:9' }, /^problem: .*ECONNREFUSED/],
    ['production', {}, /^warning: NODE_ENV is not production/],
    ['production', { NODE_ENV: 'production' }, /^warning: Visitors can sign up with any email/m],
  ];
  for (const [check, settings, expected] of problems)
    it(`says what is wrong: ${check} ${Object.keys(settings)}`, async () =>
      assert.match((await examine(check, settings)).found.join('\n'), expected));

  it('reports plans that are missing', async () => {
    const running = await runGateway();
    await running.createKey('school', { plan: 'roomy' });
    const { found } = await examine('database', { DATABASE_URL: running.databaseUrl });
    await running.close();
    assert.match(found.join(), /^problem: .*"roomy"/);
  });
});
