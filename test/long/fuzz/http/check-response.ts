import { validKeys } from './gateway-under-test.ts';
import type { ModelContext, Prediction } from './model.ts';
import { valuesOf } from './request.ts';
import type { HttpResponse } from './response-reader.ts';
import type { Coding, StoredBody } from './stored-release.ts';

/** Messages of the specification (section 7), of the design (HTTP), and on invalid HTTP. */
const messages: Readonly<Record<number, readonly string[]>> = {
  400: ['Malformed URL', 'Malformed request', 'Invalid year format'],
  401: ['Missing API key', 'Malformed Authorization header'],
  403: ['Invalid or expired API key'],
  404: ['Exam not found', 'Year not found', 'Shift not found', 'File not found'],
  405: ['Method not allowed'],
  408: ['Request timeout'],
  429: ['Rate limit exceeded'],
  505: ['HTTP version not supported'],
};

/** Compares a response with the prediction. @returns what is wrong with it, if anything */
export function checkResponse(
  response: HttpResponse,
  prediction: Prediction,
  context: ModelContext,
): string | undefined {
  const { request } = prediction;
  if (prediction.kind === 'service') return checkServiceResponse(response);
  const isHead = request.method === 'HEAD' && !(prediction.mayBeMalformed && response.body.length > 0);
  const inItself = checkGeneralRules(response, context, isHead);
  if (inItself !== undefined) return inItself;
  const { status } = response;
  if (prediction.mayBeMalformed && status === 400) return undefined;
  if (prediction.mayBeLimited && status === 429) return undefined;
  switch (prediction.kind) {
    case 'error': {
      const said = isHead ? prediction.message : messageOf(response);
      const right = status === prediction.status && said === prediction.message;
      return right ? undefined : `${status} ${said}, not ${prediction.status} ${prediction.message}`;
    }
    case 'rejected':
      return prediction.statuses.includes(status) ? undefined : `${status}, not ${prediction.statuses.join(' or ')}`;
    case 'redirect':
      return status === 302 ? undefined : `${status}, not 302`;
    case 'preflight':
      return status === 204 ? undefined : `${status}, not 204`;
    case 'resource':
      return checkResource(response, prediction, prediction.served);
  }
}

function checkResource(
  response: HttpResponse,
  { request }: Prediction,
  served: readonly StoredBody[],
): string | undefined {
  const { status, fields } = response;
  const etag = fields.get('etag') ?? '';
  const variant = served.find((one) => one.etag === etag);
  if (status !== 200 && status !== 304) return `${status}, not 200 or 304`;
  if (!variant) return `the ETag ${etag} is of no body of ${served[0]?.path}`;
  const available = served.map(({ coding }) => coding);
  const accepted = acceptableCodings(valuesOf(request, 'accept-encoding'), available);
  if (!accepted.includes(variant.coding)) return `the coding ${variant.coding}, where ${accepted} would do`;
  const notModified = matchesETag(valuesOf(request, 'if-none-match'), etag);
  if (notModified !== undefined && notModified !== (status === 304)) return `${status} to If-None-Match`;
  return undefined;
}

/**
 * Checks a response to an unknown request.
 *
 * @param sent all bytes that were sent on the connection
 * @returns what is wrong with it, if anything
 */
export function checkAnyResponse(
  response: HttpResponse,
  context: ModelContext,
  isHead: boolean,
  sent: string,
): string | undefined {
  const failure = checkGeneralRules(response, context, isHead, sent);
  if (failure === undefined || !sent.includes('/auth')) return failure;
  return checkServiceResponse(response);
}

function checkGeneralRules(
  response: HttpResponse,
  context: ModelContext,
  isHead: boolean,
  sent?: string,
): string | undefined {
  const { status, fields, body } = response;
  if (fields.get('x-content-type-options') !== 'nosniff') return `${status} without nosniff`;
  switch (status) {
    case 200:
    case 304:
      return checkBody(response, context, sent);
    case 302:
      return fields.get('location') === '/docs/' && body.length === 0 ? undefined : 'a wrong redirect';
    case 204:
      return fields.get('access-control-allow-origin') === context.corsOrigin
        ? undefined
        : 'a preflight response with a wrong origin';
    default:
      return checkErrorResponse(response, isHead);
  }
}

