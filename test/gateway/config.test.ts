import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultBank } from '../../build/release/config.ts';
import { defaultPlans } from '../../build/release/plans.ts';
import { type Config, ConfigError, readConfig } from '../../gateway/config.ts';
import settings from './settings.json' with { type: 'json' };

/** Environments, each with the settings that differ from the defaults. */
const { accepted } = settings as unknown as {
  accepted: [Record<string, string>, Partial<Config>][];
};

const plansText = '{"free": {"perSecond": 5, "perMonth": 50}}';

function read(env: Readonly<Record<string, string>>): Config {
  const readFile = (path: string) => {
    if (path === 'plans.json') return plansText;
    throw new Error('no such file');
  };
  return readConfig(env, readFile, defaultBank);
}

const atService = {
  INTROSPECTION_URL: 'https://auth.example.org/introspect',
  INTROSPECTION_SECRET: 'secret',
};
const introspection = (changes: Partial<Config['introspection']>) => ({
  introspection: {
    ...{ url: atService.INTROSPECTION_URL, clientId: 'gateway', secret: 'secret' },
    ...{ audience: undefined, scopes: undefined, ...changes },
  },
  introspectionSecret: 'secret',
});
const users = (changes: Partial<Config['users']>) => ({ users: { ...read({}).users, ...changes } });

