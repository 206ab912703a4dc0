import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultBank } from '../../build/release/config.ts';
import { defaultPlan, defaultPlans } from '../../build/release/plans.ts';
import { type Config, ConfigError, readConfig } from '../../gateway/config.ts';

type Environment = Readonly<Record<string, string>>;

/** @param plans the text of `plans.json` */
function read(env: Environment, plans = '{"free": {"perSecond": 5, "perMonth": 50}}'): Config {
  const readFile = (path: string) => {
    if (path === 'plans.json') return plans;
    throw new Error('no such file');
  };
  return readConfig(env, readFile, defaultBank);
}

const users = (changes: Partial<Config['users']>) => ({ users: { ...read({}).users, ...changes } });
const redis = (kind: string, urls: readonly string[], more = {}) =>
  ({ redis: { kind, urls, ...more } }) as Partial<Config>;

describe('readConfig', () => {
  it('returns safe defaults for an empty environment, and for empty variables', () => {
    const defaults = {
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
    };
    for (const env of [{}, { PORT: '', REDIS_URL: '' }]) assert.deepEqual(read(env), defaults);
  });

  it('reads every setting', () => {
    const secret = 'bO3q/fTzX0m7sVY1dKe9RgWcJp5uLh2E';
    const env = {
      PORT: '0',
      HOST: '::1',
      ADMIN_PORT: '9090',
      ADMIN_HOST: '10.0.0.1',
      LOG_LEVEL: 'debug',
      DIST_DIR: '/srv/dist',
      CACHE_BYTES: '1048576',
      DATA_DIR: '/var/lib/p',
      DATABASE_URL: 'file:keys.db',
      REDIS_URL: 'redis://localhost',
      INTROSPECTION_URL: 'https://auth.example.org/introspect',
      INTROSPECTION_SECRET: secret,
      INTROSPECTION_CLIENT_ID: 'papers',
      INTROSPECTION_AUDIENCE: 'https://papers.example.org',
      INTROSPECTION_SCOPE: 'papers:read papers:list',
      PUBLIC_URL: 'https://api.example.org/',
      SESSION_SECRET: secret,
      SMTP_URL: 'smtp://localhost',
      MAIL_FROM: 'keys@example.org',
      GOOGLE_CLIENT_ID: 'g',
      GOOGLE_CLIENT_SECRET: 'gs',
      GITHUB_CLIENT_ID: 'h',
      GITHUB_CLIENT_SECRET: 'hs',
      API_KEY_PREFIX: 'neet_',
      MAX_KEYS_PER_ACCOUNT: '1',
      REFERENCE_URL: 'https://docs.example.org',
      PLANS: 'plans.json',
      CORS_ORIGINS: 'https://a.example, http://localhost:3000',
      TRUST_PROXY: '2',
      FAILED_KEYS_PER_MINUTE: '0',
      NODE_ENV: 'production',
    };
    assert.deepEqual(read(env), {
      bank: defaultBank,
      port: 0,
      host: '::1',
      adminPort: 9090,
      adminHost: '10.0.0.1',
      logLevel: 'debug',
      distDir: '/srv/dist',
      cacheBytes: 1_048_576,
      dataDir: '/var/lib/p',
      database: { kind: 'sqlite', file: 'keys.db' },
      ...redis('server', ['redis://localhost']),
      introspection: {
        url: env.INTROSPECTION_URL,
        clientId: 'papers',
        secret,
        audience: 'https://papers.example.org',
        scopes: ['papers:read', 'papers:list'],
      },
      introspectionSecret: secret,
      users: {
        publicUrl: 'https://api.example.org',
        sessionSecret: secret,
        mail: { server: 'smtp://localhost', from: 'keys@example.org' },
        providers: {
          google: { clientId: 'g', clientSecret: 'gs' },
          github: { clientId: 'h', clientSecret: 'hs' },
        },
      },
      apiKeyPrefix: 'neet_',
      maxKeysPerAccount: 1,
      referenceUrl: 'https://docs.example.org/',
      plans: { free: { perSecond: 5, perMonth: 50 } },
      corsOrigins: ['https://a.example', 'http://localhost:3000'],
      trustProxy: 2,
      failedKeysPerMinute: 0,
      production: true,
    });
  });

  const sentinels = 'redis+sentinel://replica:p%40ss@a.example.org,b.example.org:5000/main/2';
  const forms: readonly (readonly [Environment, Partial<Config>])[] = [
    [
      { DATA_DIR: '/srv' },
      { dataDir: '/srv', database: { kind: 'sqlite', file: '/srv/pastpaper.db' } },
    ],
    [
      { DATABASE_URL: 'file:///srv/keys.db' },
      { database: { kind: 'sqlite', file: '/srv/keys.db' } },
    ],
    [
      { DATABASE_URL: 'postgres://db/keys' },
      { database: { kind: 'postgres', url: 'postgres://db/keys' } },
    ],
    [
      { REDIS_URL: 'rediss://replica:p%40ss@[::1]:6380/2' },
      redis('server', ['rediss://replica:p%40ss@[::1]:6380/2']),
    ],
    [
      { REDIS_URL: 'rediss+cluster://:secret@a.example.org:7000,[::1]' },
      redis('cluster', ['rediss://:secret@a.example.org:7000', 'rediss://:secret@[::1]']),
    ],
    [
      { REDIS_URL: sentinels },
      redis(
        'sentinel',
        ['redis://replica:p%40ss@a.example.org:26379', 'redis://replica:p%40ss@b.example.org:5000'],
        { name: 'main', database: 2 },
      ),
    ],
    [{ REFERENCE_URL: '/docs/v2/' }, { referenceUrl: '/docs/v2/' }],
    [
      { TRUST_PROXY: 'loopback, 10.0.0.0/8, ::1' },
      { trustProxy: ['loopback', '10.0.0.0/8', '::1'] },
    ],
    [
      { SMTP_URL: 'smtp://localhost', PUBLIC_URL: 'https://api.example.org' },
      users({
        publicUrl: 'https://api.example.org',
        mail: { server: 'smtp://localhost', from: 'no-reply@api.example.org' },
      }),
    ],
  ];
  for (const [env, expected] of forms)
    it(`reads ${JSON.stringify(env)}`, () =>
      assert.deepEqual(read(env), { ...read({}), ...expected }));

  const invalid: readonly (readonly [string, string, RegExp])[] = [
    ['PORT', '65536', /PORT is "65536", but must be a whole number from 0 to 65535\./],
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
    ['INTROSPECTION_SCOPE', 'papers:read  mail', /^INTROSPECTION_SCOPE is "papers:read {2}mail"/],
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
    ['REDIS_URL', 'redis://:hunter2@a:1,b:2', /^(?!.*hunter2).*REDIS_URL .* redis\+cluster:/],
    [
      'REDIS_URL',
      'redis+cluster://:hunter2@a:1,:hunter2@b:2',
      /^(?!.*hunter2).*Write a comma in a password as %2C/,
    ],
    ['REDIS_URL', 'redis+sentinel://:hunter2@a:1,b:2', /^(?!.*hunter2).*REDIS_URL must be a URL/],
  ];
  const assertRejected = (env: Environment, message: RegExp, plans?: string) =>
    assert.throws(
      () => read(env, plans),
      (error) => error instanceof ConfigError && message.test(error.message),
    );
  for (const [name, value, message] of invalid)
    it(`rejects ${name}=${value}`, () => assertRejected({ [name]: value }, message));

  const invalidPlans: readonly (readonly [string, RegExp])[] = [
    ['{', /JSON/],
    ['{}', /object with plans/],
    ['{"free": null}', /"free" must have perSecond and perMonth/],
    ['{"free": {"perSecond": 2}}', /whole numbers from 1/],
    ['{"free": {"perSecond": 1.5, "perMonth": 1}}', /whole numbers from 1/],
    ['{"free": {"perSecond": 0, "perMonth": 1}}', /whole numbers from 1/],
    ['{"free": {"perSecond": 1, "perMonth": 1, "perDay": 1}}', /Unknown property "perDay"/],
  ];
  for (const [plans, message] of invalidPlans)
    it(`rejects the plans ${plans}`, () => assertRejected({ PLANS: 'plans.json' }, message, plans));

  it('rejects secrets of fewer than 32 characters in production', () => {
    const short = 'bO3q/fTzX0m7sVY1dKe9RgWcJp5uLh2';
    for (const name of ['INTROSPECTION_SECRET', 'SESSION_SECRET']) {
      assert.equal(read({ [name]: short }).production, false);
      const message = new RegExp(`^(?!.*${short})${name} has only 31 characters`);
      assertRejected({ NODE_ENV: 'production', [name]: short }, message);
    }
  });

  it('requires PUBLIC_URL in production if mails are sent', () =>
    assertRejected(
      { NODE_ENV: 'production', SMTP_URL: 'smtp://localhost' },
      /PUBLIC_URL is missing. SMTP_URL requires it/,
    ));
});

it('New accounts are on the plan free, or else on the first one', () => {
  const basic = { basic: { perSecond: 1, perMonth: 1 } };
  assert.equal(defaultPlan({ ...basic, ...defaultPlans }), 'free');
  assert.equal(defaultPlan(basic), 'basic');
});
