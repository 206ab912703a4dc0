import { isIP } from 'node:net';
import { join } from 'node:path';
import { defaultPlans, type Plans, parsePlans } from './limits/plans.ts';

/** The settings of the gateway and of the commands that share its data, from the environment. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** Undefined: health and readiness are not served. */
  readonly adminPort: number | undefined;
  readonly distDir: string;
  readonly dataDir: string;
  /** Path of the SQLite file with keys and usage. */
  readonly databaseFile: string;
  /** Undefined: keys are checked in this process. */
  readonly introspection: { readonly url: string; readonly secret: string } | undefined;
  readonly apiKeyPrefix: string;
  readonly referenceUrl: string;
  readonly plans: Plans;
  readonly corsOrigins: ReadonlySet<string>;
  /** Express's `trust proxy`: how many proxies stand before the gateway, or their addresses. */
  readonly trustProxy: number | readonly string[] | false;
  readonly production: boolean;
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

  const dataDir = read('DATA_DIR', '.data', anyText);
  const introspectionUrl = read('INTROSPECTION_URL', undefined, serviceUrl);
  const introspectionSecret = read<string | undefined>('INTROSPECTION_SECRET', undefined, headerText);
  if (introspectionUrl !== undefined && introspectionSecret === undefined && !env['INTROSPECTION_SECRET']) {
    faults.push(
      'INTROSPECTION_SECRET is missing: INTROSPECTION_URL is set, and the service there asks for it.',
    );
  }
  if (env['REDIS_URL']) {
    faults.push('REDIS_URL cannot be used yet: limits are kept by the gateway itself. Leave it unset.');
  }

  const config: Config = {
    port: read('PORT', 8080, port),
    host: read('HOST', '127.0.0.1', anyText),
    adminPort: read<number | undefined>('ADMIN_PORT', undefined, port),
    distDir: read('DIST_DIR', 'dist', anyText),
    dataDir,
    databaseFile: read('DATABASE_URL', join(dataDir, 'pastpaper.db'), sqliteFile),
    introspection:
      introspectionUrl !== undefined && introspectionSecret !== undefined
        ? { url: introspectionUrl, secret: introspectionSecret }
        : undefined,
    apiKeyPrefix: read('API_KEY_PREFIX', 'pfx_', keyPrefix),
    referenceUrl: read('REFERENCE_URL', '/docs/', referenceUrl),
    plans: read('PLANS', defaultPlans, (path) => plansFile(path, readFile)),
    corsOrigins: read<ReadonlySet<string>>('CORS_ORIGINS', new Set(), origins),
    trustProxy: read<Config['trustProxy']>('TRUST_PROXY', false, proxies),
    production: env['NODE_ENV'] === 'production',
  };
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  return config;
}

/** What is wrong with a setting, to follow its name. */
class Fault {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

function anyText(text: string): string {
  return text;
}

function port(text: string): number | Fault {
  const number = Number(text);
  if (/^\d{1,5}$/.test(text) && number <= 65535) return number;
  return new Fault(`is "${text}"; a port is a whole number from 0 to 65535.`);
}

function httpUrl(text: string): string | Fault {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  return new Fault(`is "${text}"; it is the whole address, like https://auth.example.org/introspect.`);
}

/** Credentials in an address would stand in every message about it: they have a setting of their own. */
function serviceUrl(text: string): string | Fault {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url?.username && !url?.password) return httpUrl(text);
  return new Fault('holds a user or password; INTROSPECTION_SECRET is the place for a secret.');
}

function headerText(text: string): string | Fault {
  return /^[\x21-\x7e]+$/.test(text)
    ? text
    : new Fault('holds characters that no HTTP header can; use printable ASCII.');
}

function sqliteFile(text: string): string | Fault {
  const path = /^file:(?:\/\/(?=\/))?(.+)$/.exec(text)?.[1];
  return path ?? new Fault('names no SQLite file; it is file: and a path, like file:.data/pastpaper.db.');
}

function keyPrefix(text: string): string | Fault {
  if (/^[A-Za-z0-9._~-]{1,32}$/.test(text)) return text;
  return new Fault(`is "${text}"; it is up to 32 letters, digits and . _ ~ -, like pfx_.`);
}

function referenceUrl(text: string): string | Fault {
  if (/^\/(?!\/)[\x21-\x7e]*$/.test(text)) return text;
  if (httpUrl(text) instanceof Fault) {
    return new Fault(`is "${text}"; it is a path of this service, like /docs/, or a whole address.`);
  }
  return new URL(text).href;
}

function plansFile(path: string, readFile: (path: string) => string): Plans | Fault {
  try {
    return parsePlans(readFile(path));
  } catch (error) {
    return new Fault(`names ${path}, which is of no use: ${(error as Error).message}`);
  }
}

function origins(text: string): ReadonlySet<string> | Fault {
  const list = text.split(',').map((origin) => origin.trim());
  const wrong = list.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
  if (wrong === undefined) return new Set(list);
  return new Fault(
    `holds "${wrong}"; an origin is scheme, host and port alone, like https://app.example.org.`,
  );
}

function proxies(text: string): number | readonly string[] | Fault {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  const list = text.split(',').map((address) => address.trim());
  const wrong = list.find((address) => !isProxyAddress(address));
  if (wrong === undefined) return list;
  return new Fault(
    `holds "${wrong}"; it is how many proxies stand before the gateway, or their addresses, like 10.0.0.0/8.`,
  );
}

function isProxyAddress(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', length, ...more] = text.split('/');
  const bits = isIP(address) === 6 ? 128 : 32;
  return (
    isIP(address) > 0 &&
    more.length === 0 &&
    (length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits))
  );
}
