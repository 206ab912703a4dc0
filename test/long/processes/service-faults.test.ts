import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { occupiedPort } from '../../gateway/auth/users/occupied-port.ts';
import { sampleRelease } from '../../gateway/sample-release.ts';
import { runPastpaper } from '../../gateway/started-process.ts';

const service = 'auth';

const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
after(() => rm(folder, { recursive: true }));
const distDir = await sampleRelease();

function settings(changes: Readonly<Record<string, string>> = {}): Record<string, string> {
  const own = { PORT: '0', DATA_DIR: join(folder, 'data'), DIST_DIR: distDir };
  return { ...own, INTROSPECTION_SECRET: 'a-secret-between-gateway-and-service', ...changes };
}

describe('The authentication service exits with 2 and an error message', () => {
  async function fails(
    env: Readonly<Record<string, string>>,
    message: RegExp,
    module = service,
  ): Promise<void> {
    const { status, stdout, stderr } = await runPastpaper(module, env);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /^\s+at /m, 'a stack trace');
    assert.doesNotMatch(stderr, /hidden/, 'a secret');
    assert.deepEqual([status, stdout], [2, '']);
  }

  it('without INTROSPECTION_SECRET', () =>
    fails(
      settings({ INTROSPECTION_SECRET: '' }),
      /^Invalid settings:\nINTROSPECTION_SECRET is missing\. Gateways need it to check keys\.\n$/,
    ));

  it('with invalid settings, all in one message', () =>
    fails(
      settings({ PORT: 'x', SMTP_URL: 'http://hidden', PUBLIC_URL: 'here' }),
      /PORT is "x".*\nPUBLIC_URL is "here".*\nSMTP_URL must be/,
    ));

  for (const name of ['INTROSPECTION_SECRET', 'SESSION_SECRET']) {
    it(`in production with a short ${name}, like a gateway`, async () => {
      const env = settings({
        DIST_DIR: distDir,
        NODE_ENV: 'production',
        INTROSPECTION_SECRET: randomBytes(32).toString('base64'),
        [name]: 'hidden-but-short',
      });
      const message = new RegExp(`^Invalid settings:\n${name} has only 16 characters. Production requires`);
      await fails(env, message);
      await fails(env, message, 'gateway');
    });
  }

  it('in production with mail or a provider but without PUBLIC_URL', async () => {
    const env = settings({
      NODE_ENV: 'production',
      INTROSPECTION_SECRET: randomBytes(32).toString('base64'),
    });
    await fails(
      { ...env, SMTP_URL: 'smtp://ada:hidden@127.0.0.1' },
      /PUBLIC_URL is missing. SMTP_URL requires it/,
    );
    const google = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'hidden' };
    await fails({ ...env, ...google }, /PUBLIC_URL is missing\. GOOGLE_CLIENT_ID requires it/);
  });

  it('if the port is in use', async () => {
    const { port, close } = await occupiedPort();
    await fails(settings({ PORT: String(port) }), new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is in use`));
    await fails(settings({ ADMIN_PORT: String(port) }), /is in use.*ADMIN_PORT/);
    await close();
  });

  it('if PostgreSQL cannot be reached', () =>
    fails(
      settings({ DATABASE_URL: 'postgres://ada:hidden@127.0.0.1:9/keys' }),
      /^The database keys at 127\.0\.0\.1:9 cannot be used: .*ECONNREFUSED.*\n$/,
    ));

  it('if the data folder cannot be written', () =>
    fails(
      settings({ DATA_DIR: '/proc/pastpaper' }),
      /^The database \/proc\/pastpaper\/pastpaper\.db cannot be used/,
    ));
});
