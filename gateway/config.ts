import { join } from 'node:path';
import { defaultPlans, type Plans } from '../build/release/plans.ts';
import {
  anyText,
  bytes,
  type DatabaseLocation,
  databaseLocation,
  Fault,
  keyPrefix,
  logLevel,
  mailAddress,
  mailServer,
  milliseconds,
  origins,
  plansFile,
  port,
  proxies,
  publicUrl,
  redisAddress,
  referenceUrl,
  secret,
  serviceUrl,
  wholeNumber,
} from './config-values.ts';
import type { Level } from './log/logger.ts';

/** The settings of the gateway and of the commands that share its data, from the environment. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** Undefined: health and metrics are not served, and nothing is counted for them. */
  readonly adminPort: number | undefined;
  readonly adminHost: string;
  /** The least that is logged. */
  readonly logLevel: Level;
  /** Open at a time; those beyond are closed as soon as they are made. */
  readonly maxConnections: number;
  readonly drain: DrainConfig;
  readonly distDir: string;
  /** Bytes that bodies kept in memory may take. */
  readonly cacheBytes: number;
  readonly dataDir: string;
  /** Accounts and keys, and usage where it is not in Redis. */
  readonly database: DatabaseLocation;
  /** The Redis in which gateways share limits and usage; undefined: each keeps its own. */
  readonly redisUrl: string | undefined;
  /** The authentication service elsewhere; undefined: keys are checked in this process. */
  readonly introspection: IntrospectionService | undefined;
  /** What gateways show to the authentication service here; undefined: it answers none. */
  readonly introspectionSecret: string | undefined;
  readonly users: UsersConfig;
  readonly apiKeyPrefix: string;
  readonly referenceUrl: string;
  readonly plans: Plans;
  readonly corsOrigins: ReadonlySet<string>;
  /** Express's `trust proxy`: how many proxies stand before the gateway, or their addresses. */
  readonly trustProxy: number | readonly string[] | false;
  /** Requests with keys that are none, of one address; 0: as many as come. */
  readonly failedKeysPerMinute: number;
  readonly production: boolean;
}

/** How a process stops. Milliseconds. */
export interface DrainConfig {
  /** For which it takes requests as before, but says that it is not ready: what balances the load comes to know. */
  readonly delay: number;
  /** That requests under way then have to end. */
  readonly time: number;
}

/** An endpoint of RFC 7662, and what this gateway shows to it. */
export interface IntrospectionService {
  readonly url: string;
  readonly clientId: string;
  readonly secret: string;
}

/** Settings of accounts, sessions and the dashboard. */
export interface UsersConfig {
  /** Scheme and host under which browsers reach the service; undefined: whatever they came by. */
  readonly publicUrl: string | undefined;
  /** Signs the cookies of sessions; undefined: one is made and kept in the data folder. */
  readonly sessionSecret: string | undefined;
  readonly mail: { readonly server: string; readonly from: string } | undefined;
  readonly providers: { readonly [Name in Provider]?: OAuthClient };
}

export type Provider = 'google' | 'github';

/** What this service is called at a provider. */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Settings that cannot be used. The message names every one of them, and what would be right. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings. An empty variable counts as one that is not set.
 *
 * @param readFile the text of the file that `PLANS` names
 * @throws ConfigError
 */
