import type { Keys } from './gateway-under-test.ts';
import { type RequestParts, valuesOf } from './request.ts';
import type { Access, StoredBody, StoredRelease } from './stored-release.ts';

/**
 * The response to a well-formed request, according to specification and design.
 */
export type Prediction = (
  | { readonly kind: 'error'; readonly status: number; readonly message: string }
  /** 200, or 304 if If-None-Match matches. */
  | { readonly kind: 'resource'; readonly served: readonly StoredBody[] }
  | { readonly kind: 'redirect' | 'preflight' }
  /** One of these statuses, after which the connection is closed. */
  | { readonly kind: 'rejected'; readonly statuses: readonly number[] }
  /** Any response of the authentication service, except 5xx. */
  | { readonly kind: 'service' }
) & {
  readonly request: RequestParts;
  /** The request may exceed the rate or the quota of its plan. */
  readonly mayBeLimited: boolean;
  /** A parser may reject the request as malformed. */
  readonly mayBeMalformed: boolean;
};

/** The input of predictions beside the request. */
export interface ModelContext {
  readonly release: StoredRelease;
  readonly keys: Keys;
  readonly corsOrigin: string;
}

type Outcome = Prediction extends infer Each
  ? Each extends Prediction
    ? Omit<Each, 'request' | 'mayBeLimited' | 'mayBeMalformed'>
    : never
  : never;

/** Checks in the order of the design: method, URL, key, limits, existence. */
export function predictResponse(request: RequestParts, context: ModelContext): Prediction {
  const asked = parseTarget(request.target);
  const key = request.method === 'GET' ? validKeyOf(request, context.keys) : undefined;
  const meant = asked ?? leniently(request.target);
  const said = outcome(request, meant, context);
  const isProtected = meant.kind === 'file' || meant.kind === 'diagram';
  // Errors of the request itself come before the limits.
  const isLimited = isProtected && (said.kind === 'resource' || (said.kind === 'error' && said.status === 404));
  return {
    ...said,
    request,
    mayBeLimited: isLimited && (key === 'free' || key === 'counted'),
    // A parser may reject an invalid form of target before it checks the method.
    mayBeMalformed: asked === undefined || (asked.kind === 'malformed' && !request.target.startsWith('/')),
  };
}

function outcome(request: RequestParts, asked: ParsedTarget, { release, keys, corsOrigin }: ModelContext): Outcome {
  const isProtected = asked.kind === 'file' || asked.kind === 'diagram';
  // HTTP/1.0 has no transfer codings (RFC 9112, 6.1).
  if (request.version === 'HTTP/1.0' && valuesOf(request, 'transfer-encoding').length > 0)
    return error(400, 'Malformed request');
  if (asked.kind === 'service') return hasValidHost(request) ? { kind: 'service' } : error(400, 'Malformed request');
  if (isProtected && isPreflight(request, corsOrigin)) return { kind: 'preflight' };
  if (request.method !== 'GET') return error(405, 'Method not allowed');
  if (asked.kind === 'malformed' || !hasValidHost(request)) return error(400, 'Malformed URL');
  if (!('segments' in asked)) return asked.kind === 'root' ? { kind: 'redirect' } : error(400, 'Invalid year format');
  if (isProtected) {
    const refusal = keyError(request, keys);
    if (refusal) return refusal;
  }
  return found(asked, release);
}

function error(status: number, message: string): Outcome {
  return { kind: 'error', status, message };
}

/** Whether there is one valid Host field, which HTTP/1.1 requires (RFC 9112, 3.2). */
function hasValidHost(request: RequestParts): boolean {
  const [host, ...others] = valuesOf(request, 'host');
  if (host === undefined) return request.version === 'HTTP/1.0';
  return others.length === 0 && isHost(host);
}

