/** Parsers for the values of settings. Each returns the value or throws `Invalid`. */
import { isIP } from 'node:net';
import type { Plans } from '../build/release/plans.ts';
import { levels } from './log/logger.ts';

/** Characters of a secret in production. */
const minSecretLength = 32;

/** Seconds. */
const maxSeconds = 3600;

/** Why the value of a setting is invalid; the message continues after the setting's name. */
export class Invalid extends Error {
  override readonly name = 'Invalid';
}

function invalid(text: string, expected: string): never {
  throw new Invalid(`is "${text}"; ${expected}.`);
}

export function anyText(text: string): string {
  return text;
}

/** Scope tokens, separated by spaces (RFC 6749, 3.3). */
export function scopes(text: string): readonly string[] {
  const list = text.split(' ');
  if (list.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))) return list;
  return invalid(text, 'it is one or more scopes with a space between them, like papers:read');
}

/** @param what the number is, for the message */
export function wholeNumber(least: number, most = 999_999_999, what = 'it'): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d{1,9}$/.test(text) && number >= least && number <= most) return number;
    return invalid(text, `${what} is a whole number from ${least} to ${most}`);
  };
}

export const port = wholeNumber(0, 65535, 'a port');

/** Processes that serve requests: beyond this many, another machine helps more. */
const maxWorkers = 64;

/** @param cores that the process may use */
export function workers(text: string, cores: number): number {
  const number = text === 'auto' ? Math.min(cores, maxWorkers) : Number(text);
  if ((text === 'auto' || /^\d{1,2}$/.test(text)) && number >= 1 && number <= maxWorkers) return number;
  return invalid(text, `it is auto, one for each core, or a whole number from 1 to ${maxWorkers}`);
}

export function bytes(text: string): number {
  const number = Number(text);
  if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(number)) return number;
  return invalid(text, 'it is a whole number of bytes from 1, like 67108864');
}

/** Seconds of a setting, an hour at most. */
export function milliseconds(text: string): number {
  const seconds = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && seconds <= maxSeconds) return seconds * 1000;
  return invalid(text, `it is a number of seconds from 0 to ${maxSeconds}, like 10`);
}

export function logLevel(text: string): (typeof levels)[number] {
  return levels.find((name) => name === text) ?? invalid(text, `it is one of ${levels.join(', ')}`);
}

function matching(pattern: RegExp, expected: string): (text: string) => string {
  return (text) => (pattern.test(text) ? text : invalid(text, expected));
}

export const keyPrefix = matching(
  /^[A-Za-z0-9._~-]{1,32}$/,
  'it is up to 32 letters, digits and . _ ~ -, like pfx_',
);
export const mailAddress = matching(
  /^[^@\s<>]+@[^@\s<>]+$/,
  'it is an address alone, like no-reply@example.org',
);

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** Rejects credentials in the URL, because log messages contain it. */
export function serviceUrl(text: string): string {
  const url = parseUrl(text);
  if (url?.username || url?.password)
    throw new Invalid('holds a user or password; INTROSPECTION_SECRET is the place for a secret.');
  if (url && /^https?:$/.test(url.protocol)) return text;
  return invalid(text, 'it is the whole address, like https://auth.example.org/introspect');
}

/** The message does not repeat the value, which may contain a password. */
export function redisAddress(text: string): string {
  const url = parseUrl(text);
  const isAddress =
    url !== undefined &&
    /^rediss?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    /^(\/\d*)?$/.test(url.pathname) &&
    [url.username, url.password].every(decodes);
  if (isAddress && url.search === '' && url.hash === '') return text;
  throw new Invalid(
    'names no Redis; it is like redis://user:password@redis.example.org:6379, or rediss: for TLS.',
  );
}

