import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bank, defaultBank, readBank } from '../build/release/config.ts';
import type { Plans } from '../build/release/plans.ts';
import { UserError } from '../build/release/user-error.ts';
import * as values from './config-values.ts';

/** The settings of the gateway and of the commands that share its data. */
export type Config = Readonly<ReturnType<typeof readConfig>>;

/** An introspection endpoint (RFC 7662), the gateway's credentials there, and what a token has to be for. */
export interface IntrospectionService {
  readonly url: string;
  readonly clientId: string;
  readonly secret: string;
  /** One of the audiences of each accepted token; undefined: any. */
  readonly audience?: string | undefined;
  /** Scopes that each accepted token has; undefined: any. */
  readonly scopes?: readonly string[] | undefined;
}

/** Settings of accounts, sessions and the dashboard. */
export type UsersConfig = Config['users'];

/** The credentials of this service at providers of identities. */
type Providers = { readonly [Name in 'google' | 'github']?: OAuthClient };

interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Invalid settings. The message names each of them and its valid values. */
export class ConfigError extends UserError {}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings of a process in the folder of its bank. @throws ConfigError */
export const readSettings = (env: Environment): Config =>
  readConfig(env, (path) => readFileSync(path, 'utf8'), readBank());

/** Characters of a secret in production. */
const minSecretLength = 32;

/** What `doctor` and a start in production say of sign-ups that nobody confirms: the problem, and what to do. */
export const openSignUp = ({ bank, users }: Config): readonly string[] =>
  bank.signUp === 'closed' || users.mail
    ? []
    : [
        'Visitors can sign up with any email address, because SMTP_URL is not set.',
        'Set it, or "signUp": "closed" in pastpaper.config.json.',
      ];

/**
 * Reads the settings from the environment. An empty variable counts as unset. Weak secrets are accepted outside
 * production.
 *
 * @param readFile reads the file that `PLANS` names
 * @param bank its configuration, which settings override
 * @throws ConfigError
 */
