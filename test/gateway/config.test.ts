import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Config, ConfigError, readConfig } from '../../gateway/config.ts';
import { defaultPlans } from '../../gateway/limits/plans.ts';

const plansText = '{"free": {"perSecond": 5, "perMonth": 50}}';

function read(env: Readonly<Record<string, string>>): Config {
  return readConfig(env, (path) => {
    if (path === 'plans.json') return plansText;
    throw new Error('no such file');
  });
}

describe('The settings', () => {
  it('have defaults, the safe ones', () => {
    assert.deepEqual(read({}), {
      port: 8080,
      host: '127.0.0.1',
      adminPort: undefined,
      distDir: 'dist',
      dataDir: '.data',
      databaseFile: '.data/pastpaper.db',
      introspection: undefined,
      apiKeyPrefix: 'pfx_',
      referenceUrl: '/docs/',
      plans: defaultPlans,
      corsOrigins: new Set(),
      trustProxy: false,
      production: false,
    });
  });

  it('count as not set when they are empty', () =>
    assert.deepEqual(read({ PORT: '', REDIS_URL: '' }), read({})));

  const rows: readonly (readonly [string, Record<string, string>, Partial<Config>])[] = [
    ['PORT', { PORT: '0' }, { port: 0 }],
    ['HOST', { HOST: '::1' }, { host: '::1' }],
    ['ADMIN_PORT', { ADMIN_PORT: '9090' }, { adminPort: 9090 }],
    ['DIST_DIR', { DIST_DIR: '/srv/dist' }, { distDir: '/srv/dist' }],
    [
      'DATA_DIR',
      { DATA_DIR: '/var/lib/p' },
      { dataDir: '/var/lib/p', databaseFile: '/var/lib/p/pastpaper.db' },
    ],
    ['DATABASE_URL', { DATABASE_URL: 'file:keys.db' }, { databaseFile: 'keys.db' }],
    ['DATABASE_URL as a URL', { DATABASE_URL: 'file:///srv/keys.db' }, { databaseFile: '/srv/keys.db' }],
    [
      'INTROSPECTION_URL and INTROSPECTION_SECRET',
      { INTROSPECTION_URL: 'https://auth.example.org/introspect', INTROSPECTION_SECRET: 'secret' },
      { introspection: { url: 'https://auth.example.org/introspect', secret: 'secret' } },
    ],
    ['API_KEY_PREFIX', { API_KEY_PREFIX: 'neet_' }, { apiKeyPrefix: 'neet_' }],
    ['REFERENCE_URL as a path', { REFERENCE_URL: '/docs/v2/' }, { referenceUrl: '/docs/v2/' }],
    [
      'REFERENCE_URL as an address',
      { REFERENCE_URL: 'https://docs.example.org' },
      { referenceUrl: 'https://docs.example.org/' },
    ],
    ['PLANS', { PLANS: 'plans.json' }, { plans: { free: { perSecond: 5, perMonth: 50 } } }],
    [
      'CORS_ORIGINS',
      { CORS_ORIGINS: 'https://a.example, http://localhost:3000' },
      { corsOrigins: new Set(['https://a.example', 'http://localhost:3000']) },
    ],
    ['TRUST_PROXY as a number', { TRUST_PROXY: '2' }, { trustProxy: 2 }],
    [
      'TRUST_PROXY as addresses',
      { TRUST_PROXY: 'loopback, 10.0.0.0/8, ::1' },
      { trustProxy: ['loopback', '10.0.0.0/8', '::1'] },
    ],
    ['NODE_ENV', { NODE_ENV: 'production' }, { production: true }],
  ];
  for (const [name, env, expected] of rows) {
    it(`take ${name}`, () => assert.deepEqual(read(env), { ...read({}), ...expected }));
  }

  const wrong: readonly (readonly [string, string, RegExp])[] = [
    ['PORT', '65536', /PORT is "65536"; a port is a whole number from 0 to 65535\./],
    ['PORT', '80a', /PORT/],
    ['PORT', '-1', /PORT/],
    ['ADMIN_PORT', 'x', /ADMIN_PORT/],
    ['DATABASE_URL', 'postgres://localhost/keys', /DATABASE_URL names no SQLite file/],
    ['INTROSPECTION_URL', 'auth.example.org', /INTROSPECTION_URL is "auth.example.org"/],
    ['INTROSPECTION_URL', 'https://auth.example.org', /INTROSPECTION_SECRET is missing/],
    [
      'INTROSPECTION_URL',
      'https://user:hunter2@auth.example.org',
      /^(?!.*hunter2).*INTROSPECTION_URL holds a user or password/,
    ],
    ['API_KEY_PREFIX', 'a b', /API_KEY_PREFIX/],
    ['REFERENCE_URL', '//evil.example', /REFERENCE_URL/],
    ['REFERENCE_URL', 'javascript:alert(1)', /REFERENCE_URL/],
    ['PLANS', 'missing.json', /PLANS names missing\.json.*no such file/],
    ['CORS_ORIGINS', '*', /CORS_ORIGINS holds "\*"/],
    ['CORS_ORIGINS', 'https://a.example/', /CORS_ORIGINS holds "https:\/\/a\.example\/"/],
    ['TRUST_PROXY', 'true', /TRUST_PROXY holds "true"/],
    ['TRUST_PROXY', '10.0.0.0/33', /TRUST_PROXY/],
    ['TRUST_PROXY', '0', /TRUST_PROXY/],
    ['REDIS_URL', 'redis://localhost', /REDIS_URL cannot be used yet/],
  ];
  for (const [name, value, message] of wrong) {
    it(`refuse ${name}=${value}`, () => {
      assert.throws(
        () => read({ [name]: value }),
        (error) => error instanceof ConfigError && message.test(error.message),
      );
    });
  }

  it('never repeat a secret', () => {
    const secret = 'line\nbreak';
    const env = { INTROSPECTION_URL: 'https://auth.example.org/', INTROSPECTION_SECRET: secret };
    assert.throws(
      () => read(env),
      (error: Error) => /INTROSPECTION_SECRET/.test(error.message) && !error.message.includes(secret),
    );
  });

  it('are all named at once when several are wrong', () => {
    assert.throws(
      () => read({ PORT: 'x', CORS_ORIGINS: '*', TRUST_PROXY: 'yes' }),
      /PORT.*\nCORS_ORIGINS.*\nTRUST_PROXY/,
    );
  });
});
