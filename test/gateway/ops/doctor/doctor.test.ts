import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { build } from '../../../../build/build.ts';
import { usages } from '../../../../build/command-line/usage.js';
import { defaultBank } from '../../../../build/release/config.ts';
import { readConfig } from '../../../../gateway/config.ts';
import { main } from '../../../../gateway/ops/doctor/main.ts';
import { startGateway, startService } from '../../../../gateway/start.ts';
import { makeBank, temporaryFolder, testNow } from '../../../build/bank-folder.ts';
import { filesBelow } from '../../../build/release-folder.ts';
import { type Outcome, runInProcess } from '../../../in-process.ts';
import { useRealDate } from '../../fake-system.ts';
import { createFixture } from '../started-gateway.ts';

const fixture = await createFixture();

const doctor = (
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Outcome> => runInProcess((own, io) => main(own, usages['doctor'] ?? '', io), args, env);

const configOf = (env: Readonly<Record<string, string>>) =>
  readConfig(env, (path) => readFileSync(path, 'utf8'));

const productionSettings = { PUBLIC_URL: 'https://api.example.org', TRUST_PROXY: '1' };

interface Report {
  readonly findings: readonly {
    readonly check: string;
    readonly state: string;
    readonly message: string;
  }[];
  readonly problems: number;
  readonly warnings: number;
}

async function reportOf(
  env: Readonly<Record<string, string>>,
): Promise<Report & { status: number | null }> {
  const { status, stdout, stderr } = await doctor(env, '--json');
  assert.equal(stderr, '');
  return { ...JSON.parse(stdout), status };
}

describe('pastpaper doctor', () => {
  useRealDate();

  it('passes before the first start and beside a running gateway', async () => {
    const env = await fixture.settings(productionSettings);
    const before = await doctor(env);
    const running = await startGateway(configOf(env), assert.fail);
    const beside = await doctor({
      ...env,
      PORT: new URL(running.origin).port,
      ADMIN_PORT: new URL(running.adminOrigin ?? '').port,
    });
    await running.stop();
    for (const { status, stdout, stderr } of [before, beside]) {
      assert.deepEqual([status, stderr], [0, '']);
      assert.match(stdout, /\n\nAll checks passed\.\n$/);
      assert.doesNotMatch(stdout, /^(warning|problem)/m);
    }
    assert.match(before.stdout, /^ok +database +\S+pastpaper\.db does not exist yet/m);
    assert.match(beside.stdout, /^ok +database +\S+pastpaper\.db can be read and written\.$/m);
    assert.match(
      beside.stdout,
      /^ok +ports +PORT \d+ on 127\.0\.0\.1 is in use by this service\.$/m,
    );
    assert.match(
      beside.stdout,
      /^ok +ports +ADMIN_PORT \d+ on 127\.0\.0\.1 is in use by this service\.$/m,
    );
  });

  it('reports that the gateway of another bank, or with another release, uses the port', async () => {
    const env = await fixture.settings(productionSettings);
    const running = await startGateway(configOf(env), assert.fail);
    const DIST_DIR = await temporaryFolder();
    const other = { name: 'Quill', tagline: 'Papers of another bank.', samples: [] };
    const contentDir = (await makeBank()).dir;
    const bank = { ...defaultBank, ...other };
    await build({ bank, contentDir, dataDir: DIST_DIR, now: testNow, isQuick: true }, DIST_DIR);
    const { findings, status } = await reportOf({
      ...env,
      DIST_DIR,
      PORT: new URL(running.origin).port,
    });
    await running.stop();
    const [finding] = findings.filter(({ check }) => check === 'ports');
    assert.match(
      `${finding?.state}: ${finding?.message}`,
      /^problem: Port \d+ .* serves another release than .*\/current\.$/,
    );
    assert.equal(status, 1);
  });

  it('passes for a gateway with a separate authentication service, and for that service', async () => {
    const secret = randomBytes(32).toString('base64');
    const own = await fixture.settings({ ...productionSettings, INTROSPECTION_SECRET: secret });
    const service = await startService(configOf(own), assert.fail);
    const ofService = await reportOf({ ...own, PORT: new URL(service.origin).port });
    const ofGateway = await reportOf(
      await fixture.settings({
        ...productionSettings,
        INTROSPECTION_SECRET: secret,
        INTROSPECTION_URL: `${service.origin}/auth/introspect`,
      }),
    );
    await service.stop();
    assert.deepEqual([ofService.status, ofService.warnings], [0, 0], JSON.stringify(ofService));
    assert.deepEqual([ofGateway.status, ofGateway.warnings], [0, 0], JSON.stringify(ofGateway));
  });

  it('reports what is wrong and what to do, counts it, and exits with 1, as text and as JSON', async () => {
    const env = await fixture.settings({
      ...productionSettings,
      DIST_DIR: '/nowhere',
      ADMIN_PORT: '',
    });
    const { status, stdout } = await doctor(env);
    const message = 'The release cannot be served: /nowhere/current is missing.';
    const advice = 'Run npx pastpaper build --repair.';
    assert.match(stdout, new RegExp(`^problem {2}release +${message}\\n {10,}${advice}$`, 'm'));
    assert.match(stdout, /^warning {2}production +ADMIN_PORT is not set.*\n {10,}Set it/m);
    assert.match(stdout, /\n\n1 problem, 1 warning\.\n$/);
    const { findings, ...json } = await reportOf(env);
    assert.deepEqual([status, json], [1, { status: 1, problems: 1, warnings: 1 }]);
    const names =
      'settings,Node,production,release,data folder,database,Redis,authentication service,mail,ports';
    assert.equal(String([...new Set(findings.map(({ check }) => check))]), names);
    const [problem] = findings.filter(({ state }) => state === 'problem');
    assert.deepEqual(problem, { check: 'release', state: 'problem', message, advice });
  });

  it('reports every invalid setting, and checks nothing else', async () => {
    const { findings, problems, status } = await reportOf({ PORT: 'x', LOG_LEVEL: 'y' });
    assert.deepEqual([status, problems], [1, 2]);
    assert.deepEqual(
      findings.map(({ check, message }) => [check, message.split(' ')[0]]),
      [
        ['settings', 'PORT'],
        ['settings', 'LOG_LEVEL'],
      ],
    );
  });

  it('fails on secrets that can be guessed or are the same, in production and elsewhere', async () => {
    const same = 'replace-by-openssl-rand-base64-32';
    for (const NODE_ENV of ['production', '']) {
      const env = await fixture.settings({
        NODE_ENV,
        INTROSPECTION_SECRET: same,
        SESSION_SECRET: same,
      });
      const { status, stdout } = await doctor(env);
      assert.equal(status, 1);
      const settings = stdout.match(/(?<=^problem {2}settings +)\S.*$/gm);
      assert.deepEqual(settings, [
        'INTROSPECTION_SECRET looks like a placeholder. Create one with: openssl rand -base64 32',
        'SESSION_SECRET looks like a placeholder. Create one with: openssl rand -base64 32',
        'SESSION_SECRET is the same as INTROSPECTION_SECRET. Use different secrets. Create one with: openssl rand -base64 32',
      ]);
    }
  });

  it('changes nothing', async () => {
    const env = await fixture.settings();
    await fixture.newKey(env, 'free');
    const before = await filesBelow(fixture.folder);
    await doctor(env);
    await doctor(await fixture.settings());
    assert.deepEqual(await filesBelow(fixture.folder), before);
  });

  it('never prints a secret', async () => {
    const secrets = {
      INTROSPECTION_SECRET: 'hidden-Introspection-Kq7xW2vZ9pLm4Tb8',
      SESSION_SECRET: 'hidden-Sessions-Rf3yN6uJ1sHd5Gc0-Qe',
      DATABASE_URL: 'postgres://pastpaper:hidden@127.0.0.1:9/pastpaper',
      SMTP_URL: 'smtps://user:hidden@mail.example.org',
      GOOGLE_CLIENT_ID: 'id',
      GOOGLE_CLIENT_SECRET: 'hidden',
    };
    const env = await fixture.settings({
      ...productionSettings,
      ...secrets,
      INTROSPECTION_URL: 'http://127.0.0.1:9/',
    });
    const [valid, invalid] = [
      await doctor(env),
      await doctor({ ...env, INTROSPECTION_URL: 'x', SMTP_URL: 'hidden' }),
    ];
    assert.deepEqual([valid.status, invalid.status], [1, 1]);
    assert.match(
      valid.stdout,
      /^problem +database +The database pastpaper at 127\.0\.0\.1:9 cannot be used: .*ECONNREFUSED/m,
    );
    assert.match(
      valid.stdout,
      /^problem +authentication service +http:\/\/127\.0\.0\.1:9 sent no valid response/m,
    );
    for (const { stdout, stderr } of [valid, invalid])
      assert.doesNotMatch(stdout + stderr, /hidden/);
  });
});
