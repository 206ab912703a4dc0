/** Parsers for the values of settings. Each returns the value or throws `Invalid`. */
import { isIP } from 'node:net';
import type { Plans } from '../build/release/plans.ts';
import { expectedOrigin, parseOrigin, percentDecoded } from '../build/release/urls.ts';
import { levels } from './log/logger.ts';

/** Why the value of a setting is invalid; the message continues after the setting's name. */
export class Invalid extends Error {
  override readonly name = 'Invalid';
}

function invalid(text: string, expected: string): never {
  throw new Invalid(`is "${text}", but must be ${expected}.`);
}

export function anyText(text: string): string {
  return text;
}

/** Scope tokens, separated by spaces (RFC 6749, 3.3). */
export function scopes(text: string): readonly string[] {
  const list = text.split(' ');
  if (list.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))) return list;
  return invalid(text, 'one or more scopes separated by spaces, such as papers:read');
}

export function wholeNumber(least: number, most = 999_999_999): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d{1,9}$/.test(text) && number >= least && number <= most) return number;
    return invalid(text, `a whole number from ${least} to ${most}`);
  };
}

export const port = wholeNumber(0, 65535);

export function bytes(text: string): number {
  const number = Number(text);
  if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(number)) return number;
  return invalid(text, 'a whole number of bytes, such as 67108864');
}

export function logLevel(text: string): (typeof levels)[number] {
  return levels.find((name) => name === text) ?? invalid(text, `one of ${levels.join(', ')}`);
}

function matching(pattern: RegExp, expected: string): (text: string) => string {
  return (text) => (pattern.test(text) ? text : invalid(text, expected));
}

export const keyPrefix = matching(
  /^[A-Za-z0-9._~-]{1,32}$/,
  'up to 32 letters, digits and . _ ~ -, such as pfx_',
);
export const mailAddress = matching(
  /^[^@\s<>]+@[^@\s<>]+$/,
  'an email address without a name, such as no-reply@example.org',
);

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** Rejects credentials in the URL, because log messages contain it. */
export function serviceUrl(text: string): string {
  const url = parseUrl(text);
  if (url?.username || url?.password)
    throw new Invalid(
      'must not contain a user or password. Put the secret into INTROSPECTION_SECRET.',
    );
  if (url && /^https?:$/.test(url.protocol)) return text;
  return invalid(text, 'a URL, such as https://auth.example.org/introspect');
}

/** Where gateways share limits and usage. */
export interface RedisLocation {
  readonly kind: 'server' | 'cluster' | 'sentinel';
  /** The server, nodes of a cluster, or Sentinels, with the credentials of Redis. */
  readonly urls: readonly string[];
  /** The name under which Sentinels monitor the primary, and its database. */
  readonly name?: string;
  readonly database?: number;
}

