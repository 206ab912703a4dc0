/** Parsers for the values of settings. Each returns the value, or why it is invalid. */
import { isIP } from 'node:net';
import type { Plans } from '../build/release/plans.ts';
import { type Level, levels } from './log/logger.ts';

/** Characters of a secret in production. */
const minSecretLength = 32;

/** Seconds. */
const maxSeconds = 3600;

/** Why the value of a setting is invalid; the message continues after the setting's name. */
export class Invalid {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function anyText(text: string): string {
  return text;
}

export function port(text: string): number | Invalid {
  const number = Number(text);
  if (/^\d{1,5}$/.test(text) && number <= 65535) return number;
  return new Invalid(`is "${text}"; a port is a whole number from 0 to 65535.`);
}

export function bytes(text: string): number | Invalid {
  const number = Number(text);
  if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(number)) return number;
  return new Invalid(`is "${text}"; it is a whole number of bytes from 1, like 67108864.`);
}

/** @param least that the number may be */
export function wholeNumber(least: number): (text: string) => number | Invalid {
  return (text) => {
    const number = Number(text);
    if (/^\d{1,9}$/.test(text) && number >= least) return number;
    return new Invalid(`is "${text}"; it is a whole number from ${least} to 999999999.`);
  };
}

/** Seconds of a setting, an hour at most. */
export function milliseconds(text: string): number | Invalid {
  const seconds = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && seconds <= maxSeconds) return seconds * 1000;
  return new Invalid(`is "${text}"; it is a number of seconds from 0 to ${maxSeconds}, like 10.`);
}

export function logLevel(text: string): Level | Invalid {
  const level = levels.find((name) => name === text);
  return level ?? new Invalid(`is "${text}"; it is one of ${levels.join(', ')}.`);
}

function httpUrl(text: string): string | Invalid {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  return new Invalid(`is "${text}"; it is the whole address, like https://auth.example.org/introspect.`);
}

/** Rejects credentials in the URL, because log messages contain it. */
export function serviceUrl(text: string): string | Invalid {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url?.username && !url?.password) return httpUrl(text);
  return new Invalid('holds a user or password; INTROSPECTION_SECRET is the place for a secret.');
}

function headerText(text: string): string | Invalid {
  return /^[\x21-\x7e]+$/.test(text)
    ? text
    : new Invalid('holds characters that no HTTP header can; use printable ASCII.');
}

export function databaseLocation(text: string): DatabaseLocation | Invalid {
  return (
    parseLocation(text) ??
    new Invalid(
      'names no database; it is file: and a path, like file:.data/pastpaper.db, or an address like postgres://user:password@host/name.',
    )
  );
}

/** The message does not repeat the value, which may contain a password. */
export function redisAddress(text: string): string | Invalid {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isAddress =
    url !== undefined &&
    /^rediss?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    /^(\/\d*)?$/.test(url.pathname) &&
    [url.username, url.password].every(decodes);
  if (isAddress && url.search === '' && url.hash === '') return text;
  return new Invalid(
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
export function publicUrl(text: string): string | Invalid {
  const origin = text.replace(/\/$/, '');
  if (/^https?:\/\//.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin) return origin;
  return new Invalid(`is "${text}"; it is scheme and host alone, like https://api.example.org.`);
}

/** The message does not repeat the value, which may contain a password. */
export function mailServer(text: string): string | Invalid {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.protocol === 'smtp:' || url.protocol === 'smtps:') && url.hostname !== '') return text;
  return new Invalid('names no mail server; it is like smtps://user:password@mail.example.org.');
}

export function mailAddress(text: string): string | Invalid {
  if (/^[^@\s<>]+@[^@\s<>]+$/.test(text)) return text;
  return new Invalid(`is "${text}"; it is an address alone, like no-reply@example.org.`);
}

/** @param production there, what can be guessed is refused */
export function secret(production: boolean): (text: string) => string | Invalid {
  return (text) => {
    const ascii = headerText(text);
    if (ascii instanceof Invalid || !production || text.length >= minSecretLength) return ascii;
    return new Invalid(
      `has ${text.length} characters, too few for production; it has at least ${minSecretLength}, like those of openssl rand -base64 32.`,
    );
  };
}

export function keyPrefix(text: string): string | Invalid {
  if (/^[A-Za-z0-9._~-]{1,32}$/.test(text)) return text;
  return new Invalid(`is "${text}"; it is up to 32 letters, digits and . _ ~ -, like pfx_.`);
}

export function referenceUrl(text: string): string | Invalid {
  if (/^\/(?!\/)[\x21-\x7e]*$/.test(text)) return text;
  if (httpUrl(text) instanceof Invalid) {
    return new Invalid(`is "${text}"; it is a path of this service, like /docs/, or a whole address.`);
  }
  return new URL(text).href;
}

export function plansFile(path: string, readFile: (path: string) => string): Plans | Invalid {
  try {
    return parsePlans(readFile(path));
  } catch (error) {
    return new Invalid(`names ${path}, which is of no use: ${(error as Error).message}`);
  }
}

export function origins(text: string): ReadonlySet<string> | Invalid {
  const list = text.split(',').map((origin) => origin.trim());
  const wrong = list.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
  if (wrong === undefined) return new Set(list);
  return new Invalid(
    `holds "${wrong}"; an origin is scheme, host and port alone, like https://app.example.org.`,
  );
}

export function proxies(text: string): number | readonly string[] | Invalid {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  const list = text.split(',').map((address) => address.trim());
  const wrong = list.find((address) => !isProxyAddress(address));
  if (wrong === undefined) return list;
  return new Invalid(
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

/** Where accounts, keys and usage are kept. */
export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string };

/**
 * Reads a database's address.
 *
 * @param text `file:` and a path, or `postgres://user:password@host:port/name`
 * @returns undefined when it is neither
 */
export function parseLocation(text: string): DatabaseLocation | undefined {
  const file = /^file:(?:\/\/(?=\/))?(.+)$/.exec(text)?.[1];
  if (file !== undefined) return { kind: 'sqlite', file };
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return undefined;
  return { kind: 'postgres', url: text };
}

/** The location in words, without the password that it may hold. */
export function describeLocation(location: DatabaseLocation): string {
  if (location.kind === 'sqlite') return location.file;
  const { host, pathname } = new URL(location.url);
  return `${pathname.slice(1)} at ${host === '' ? 'this machine' : host}`;
}