/** A name or address, with an optional port of any length (RFC 3986, 3.2). */
function isHost(text: string): boolean {
  return /^(?:(?:[a-z0-9._~!$&'()*+,;=-]|%[0-9a-f][0-9a-f])*|\[[0-9a-f:.]+\])(?::[0-9]*)?$/i.test(text);
}

function isPreflight(request: RequestParts, corsOrigin: string): boolean {
  return (
    request.method === 'OPTIONS' &&
    valuesOf(request, 'origin').join(', ') === corsOrigin &&
    valuesOf(request, 'access-control-request-method').length > 0
  );
}

/** The valid key of the request, if it has one. */
function validKeyOf(request: RequestParts, keys: Keys): keyof Keys | undefined {
  const [header = '', ...others] = valuesOf(request, 'authorization');
  return (['live', 'free', 'counted'] as const).find(
    (name) => others.length === 0 && header === `Bearer ${keys[name]}`,
  );
}

function keyError(request: RequestParts, keys: Keys): Outcome | undefined {
  const headers = valuesOf(request, 'authorization');
  if (headers.length === 0) return error(401, 'Missing API key');
  if (headers.length > 1 || !/^Bearer [A-Za-z0-9._~+/-]+=*$/.test(headers[0] ?? ''))
    return error(401, 'Malformed Authorization header');
  return validKeyOf(request, keys) ? undefined : error(403, 'Invalid or expired API key');
}

function found(asked: Extract<ParsedTarget, { segments: unknown }>, release: StoredRelease): Outcome {
  const [exam = '', year = '', shift = '', fourth = '', fifth] = asked.segments;
  const resource = (access: Access, path: string, missing: string): Outcome => {
    const served = release.resources[access].get(path);
    // An encoded slash is part of a name, and no name in a release contains one.
    return served && !asked.segments.some((segment) => segment.includes('/'))
      ? { kind: 'resource', served }
      : error(404, missing);
  };
  if (asked.kind === 'page') return resource('public', asked.segments.join('/'), 'File not found');
  const years = release.shifts.get(exam);
  if (!years) return error(404, 'Exam not found');
  if (asked.kind === 'exam') return resource('public', exam, 'Exam not found');
  const names = years.get(year);
  if (!names) return error(404, 'Year not found');
  if (asked.kind === 'year') return resource('public', `${exam}/${year}`, 'Year not found');
  const name = resolved(shift, names);
  if (name === undefined) return error(404, 'Shift not found');
  const path = [exam, year, name, fourth, ...(fifth === undefined ? [] : [fifth])].join('/');
  return resource('protected', path, 'File not found');
}

/** Resolves a shift: exact name, then ordinal, then the first name with this prefix (design: Resources). */
function resolved(shift: string, names: readonly string[]): string | undefined {
  if (names.includes(shift)) return shift;
  const [, ordinal] = /^s([1-9][0-9]*)$/.exec(shift) ?? [];
  if (ordinal !== undefined) return names[Number(ordinal) - 1];
  const withoutYear = /^[0-9]{2}-[0-9]{2}/.test(shift);
  return names.find((name) => name.startsWith(shift) || (withoutYear && name.slice(5).startsWith(shift)));
}

/** Parses a target with characters that are invalid in a URI, as a lenient server does. */
function leniently(target: string): ParsedTarget {
  const encoded = target.replace(/[^!$-;=?-Z[\]_a-z~]/g, encodeURIComponent);
  return parseTarget(encoded) ?? { kind: 'malformed' };
}

/** The meaning of a request target: a second implementation of the design (HTTP) and section 4 of the specification. */
export type ParsedTarget =
  | { readonly kind: 'malformed' }
  | { readonly kind: 'invalid-year' }
  | { readonly kind: 'root' }
  /** A path of the authentication service. */
  | { readonly kind: 'service' }
  | { readonly kind: 'page'; readonly segments: readonly string[] }
  | { readonly kind: 'exam' | 'year' | 'file' | 'diagram'; readonly segments: readonly string[] };

const ownNames = ['docs', 'dashboard', 'auth', 'favicon.ico', 'robots.txt'];

/**
 * @returns undefined if it has characters that are invalid in a URI (RFC 3986, 2), which a server may reject or accept
 */
export function parseTarget(target: string): ParsedTarget | undefined {
  if (/^\/auth(?:[/?#]|$)/.test(target)) return { kind: 'service' };
  // Queries are ignored, but a server may reject invalid characters in them.
  if (!/^[!$-;=?-Z[\]_a-z~]+$/.test(target))
    return /#/.test(target.split('?')[0] ?? '') ? malformedIfClean(target) : undefined;
  const path = pathOf(target);
  if (path === undefined) return { kind: 'malformed' };
  if (/^\/auth(\/|$)/.test(path)) return { kind: 'service' };
  const segments = segmentsOf(path);
  if (!segments) return { kind: 'malformed' };
  const [exam, year, , fourth] = segments;
  if (exam === undefined) return { kind: 'root' };
  if (ownNames.includes(exam)) return { kind: 'page', segments };
  switch (segments.length) {
    case 1:
      return { kind: 'exam', segments };
    case 2:
      return isYear(year) ? { kind: 'year', segments } : { kind: 'invalid-year' };
    case 4:
      return isYear(year) ? { kind: 'file', segments } : { kind: 'invalid-year' };
    case 5:
      if (fourth !== 'diagrams') return { kind: 'malformed' };
      return isYear(year) ? { kind: 'diagram', segments } : { kind: 'invalid-year' };
    default:
      return { kind: 'malformed' };
  }
}

/** A request target has no fragment (RFC 9112, 3.2). */
function malformedIfClean(target: string): ParsedTarget | undefined {
  return /^\/[!#$-;=?-Z[\]_a-z~]*$/.test(target) ? { kind: 'malformed' } : undefined;
}

/** The path of a target in origin-form or absolute-form. */
function pathOf(target: string): string | undefined {
  const [beforeQuery = ''] = target.split('?');
  if (beforeQuery.startsWith('/')) return beforeQuery;
  const [, authority, path] = /^https?:\/\/([^/?]*)(\/.*)?$/i.exec(beforeQuery) ?? [];
  if (authority === undefined || !isAuthority(authority)) return undefined;
  return path ?? '/';
}

/** A host with an optional port, without user information (RFC 9110, 4.2.4). */
function isAuthority(text: string): boolean {
  const [, host = '', port] = /^(.*?)(?::([0-9]*))?$/.exec(text) ?? [];
  if (port !== undefined && Number(port) > 65_535) return false;
  return /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$|^\[::1\]$/i.test(host);
}

function segmentsOf(path: string): string[] | undefined {
  const names = path.slice(1).split('/');
  if (names.at(-1) === '') names.pop();
  const decoded = names.map(decode);
  const isSound = (segment: string | undefined) => segment !== undefined && !/^\.{0,2}$/.test(segment);
  return decoded.every(isSound) ? (decoded as string[]) : undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes percent-encoded UTF-8 (RFC 3986, 2.1 and 2.5); undefined if it is invalid. */
function decode(segment: string): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(segment)) return undefined;
  const bytes = Buffer.from(
    segment.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function isYear(text: string | undefined): boolean {
  return text !== undefined && /^[0-9]{4}$/.test(text);
}
