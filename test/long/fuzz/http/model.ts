import type { Keys } from './keys.ts';
import { type RequestParts, valuesOf } from './request.ts';
import type { Access, Served, ServedRelease } from './served.ts';
import { type Asked, askedBy } from './target-model.ts';

/**
 * What specification and design say to a request that is well-formed HTTP. `refused` may be said beside it, where they
 * leave it open whether a request is malformed.
 */
export type Prediction = (
  | { readonly kind: 'error'; readonly status: number; readonly message: string }
  /** 200, 304 where the client has it already. */
  | { readonly kind: 'resource'; readonly served: readonly Served[] }
  | { readonly kind: 'redirect' | 'preflight' }
  /** The one or the other, and the connection ends. */
  | { readonly kind: 'refused'; readonly statuses: readonly number[] }
  /** Of the authentication service: whatever it says, but no fault of its own. */
  | { readonly kind: 'service' }
) & {
  readonly request: RequestParts;
  /** The rate or the quota of its plan may be spent. */
  readonly mayBeLimited: boolean;
  readonly mayBeMalformed: boolean;
};

/** What predictions stand on. */
export interface Known {
  readonly release: ServedRelease;
  readonly keys: Keys;
  readonly corsOrigin: string;
}

type Outcome = Prediction extends infer Each
  ? Each extends Prediction
    ? Omit<Each, 'request' | 'mayBeLimited' | 'mayBeMalformed'>
    : never
  : never;

/** The order of checks is the design's: method, shape, key, limits, existence. */
export function predicted(request: RequestParts, known: Known): Prediction {
  const asked = askedBy(request.target);
  const key = request.method === 'GET' ? openedBy(request, known.keys) : undefined;
  const meant = asked ?? leniently(request.target);
  const said = outcome(request, meant, known);
  const isProtected = meant.kind === 'file' || meant.kind === 'diagram';
  // What is said of the request itself is said before the limits are looked at.
  const isLimited =
    isProtected && (said.kind === 'resource' || (said.kind === 'error' && said.status === 404));
  return {
    ...said,
    request,
    mayBeLimited: isLimited && (key === 'free' || key === 'counted'),
    // Of what is no form of a target, a parser may complain before it is known that the method is none of these.
    mayBeMalformed: asked === undefined || (asked.kind === 'malformed' && !request.target.startsWith('/')),
  };
}

function outcome(request: RequestParts, asked: Asked, { release, keys, corsOrigin }: Known): Outcome {
  const isProtected = asked.kind === 'file' || asked.kind === 'diagram';
  if (asked.kind === 'service') return { kind: 'service' };
  if (isProtected && isPreflight(request, corsOrigin)) return { kind: 'preflight' };
  if (request.method !== 'GET') return error(405, 'Method not allowed');
  if (asked.kind === 'malformed' || !namesAHost(request)) return error(400, 'Malformed URL');
  if (!('segments' in asked))
    return asked.kind === 'root' ? { kind: 'redirect' } : error(400, 'Invalid year format');
  if (isProtected) {
    const refusal = refusalOfKey(request, keys);
    if (refusal) return refusal;
  }
  return found(asked, release);
}

function error(status: number, message: string): Outcome {
  return { kind: 'error', status, message };
}

/** One Host of a host's form, in HTTP/1.1 (RFC 9112, 3.2). */
function namesAHost(request: RequestParts): boolean {
  const [host, ...others] = valuesOf(request, 'host');
  if (host === undefined) return request.version === 'HTTP/1.0';
  return others.length === 0 && isHost(host);
}

/** Names and addresses, perhaps with a port (RFC 3986, 3.2); the port need be none of TCP. */
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

/** Which of the keys opens a protected path here. */
function openedBy(request: RequestParts, keys: Keys): keyof Keys | undefined {
  const [header = '', ...others] = valuesOf(request, 'authorization');
  return (['live', 'free', 'counted'] as const).find(
    (name) => others.length === 0 && header === `Bearer ${keys[name]}`,
  );
}

function refusalOfKey(request: RequestParts, keys: Keys): Outcome | undefined {
  const headers = valuesOf(request, 'authorization');
  if (headers.length === 0) return error(401, 'Missing API key');
  if (headers.length > 1 || !/^Bearer [A-Za-z0-9._~+/-]+=*$/.test(headers[0] ?? ''))
    return error(401, 'Malformed Authorization header');
  return openedBy(request, keys) ? undefined : error(403, 'Invalid or expired API key');
}

function found(asked: Extract<Asked, { segments: unknown }>, release: ServedRelease): Outcome {
  const [exam = '', year = '', shift = '', fourth = '', fifth] = asked.segments;
  const resource = (access: Access, path: string, missing: string): Outcome => {
    const served = release.resources[access].get(path);
    // A slash that was encoded is a part of a name, and no name of a release holds one.
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

/** Exact name, then ordinal, then the first in chronological order that begins so (design: Resources). */
function resolved(shift: string, names: readonly string[]): string | undefined {
  if (names.includes(shift)) return shift;
  const [, ordinal] = /^s([1-9][0-9]*)$/.exec(shift) ?? [];
  if (ordinal !== undefined) return names[Number(ordinal) - 1];
  const withoutYear = /^[0-9]{2}-[0-9]{2}/.test(shift);
  return names.find((name) => name.startsWith(shift) || (withoutYear && name.slice(5).startsWith(shift)));
}

/** What a target asks for that holds what no URI does, where a server takes that as it is. */
function leniently(target: string): Asked {
  const encoded = target.replace(/[^!$-;=?-Z[\]_a-z~]/g, encodeURIComponent);
  return askedBy(encoded) ?? { kind: 'malformed' };
}