function checkErrorResponse({ status, fields, body }: HttpResponse, isHead: boolean): string | undefined {
  const allowed = messages[status];
  if (!allowed) return `the status ${status}, ${body.toString('utf8', 0, 200)}`;
  const bodies = allowed.map((message) => JSON.stringify({ error: message }));
  if (isHead ? body.length > 0 : !bodies.includes(body.toString()))
    return `${status} with ${JSON.stringify(body.toString('utf8', 0, 200))}`;
  const expected: [name: string, value: RegExp][] = [
    ['content-type', /^application\/json; charset=utf-8$/],
    ['cache-control', status === 404 ? /^(no-store|public, max-age=60)$/ : /^no-store$/],
    ...(status === 405 ? [['allow', /^GET$/] as [string, RegExp]] : []),
    ...(status === 401 ? [['www-authenticate', /^Bearer$/] as [string, RegExp]] : []),
    ...(status === 429 ? [['retry-after', /^[1-9][0-9]*$/] as [string, RegExp]] : []),
  ];
  const wrong = expected.find(([name, value]) => !value.test(fields.get(name) ?? ''));
  return wrong && `${status} with ${wrong[0]}: ${fields.get(wrong[0])}`;
}

/** Compares a body with the release. A protected body also requires a valid key in the sent bytes. */
function checkBody(
  { status, fields, body }: HttpResponse,
  context: ModelContext,
  sent: string | undefined,
): string | undefined {
  const etag = fields.get('etag') ?? '';
  const coding = status === 304 ? undefined : (fields.get('content-encoding') ?? 'identity');
  const type = status === 304 ? undefined : fields.get('content-type');
  const served = context.release.byTag
    .get(etag)
    ?.filter((one) => one.coding === (coding ?? one.coding) && one.mediaType === (type ?? one.mediaType));
  const [first] = served ?? [];
  if (!first) return `${status} with the ETag ${etag}, ${coding}, ${type}: the release has no such body`;
  if (status === 200 && !first.bytes.equals(body)) return `other bytes than ${first.path} has`;
  const isProtected = served?.every(({ access }) => access === 'protected') === true;
  const caching = isProtected ? 'private, no-cache' : 'public, max-age=300, stale-while-revalidate=86400';
  if (fields.get('cache-control') !== caching)
    return `${first.path} with Cache-Control: ${fields.get('cache-control')}`;
  if (isProtected && sent !== undefined && !validKeys.some((name) => sent.includes(context.keys[name])))
    return `${first.path} without a key`;
  return undefined;
}

/** Responses of the authentication service must not be 5xx, and its errors have one format. */
function checkServiceResponse({ status, body }: HttpResponse): string | undefined {
  if (status >= 500) return `${status} of the authentication service: ${body.toString('utf8', 0, 200)}`;
  if (status < 400 || body.length === 0) return undefined;
  try {
    const said: unknown = JSON.parse(body.toString());
    if (typeof said === 'object' && said !== null && Object.keys(said).join() === 'error') return undefined;
  } catch {
    // Reported below.
  }
  return `${status} of the authentication service with ${body.toString('utf8', 0, 200)}`;
}

function messageOf({ body }: HttpResponse): unknown {
  return body.toString('utf8', 0, 100).slice('{"error":"'.length, -'"}'.length);
}

/**
 * The content codings that a server may choose (RFC 9110, 12.5.3): the preferred ones of the client, or identity if it
 * accepts none. All of them if the field is invalid.
 *
 * @param values the values of the field's lines
 */
export function acceptableCodings(values: readonly string[], available: readonly Coding[]): readonly Coding[] {
  if (values.length === 0) return ['identity'];
  const weights = new Map<string, number>();
  for (const item of values.join(',').split(',')) {
    const [, name, weight = '1'] =
      /^[ \t]*(br|gzip|identity|deflate|zstd|\*)(?:[ \t]*;[ \t]*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?[ \t]*$/.exec(
        item,
      ) ?? [];
    // An invalid item or a duplicate coding is ambiguous.
    if (name === undefined || weights.has(name)) return available;
    weights.set(name, Number(weight));
  }
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get('*') ?? (coding === 'identity' ? 0.001 : 0);
  const accepted = available.filter((coding) => weightOf(coding) > 0);
  if (accepted.length === 0) return ['identity'];
  const best = Math.max(...accepted.map(weightOf));
  // Identity is the last choice if it is not named.
  return accepted.filter((coding) => weightOf(coding) === best);
}

/**
 * Whether If-None-Match matches an ETag (RFC 9110, 13.1.2).
 *
 * @returns undefined if the field is invalid or occurs twice
 */
export function matchesETag(values: readonly string[], etag: string): boolean | undefined {
  const [value, ...others] = values;
  if (value === undefined) return false;
  if (others.length > 0) return undefined;
  if (value === '*') return true;
  const tag = '(?:W/)?"[!#-~\\x80-\\xff]*"';
  if (!new RegExp(`^${tag}(?:[ \\t]*,[ \\t]*${tag})*$`).test(value)) return undefined;
  return value.split(/[ \t]*,[ \t]*(?=W\/"|")/).some((one) => one.replace(/^W\//, '') === etag);
}
