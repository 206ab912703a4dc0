import { originForm } from '../../../../gateway/server.ts';
import { nameOf, parseTarget, type Target } from '../../../../gateway/target.ts';
import { type RequestParts, valuesOf } from './request.ts';
import type { Access, StoredBody, StoredRelease } from './stored-release.ts';

/** The response to a request, according to specification and design. */
export interface Prediction {
  /** Any of these statuses, alone or followed by the message of the error. */
  readonly allowed: readonly string[];
  /** The bodies of a 200, or of a 304 if If-None-Match matches. */
  readonly served?: readonly StoredBody[];
  /** Any response of the authentication service, except 5xx. */
  readonly isService?: boolean;
  readonly request?: RequestParts;
}

/** Bytes that are rejected with one of these statuses, after which the connection is closed. */
export function rejectedWith(statuses: readonly number[]): Prediction {
  return { allowed: statuses.map(String) };
}

/** Keys in every state. All have the same length, so that byte offsets are reproducible. */
export interface Keys {
  readonly live: string;
  /** On a plan with a low rate. */
  readonly free: string;
  readonly revoked: string;
  readonly expired: string;
  readonly blocked: string;
  readonly unknown: string;
  /** With a wrong checksum. */
  readonly misspelt: string;
}

/** The keys that are valid for protected paths within their limits. */
export const validKeys = ['live', 'free'] as const;

/** The input of predictions beside the request. */
export interface ModelContext {
  readonly release: StoredRelease;
  readonly keys: Keys;
  readonly corsOrigin: string;
}

/** Predicts the response to a well-formed request. */
export function predictResponse(request: RequestParts, context: ModelContext): Prediction {
  const asked = askedBy(request.target);
  const said = outcome(request, asked, context);
  const allowed = [...said.allowed];
  // A parser may reject characters that are invalid in a URI (RFC 3986, 2), and other forms of target before the method.
  const isClean = /^[!$-;=?-Z[\]_a-z~]+$/.test(request.target);
  if (!isClean || (asked.kind === 'malformed' && !request.target.startsWith('/')))
    allowed.push('400');
  // Errors of the request itself come before the limits.
  const isAllowed = said.served !== undefined || allowed.some((one) => one.startsWith('404'));
  const isLimited = isAllowed && needsKey(asked);
  if (isLimited && validKeyOf(request, context.keys) === 'free') allowed.push('429');
  return { ...said, allowed, request };
}

/** Checks in the order of the design: method, URL, key, limits, existence. */
function outcome(
  request: RequestParts,
  asked: Asked,
  { release, keys, corsOrigin }: ModelContext,
): Prediction {
  const isProtected = needsKey(asked);
  // HTTP/1.0 has no transfer codings (RFC 9112, 6.1).
  if (request.version === 'HTTP/1.0' && valuesOf(request, 'transfer-encoding').length > 0)
    return error(400, 'Malformed request');
  if (asked.kind === 'service')
    return hasValidHost(request)
      ? { allowed: [], isService: true }
      : error(400, 'Malformed request');
  if (isProtected && isPreflight(request, corsOrigin)) return { allowed: ['204'] };
  if (request.method !== 'GET') return error(405, 'Method not allowed');
  if (asked.kind === 'malformed' || !hasValidHost(request)) return error(400, 'Malformed URL');
  if (asked.kind === 'root') return { allowed: ['302'] };
  if (asked.kind === 'invalid-year') return error(400, 'Invalid year format');
  return (isProtected && keyError(request, keys)) || found(asked, release);
}

function needsKey({ kind }: Asked): boolean {
  return kind === 'file' || kind === 'diagram' || kind === 'pack';
}

function error(status: number, message: string): Prediction {
  return { allowed: [`${status} ${message}`] };
}

/** Whether there is one valid Host field, which HTTP/1.1 requires (RFC 9112, 3.2). */
function hasValidHost(request: RequestParts): boolean {
  const [host, ...others] = valuesOf(request, 'host');
  if (host === undefined) return request.version === 'HTTP/1.0';
  return others.length === 0 && isHost(host);
}

/** A name or address, with an optional port of any length (RFC 3986, 3.2). */
function isHost(text: string): boolean {
  return /^(?:(?:[a-z0-9._~!$&'()*+,;=-]|%[0-9a-f][0-9a-f])*|\[[0-9a-f:.]+\])(?::[0-9]*)?$/i.test(
    text,
  );
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
  return validKeys.find((name) => others.length === 0 && header === `Bearer ${keys[name]}`);
}

function keyError(request: RequestParts, keys: Keys): Prediction | undefined {
  const headers = valuesOf(request, 'authorization');
  if (headers.length === 0) return error(401, 'Missing API key');
  if (headers.length > 1 || !/^Bearer [A-Za-z0-9._~+/-]+=*$/.test(headers[0] ?? ''))
    return error(401, 'Malformed Authorization header');
  return validKeyOf(request, keys) ? undefined : error(403, 'Invalid or expired API key');
}

function found(
  asked: Exclude<Asked, { kind: 'malformed' | 'invalid-year' | 'root' | 'service' }>,
  release: StoredRelease,
): Prediction {
  const resource = (access: Access, path: string, missing = 'File not found'): Prediction => {
    const served = release.resources[access].get(path);
    return served ? { allowed: ['200', '304'], served } : error(404, missing);
  };
  if (asked.kind === 'page') return resource('public', asked.path);
  const years = release.shifts.get(asked.exam);
  if (!years) return error(404, 'Exam not found');
  if (asked.kind === 'exam') return resource('public', asked.exam);
  const names = years.get(asked.year);
  if (!names) return error(404, 'Year not found');
  if (asked.kind === 'year') return resource('public', `${asked.exam}/${asked.year}`);
  const year = `${asked.exam}/${asked.year}`;
  if (asked.kind === 'questions') return resource('public', `${year}/questions.json`);
  if (asked.kind === 'pack' && asked.shift === 'all')
    return resource('protected', `${year}/all.zip`);
  const name = resolved(asked.shift, names);
  if (name === undefined) return error(404, 'Shift not found');
  if (asked.kind === 'pack') return resource('protected', `${year}/${name}.zip`);
  const folder = `${year}/${name}/${asked.kind === 'diagram' ? 'diagrams/' : ''}`;
  return resource('protected', folder + nameOf(asked.file));
}

/** Resolves a shift: exact name, then ordinal, then the first name with this prefix (design: Resources). */
function resolved(shift: string, names: readonly string[]): string | undefined {
  if (names.includes(shift)) return shift;
  const [, ordinal] = /^s([1-9][0-9]*)$/.exec(shift) ?? [];
  if (ordinal !== undefined) return names[Number(ordinal) - 1];
  const withoutYear = /^[0-9]{2}-[0-9]{2}/.test(shift);
  return names.find(
    (name) => name.startsWith(shift) || (withoutYear && name.slice(5).startsWith(shift)),
  );
}

type Asked = Target | { readonly kind: 'service' };

/** What a request target names: a path of the authentication service, or as test/gateway/target.test.ts proves. */
function askedBy(target: string): Asked {
  const path = originForm(target);
  if (path === undefined) return { kind: 'malformed' };
  return /^\/auth(?:[/?#]|$)/.test(path) ? { kind: 'service' } : parseTarget(path);
}