/** The message does not repeat the value, which may contain a password. */
export function redisLocation(text: string): RedisLocation {
  const [, scheme = '', kind = 'server', credentials = '', hosts = '', path = ''] =
    /^(rediss?)(?:\+(cluster|sentinel))?:\/\/([^/?#]*@)?([^/?#@]*)(\/[^?#]*)?$/.exec(text) ?? [];
  const urls = hosts.split(',').map((host) => `${scheme}://${credentials}${host.trim()}`);
  const [, name, database = 0] = /^\/([\w.-]+)(?:\/(\d+))?$/.exec(path) ?? [];
  if (urls.every(isRedisUrl) && (kind === 'server' || !credentials.includes(','))) {
    if (kind === 'server' && urls.length === 1 && /^(\/\d*)?$/.test(path))
      return { kind, urls: [text] };
    if (kind === 'cluster' && /^\/?0?$/.test(path)) return { kind, urls };
    if (kind === 'sentinel' && name !== undefined)
      return { kind, urls: urls.map(withSentinelPort), name, database: Number(database) };
  }
  throw new Invalid(
    'must be a URL: of a server, redis://user:password@redis.example.org:6379/0; of the nodes of Redis Cluster, ' +
      'redis+cluster://user:password@a.example.org:6379,b.example.org:6379; or of Sentinels, with the name of the primary, ' +
      'redis+sentinel://user:password@a.example.org:26379,b.example.org:26379/mymaster. With rediss, it uses TLS. ' +
      'Write a comma in a password as %2C.',
  );
}

function isRedisUrl(text: string): boolean {
  const url = parseUrl(text);
  if (url === undefined || url.hostname === '') return false;
  return [url.username, url.password].every((part) => percentDecoded(part) !== undefined);
}

function withSentinelPort(text: string): string {
  return new URL(text).port === '' ? `${text}:26379` : text;
}

/** The origin under which users reach the service. */
export function publicUrl(text: string): string {
  return parseOrigin(text) ?? invalid(text, expectedOrigin);
}

/** The message does not repeat the value, which may contain a password. */
export function mailServer(text: string): string {
  const url = parseUrl(text);
  if (url && /^smtps?:$/.test(url.protocol) && url.hostname !== '') return text;
  throw new Invalid('must be a URL such as smtps://user:password@mail.example.org.');
}

/** Only what HTTP header fields can carry. */
export function secret(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new Invalid(
    'contains characters that HTTP headers do not allow. Use printable ASCII without spaces.',
  );
}

export function referenceUrl(text: string): string {
  // `/` itself would be redirected to itself.
  if (/^\/(?![/?#]|$)[\x21-\x7e]*$/.test(text)) return text;
  const url = parseUrl(text);
  if (url && /^https?:$/.test(url.protocol)) return url.href;
  return invalid(text, 'a path such as /docs/, or a URL');
}

export function plansFile(path: string, readFile: (path: string) => string): Plans {
  try {
    return parsePlans(readFile(path));
  } catch (error) {
    throw new Invalid(`names ${path}, which is invalid: ${(error as Error).message}`);
  }
}

/** Splits a list at its commas. */
function listOf(
  text: string,
  isValid: (item: string) => boolean,
  expected: string,
): readonly string[] {
  const list = text.split(',').map((item) => item.trim());
  const wrong = list.find((item) => !isValid(item));
  if (wrong === undefined) return list;
  throw new Invalid(`contains "${wrong}", but must contain only ${expected}.`);
}

export function origins(text: string): readonly string[] {
  const expected = 'origins (scheme, host and port), such as https://app.example.org';
  return listOf(
    text,
    (origin) => origin === 'loopback' || parseUrl(origin)?.origin === origin,
    expected,
  );
}

export function proxies(text: string): number | readonly string[] {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  return listOf(
    text,
    isProxyAddress,
    'addresses of proxies, such as 10.0.0.0/8, or be their number',
  );
}

function isProxyAddress(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', length = '0', ...more] = text.split('/');
  const bits = isIP(address) === 6 ? 128 : 32;
  return (
    isIP(address) > 0 && more.length === 0 && /^\d{1,3}$/.test(length) && Number(length) <= bits
  );
}

/**
 * Reads a table of plans: `{"free": {"perSecond": 2, "perMonth": 1000}, ...}`.
 *
 * @throws Error with a sentence on what is wrong
 */
export function parsePlans(text: string): Plans {
  const table: unknown = JSON.parse(text);
  const plans = Object.entries(Object(table));
  if (plans.length === 0 || Array.isArray(table))
    throw new Error(
      'It must be an object with plans by name, such as {"free": {"perSecond": 2, "perMonth": 1000}}.',
    );
  for (const [name, plan] of plans) {
    const { perSecond, perMonth, ...more } = Object(plan);
    if (![perSecond, perMonth].every((limit) => Number.isSafeInteger(limit) && limit >= 1))
      throw new Error(`The plan "${name}" must have perSecond and perMonth, whole numbers from 1.`);
    for (const unknown of Object.keys(more))
      throw new Error(
        `Unknown property "${unknown}" of the plan "${name}". Known properties: perSecond, perMonth.`,
      );
  }
  return table as Plans;
}

/** Where accounts, keys and usage are stored. */
export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly file: string }
  | PostgresLocation;

export interface PostgresLocation {
  readonly kind: 'postgres';
  /** `postgres://user:password@host:port/name` */
  readonly url: string;
}

/** @param text `file:` and a path, or `postgres://user:password@host:port/name` */
export function databaseLocation(text: string): DatabaseLocation {
  const file = /^file:(?:\/\/(?=\/))?(.+)$/.exec(text)?.[1];
  if (file !== undefined) return { kind: 'sqlite', file };
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text))
    return { kind: 'postgres', url: text };
  throw new Invalid(
    'must be file: and a path, such as file:.data/pastpaper.db, or a URL such as postgres://user:password@host/name.',
  );
}

/** The location in words, without the password that it may hold. */
export function describeLocation(location: DatabaseLocation): string {
  if (location.kind === 'sqlite') return location.file;
  const { host, pathname } = new URL(location.url);
  return `${pathname.slice(1)} at ${host === '' ? 'this machine' : host}`;
}