function decodes(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** The origin under which users reach the service. */
export function publicUrl(text: string): string {
  const origin = text.replace(/\/$/, '');
  if (/^https?:\/\//.test(origin) && parseUrl(origin)?.origin === origin) return origin;
  return invalid(text, 'it is scheme and host alone, like https://api.example.org');
}

/** The message does not repeat the value, which may contain a password. */
export function mailServer(text: string): string {
  const url = parseUrl(text);
  if (url && /^smtps?:$/.test(url.protocol) && url.hostname !== '') return text;
  throw new Invalid('names no mail server; it is like smtps://user:password@mail.example.org.');
}

/** Only what HTTP header fields can carry. `weaknessOf` finds secrets that can be guessed. */
export function secret(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new Invalid('holds characters that no HTTP header can; use printable ASCII.');
}

/** The fewest different characters of a secret. One random secret of 32 hex digits in 10 million has fewer. */
const minDifferent = 8;

/** Words of samples and defaults, so long that hardly any random secret contains one. */
const placeholder =
  /change|replace|placeholder|example|sample|default|secret|password|openssl|random|qwerty|letmein|insert|\byour[-_]/i;

/** Why a secret can be guessed, to follow the setting's name in a sentence; undefined for a random one. */
export function weaknessOf(secret: string): string | undefined {
  if (secret.length < minSecretLength)
    return `has ${secret.length} characters, too few for production: it needs at least ${minSecretLength}`;
  if (placeholder.test(secret)) return 'contains a word of a placeholder';
  if (new Set(secret).size < minDifferent) return 'has few different characters';
  const codes = Array.from(secret, (character) => character.charCodeAt(0));
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  // The characters of abcdef and a1b2c3 do not repeat, but the steps between them do.
  if (repeats(codes) || repeats(steps)) return 'repeats itself or is a sequence';
  return /^[a-z]+([^A-Za-z0-9]+[a-z]+)*$/.test(secret) ? 'consists of lower-case words' : undefined;
}

/** Whether most items equal the one before them at some distance, which is less than the length of a good secret. */
function repeats(items: readonly number[]): boolean {
  const length = Math.min(minSecretLength - 1, items.length / 2);
  return Array.from({ length }, (_, index) => items.slice(index + 1)).some(
    (later) => later.filter((item, index) => item === items[index]).length > later.length / 2,
  );
}

export function referenceUrl(text: string): string {
  if (/^\/(?!\/)[\x21-\x7e]*$/.test(text)) return text;
  const url = parseUrl(text);
  if (url && /^https?:$/.test(url.protocol)) return url.href;
  return invalid(text, 'it is a path of this service, like /docs/, or a whole address');
}

export function plansFile(path: string, readFile: (path: string) => string): Plans {
  try {
    return parsePlans(readFile(path));
  } catch (error) {
    throw new Invalid(`names ${path}, which is of no use: ${(error as Error).message}`);
  }
}

/** Splits a list at its commas. */
function listOf(text: string, isValid: (item: string) => boolean, expected: string): readonly string[] {
  const list = text.split(',').map((item) => item.trim());
  const wrong = list.find((item) => !isValid(item));
  if (wrong === undefined) return list;
  throw new Invalid(`holds "${wrong}"; ${expected}.`);
}

export function origins(text: string): ReadonlySet<string> {
  return new Set(
    listOf(
      text,
      (origin) => parseUrl(origin)?.origin === origin,
      'an origin is scheme, host and port alone, like https://app.example.org',
    ),
  );
}

export function proxies(text: string): number | readonly string[] {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  return listOf(
    text,
    isProxyAddress,
    'it is how many proxies stand before the gateway, or their addresses, like 10.0.0.0/8',
  );
}

function isProxyAddress(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', length = '0', ...more] = text.split('/');
  const bits = isIP(address) === 6 ? 128 : 32;
  return isIP(address) > 0 && more.length === 0 && /^\d{1,3}$/.test(length) && Number(length) <= bits;
}

/**
 * Reads a table of plans: `{"free": {"perSecond": 2, "perMonth": 1000}, ...}`.
 *
 * @throws Error with a sentence on what is wrong
 */
export function parsePlans(text: string): Plans {
  const table: unknown = JSON.parse(text);
  if (!isObject(table) || Object.keys(table).length === 0) {
    throw new Error('It is an object of plans by name, like {"free": {"perSecond": 2, "perMonth": 1000}}.');
  }
  for (const [name, plan] of Object.entries(table)) {
    if (!isObject(plan) || !isLimit(plan['perSecond']) || !isLimit(plan['perMonth'])) {
      throw new Error(`The plan "${name}" needs perSecond and perMonth, whole numbers from 1.`);
    }
    const unknown = Object.keys(plan).find((property) => property !== 'perSecond' && property !== 'perMonth');
    if (unknown !== undefined) throw new Error(`The plan "${name}" has no property "${unknown}".`);
  }
  return table as Plans;
}

/** The plan of accounts without a plan of their own: `free`, or the first of the table. */
export function defaultPlan(plans: Plans): string {
  const [first = 'free'] = Object.keys(plans);
  return Object.hasOwn(plans, 'free') ? 'free' : first;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isLimit(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

/** Where accounts, keys and usage are stored. */
export type DatabaseLocation = { readonly kind: 'sqlite'; readonly file: string } | PostgresLocation;

export interface PostgresLocation {
  readonly kind: 'postgres';
  /** `postgres://user:password@host:port/name` */
  readonly url: string;
  /** Whether connections keep prepared statements; by default they do. */
  readonly prepared?: boolean;
}

export function onOrOff(text: string): boolean {
  return text === 'on' || (text !== 'off' && invalid(text, 'it is on or off'));
}

/** @param text `file:` and a path, or `postgres://user:password@host:port/name` */
export function databaseLocation(text: string): DatabaseLocation {
  const file = /^file:(?:\/\/(?=\/))?(.+)$/.exec(text)?.[1];
  if (file !== undefined) return { kind: 'sqlite', file };
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) return { kind: 'postgres', url: text };
  throw new Invalid(
    'names no database; it is file: and a path, like file:.data/pastpaper.db, or an address like postgres://user:password@host/name.',
  );
}

/** The location in words, without the password that it may hold. */
export function describeLocation(location: DatabaseLocation): string {
  if (location.kind === 'sqlite') return location.file;
  const { host, pathname } = new URL(location.url);
  return `${pathname.slice(1)} at ${host === '' ? 'this machine' : host}`;
}