describe('readConfig', () => {
  it('returns safe defaults for an empty environment', () => {
    assert.deepEqual(read({}), {
      bank: defaultBank,
      port: 8080,
      host: '127.0.0.1',
      adminPort: undefined,
      adminHost: '127.0.0.1',
      logLevel: 'info',
      distDir: 'dist',
      cacheBytes: 64 * 1024 * 1024,
      dataDir: '.data',
      database: { kind: 'sqlite', file: '.data/pastpaper.db' },
      redis: undefined,
      introspection: undefined,
      introspectionSecret: undefined,
      users: { publicUrl: undefined, sessionSecret: undefined, mail: undefined, providers: {} },
      apiKeyPrefix: 'pfx_',
      maxKeysPerAccount: 20,
      referenceUrl: '/docs/',
      plans: defaultPlans,
      corsOrigins: [],
      trustProxy: false,
      failedKeysPerMinute: 100,
      production: false,
    });
  });

  it('ignores empty variables', () =>
    assert.deepEqual(read({ PORT: '', REDIS_URL: '' }), read({})));

  const withAbsent: readonly (readonly [Record<string, string>, Partial<Config>])[] = [
    [atService, introspection({})],
    [
      {
        ...atService,
        INTROSPECTION_CLIENT_ID: 'papers',
        INTROSPECTION_AUDIENCE: 'https://papers.example.org',
        INTROSPECTION_SCOPE: 'papers:read papers:list',
      },
      introspection({
        clientId: 'papers',
        audience: 'https://papers.example.org',
        scopes: ['papers:read', 'papers:list'],
      }),
    ],
    [{ PUBLIC_URL: 'https://api.example.org/' }, users({ publicUrl: 'https://api.example.org' })],
    [{ SESSION_SECRET: 'short' }, users({ sessionSecret: 'short' })],
    [
      { SMTP_URL: 'smtp://localhost', PUBLIC_URL: 'https://api.example.org' },
      users({
        publicUrl: 'https://api.example.org',
        mail: { server: 'smtp://localhost', from: 'no-reply@api.example.org' },
      }),
    ],
    [
      { SMTP_URL: 'smtp://localhost', MAIL_FROM: 'keys@example.org' },
      users({ mail: { server: 'smtp://localhost', from: 'keys@example.org' } }),
    ],
    [
      {
        GOOGLE_CLIENT_ID: 'g',
        GOOGLE_CLIENT_SECRET: 'gs',
        GITHUB_CLIENT_ID: 'h',
        GITHUB_CLIENT_SECRET: 'hs',
      },
      users({
        providers: {
          google: { clientId: 'g', clientSecret: 'gs' },
          github: { clientId: 'h', clientSecret: 'hs' },
        },
      }),
    ],
  ];
  for (const [env, expected] of [...accepted, ...withAbsent]) {
    it(`reads ${JSON.stringify(env)}`, () =>
      assert.deepEqual(read(env), { ...read({}), ...expected }));
  }

  const invalid: readonly (readonly [string, string, RegExp])[] = [
    ['PORT', '65536', /PORT is "65536", but must be a whole number from 0 to 65535\./],
    ['ADMIN_PORT', 'x', /ADMIN_PORT/],
    ['LOG_LEVEL', 'all', /LOG_LEVEL is "all", but must be one of error, warn, info, debug/],
    ['CACHE_BYTES', '64M', /CACHE_BYTES is "64M", but must be a whole number of bytes/],
    [
      'DATABASE_URL',
      'mysql://root:hunter2@localhost/keys',
      /^(?!.*hunter2).*DATABASE_URL must be file:/,
    ],
    ['PUBLIC_URL', 'https://api.example.org/papers', /PUBLIC_URL is "https:\/\/api/],
    ['SMTP_URL', 'https://user:hunter2@mail.example.org', /^(?!.*hunter2).*SMTP_URL must be a URL/],
    ['MAIL_FROM', 'The papers <a@b.c>', /MAIL_FROM/],
    ['GITHUB_CLIENT_ID', 'id', /GITHUB_CLIENT_SECRET is missing/],
    ['INTROSPECTION_URL', 'auth.example.org', /INTROSPECTION_URL is "auth.example.org"/],
    ['INTROSPECTION_URL', 'https://auth.example.org', /INTROSPECTION_SECRET is missing/],
    [
      'INTROSPECTION_URL',
      'https://user:hunter2@auth.example.org',
      /^(?!.*hunter2).*INTROSPECTION_URL must not contain a user or password/,
    ],
    [
      'INTROSPECTION_SCOPE',
      'papers:read  mail',
      /^INTROSPECTION_SCOPE is "papers:read {2}mail", but must be one or more scopes/,
    ],
    [
      'INTROSPECTION_SECRET',
      'line\nbreak',
      /^(?!.*break)INTROSPECTION_SECRET contains characters/s,
    ],
    ['REFERENCE_URL', '//evil.example', /REFERENCE_URL/],
    ['REFERENCE_URL', '/', /REFERENCE_URL is "\/".*a path such as \/docs\//],
    ['PLANS', 'missing.json', /PLANS names missing\.json.*no such file/],
    ['CORS_ORIGINS', '*', /CORS_ORIGINS contains "\*"/],
    ['TRUST_PROXY', 'true', /TRUST_PROXY contains "true"/],
    ['REDIS_URL', 'http://:hunter2@localhost', /^(?!.*hunter2).*REDIS_URL must be a URL/],
    [
      'REDIS_URL',
      'redis://:hunter2@a:1,b:2',
      /^(?!.*hunter2).*REDIS_URL must be a URL.* redis\+cluster:/,
    ],
    [
      'REDIS_URL',
      'redis+cluster://:hunter2@a:1,:hunter2@b:2',
      /^(?!.*hunter2).*Write a comma in a password as %2C/,
    ],
    ['REDIS_URL', 'redis+sentinel://:hunter2@a:1,b:2', /^(?!.*hunter2).*REDIS_URL must be a URL/],
  ];
  for (const [name, value, message] of invalid) {
    it(`rejects ${name}=${value}`, () => {
      assert.throws(
        () => read({ [name]: value }),
        (error) => error instanceof ConfigError && message.test(error.message),
      );
    });
  }

  for (const name of ['INTROSPECTION_SECRET', 'SESSION_SECRET']) {
    it(`rejects a ${name} of fewer than 32 characters in production`, () => {
      const good = 'bO3q/fTzX0m7sVY1dKe9RgWcJp5uLh2E';
      const short = good.slice(1);
      assert.equal(read({ [name]: short }).production, false);
      assert.throws(
        () => read({ NODE_ENV: 'production', [name]: short }),
        (error: Error) =>
          error.message.startsWith(`${name} has only 31 characters`) &&
          !error.message.includes(short),
      );
      assert.equal(read({ NODE_ENV: 'production', [name]: good }).production, true);
    });
  }

  it('requires PUBLIC_URL in production if mails are sent', () => {
    const env = { NODE_ENV: 'production', SMTP_URL: 'smtp://localhost' };
    assert.throws(() => read(env), /PUBLIC_URL is missing. SMTP_URL requires it/);
    assert.ok(read({ ...env, PUBLIC_URL: 'https://api.example.org' }).users.mail);
  });
});