export function readConfig(env: Environment, readFile: (path: string) => string): Config {
  const faults: string[] = [];

  function read<Value>(name: string, fallback: Value, parse: (text: string) => Value | Fault): Value {
    const text = env[name];
    if (text === undefined || text === '') return fallback;
    const value = parse(text);
    if (!(value instanceof Fault)) return value;
    faults.push(`${name} ${value.text}`);
    return fallback;
  }

  const production = env['NODE_ENV'] === 'production';
  const dataDir = read('DATA_DIR', '.data', anyText);
  const introspectionUrl = read('INTROSPECTION_URL', undefined, serviceUrl);
  const introspectionSecret = read<string | undefined>('INTROSPECTION_SECRET', undefined, secret(production));
  if (introspectionUrl !== undefined && !env['INTROSPECTION_SECRET']) {
    faults.push(
      'INTROSPECTION_SECRET is missing: INTROSPECTION_URL is set, and the service there asks for it.',
    );
  }

  function readUsers(): UsersConfig {
    const address = read<string | undefined>('PUBLIC_URL', undefined, publicUrl);
    const server = read<string | undefined>('SMTP_URL', undefined, mailServer);
    const providers = { ...readProvider('google', 'GOOGLE'), ...readProvider('github', 'GITHUB') };
    // What a request calls its host is no ground for a link, which someone else may open.
    const linked = ['SMTP_URL', 'GOOGLE_CLIENT_ID', 'GITHUB_CLIENT_ID'].find((name) => env[name]);
    if (production && linked !== undefined && !env['PUBLIC_URL']) {
      faults.push(`PUBLIC_URL is missing: ${linked} is set, and links from elsewhere have to lead here.`);
    }
    const host = address === undefined ? 'localhost' : new URL(address).hostname;
    const from = read('MAIL_FROM', `no-reply@${host}`, mailAddress);
    return {
      publicUrl: address,
      sessionSecret: read<string | undefined>('SESSION_SECRET', undefined, secret(production)),
      mail: server === undefined ? undefined : { server, from },
      providers,
    };
  }

  function readProvider(provider: Provider, prefix: string): UsersConfig['providers'] {
    const names = [`${prefix}_CLIENT_ID`, `${prefix}_CLIENT_SECRET`] as const;
    const missing = names.filter((name) => !env[name]);
    if (missing.length === 1)
      faults.push(`${missing[0]} is missing: ${prefix} needs both of ${names.join(' and ')}.`);
    if (missing.length > 0) return {};
    const [clientId, clientSecret] = names;
    return {
      [provider]: { clientId: read(clientId, '', anyText), clientSecret: read(clientSecret, '', anyText) },
    };
  }

  const config: Config = {
    port: read('PORT', 8080, port),
    host: read('HOST', '127.0.0.1', anyText),
    adminPort: read<number | undefined>('ADMIN_PORT', undefined, port),
    adminHost: read('ADMIN_HOST', '127.0.0.1', anyText),
    logLevel: read<Level>('LOG_LEVEL', 'info', logLevel),
    maxConnections: read('MAX_CONNECTIONS', 10_000, wholeNumber(1)),
    drain: {
      delay: read('DRAIN_DELAY_SECONDS', 0, milliseconds),
      time: read('DRAIN_SECONDS', 10_000, milliseconds),
    },
    distDir: read('DIST_DIR', 'dist', anyText),
    cacheBytes: read('CACHE_BYTES', 64 * 1024 * 1024, bytes),
    dataDir,
    database: read<DatabaseLocation>(
      'DATABASE_URL',
      { kind: 'sqlite', file: join(dataDir, 'pastpaper.db') },
      databaseLocation,
    ),
    redisUrl: read<string | undefined>('REDIS_URL', undefined, redisAddress),
    introspection:
      introspectionUrl !== undefined && introspectionSecret !== undefined
        ? {
            url: introspectionUrl,
            clientId: read('INTROSPECTION_CLIENT_ID', 'gateway', anyText),
            secret: introspectionSecret,
          }
        : undefined,
    introspectionSecret,
    users: readUsers(),
    apiKeyPrefix: read('API_KEY_PREFIX', 'pfx_', keyPrefix),
    referenceUrl: read('REFERENCE_URL', '/docs/', referenceUrl),
    plans: read('PLANS', defaultPlans, (path) => plansFile(path, readFile)),
    corsOrigins: read<ReadonlySet<string>>('CORS_ORIGINS', new Set(), origins),
    trustProxy: read<Config['trustProxy']>('TRUST_PROXY', false, proxies),
    failedKeysPerMinute: read('FAILED_KEYS_PER_MINUTE', 100, wholeNumber(0)),
    production,
  };
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  return config;
}