export function readConfig(
  env: Environment,
  readFile: (path: string) => string,
  bank: Bank = defaultBank,
) {
  const problems: string[] = [];

  function read<Value, const Fallback>(
    name: string,
    fallback: Fallback,
    parse: (text: string) => Value,
  ) {
    const text = env[name];
    if (text === undefined || text === '') return fallback;
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof values.Invalid)) throw error;
      problems.push(`${name} ${error.message}`);
      return fallback;
    }
  }

  const production = env['NODE_ENV'] === 'production';

  function readSecret(name: string) {
    return read(name, undefined, (text) => {
      const { length } = values.secret(text);
      if (!production || length >= minSecretLength) return text;
      throw new values.Invalid(
        `has only ${length} characters. Production requires at least ${minSecretLength}. ` +
          'Create one with: openssl rand -base64 32',
      );
    });
  }

  const dataDir = read('DATA_DIR', '.data', values.anyText);
  const defaultDatabase = { kind: 'sqlite', file: join(dataDir, 'pastpaper.db') } as const;
  const introspectionSecret = readSecret('INTROSPECTION_SECRET');

  function readIntrospection(): IntrospectionService | undefined {
    const url = read('INTROSPECTION_URL', undefined, values.serviceUrl);
    const audience = read('INTROSPECTION_AUDIENCE', undefined, values.anyText);
    const required = read('INTROSPECTION_SCOPE', undefined, values.scopes);
    if (url !== undefined && !env['INTROSPECTION_SECRET'])
      problems.push('INTROSPECTION_SECRET is missing. INTROSPECTION_URL requires it.');
    if (url === undefined || introspectionSecret === undefined) return undefined;
    const clientId = read('INTROSPECTION_CLIENT_ID', 'gateway', values.anyText);
    return { url, clientId, secret: introspectionSecret, audience, scopes: required };
  }

  function readUsers() {
    // Elsewhere, links lead to where the process listens.
    const address = read('PUBLIC_URL', production ? bank.publicUrl : undefined, values.publicUrl);
    const server = read('SMTP_URL', undefined, values.mailServer);
    const providers = { ...readProvider('google', 'GOOGLE'), ...readProvider('github', 'GITHUB') };
    // The Host header of a request must not decide where a link in a mail leads.
    const linked = ['SMTP_URL', 'GOOGLE_CLIENT_ID', 'GITHUB_CLIENT_ID'].find((name) => env[name]);
    if (production && linked !== undefined && address === undefined && !env['PUBLIC_URL'])
      problems.push(`PUBLIC_URL is missing. ${linked} requires it, for links to this service.`);
    const host = address === undefined ? 'localhost' : new URL(address).hostname;
    const from = read('MAIL_FROM', `no-reply@${host}`, values.mailAddress);
    return {
      /** Scheme and host under which browsers reach the service; undefined: whatever they came by. */
      publicUrl: address,
      /** Signs the cookies of sessions; undefined: one is created in the data folder. */
      sessionSecret: readSecret('SESSION_SECRET'),
      mail: server === undefined ? undefined : { server, from },
      providers,
    };
  }

  function readProvider(provider: keyof Providers, prefix: string): Providers {
    const names = [`${prefix}_CLIENT_ID`, `${prefix}_CLIENT_SECRET`] as const;
    const missing = names.filter((name) => !env[name]);
    if (missing.length === 1)
      problems.push(`${missing[0]} is missing. Set both ${names.join(' and ')}.`);
    if (missing.length > 0) return {};
    const [clientId, clientSecret] = names;
    return {
      [provider]: {
        clientId: read(clientId, '', values.anyText),
        clientSecret: read(clientSecret, '', values.anyText),
      },
    };
  }

  const config = {
    bank,
    port: read('PORT', 8080, values.port),
    host: read('HOST', '127.0.0.1', values.anyText),
    /** Undefined: health and metrics are not served, and nothing is counted for them. */
    adminPort: read('ADMIN_PORT', undefined, values.port),
    adminHost: read('ADMIN_HOST', '127.0.0.1', values.anyText),
    /** Less severe lines are not logged. */
    logLevel: read('LOG_LEVEL', 'info', values.logLevel),
    distDir: read('DIST_DIR', 'dist', values.anyText),
    /** Maximum size of cached bodies. */
    cacheBytes: read('CACHE_BYTES', 64 * 1024 * 1024, values.bytes),
    dataDir,
    /** Accounts and keys, and usage unless it is in Redis. */
    database: read<values.DatabaseLocation, values.DatabaseLocation>(
      'DATABASE_URL',
      defaultDatabase,
      values.databaseLocation,
    ),
    /** Where gateways share limits and usage; undefined: each has its own limits. */
    redis: read('REDIS_URL', undefined, values.redisLocation),
    /** A separate authentication service; undefined: it is embedded. */
    introspection: readIntrospection(),
    /** The secret of gateways that use the authentication service here; undefined: it serves none. */
    introspectionSecret,
    users: readUsers(),
    apiKeyPrefix: read('API_KEY_PREFIX', 'pfx_', values.keyPrefix),
    /** Active keys that an account can have. */
    maxKeysPerAccount: read('MAX_KEYS_PER_ACCOUNT', 20, values.wholeNumber(1)),
    referenceUrl: read('REFERENCE_URL', '/docs/', values.referenceUrl),
    plans: read<Plans, Plans>('PLANS', bank.plans, (path) => values.plansFile(path, readFile)),
    corsOrigins: read<readonly string[], readonly string[]>('CORS_ORIGINS', [], values.origins),
    /** Express's `trust proxy`: the number of proxies in front of the gateway, or their addresses. */
    trustProxy: read('TRUST_PROXY', false, values.proxies),
    /** Requests with invalid keys from one address; 0: no limit. */
    failedKeysPerMinute: read('FAILED_KEYS_PER_MINUTE', 100, values.wholeNumber(0)),
    production,
  };
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return config;
}
