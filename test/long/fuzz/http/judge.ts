import type { Answer } from './answer-reader.ts';
import { negotiable, notModifiedBy } from './conditions.ts';
import { openingKeys } from './keys.ts';
import type { Known, Prediction } from './model.ts';
import { valuesOf } from './request.ts';
import type { Served } from './served.ts';

/** Messages of the specification (section 7) and the design (HTTP), and those on requests that are no HTTP. */
const messages: Readonly<Record<number, readonly string[]>> = {
  400: ['Malformed URL', 'Malformed request', 'Invalid year format'],
  401: ['Missing API key', 'Malformed Authorization header'],
  403: ['Invalid or expired API key'],
  404: ['Exam not found', 'Year not found', 'Shift not found', 'File not found'],
  405: ['Method not allowed'],
  408: ['Request timeout'],
  429: ['Rate limit exceeded'],
};

/** A sentence on what is wrong with an answer to a request of which it is known what it asks; undefined: nothing. */
export function faultOf(answer: Answer, prediction: Prediction, known: Known): string | undefined {
  const { request } = prediction;
  if (prediction.kind === 'service') return faultOfService(answer);
  const isHead = request.method === 'HEAD' && !(prediction.mayBeMalformed && answer.body.length > 0);
  const inItself = faultInItself(answer, known, isHead);
  if (inItself !== undefined) return inItself;
  const { status } = answer;
  if (prediction.mayBeMalformed && status === 400) return undefined;
  if (prediction.mayBeLimited && status === 429) return undefined;
  switch (prediction.kind) {
    case 'error': {
      const said = isHead ? prediction.message : messageOf(answer);
      const right = status === prediction.status && said === prediction.message;
      return right ? undefined : `${status} ${said}, not ${prediction.status} ${prediction.message}`;
    }
    case 'refused':
      return prediction.statuses.includes(status)
        ? undefined
        : `${status}, not ${prediction.statuses.join(' or ')}`;
    case 'redirect':
      return status === 302 ? undefined : `${status}, not 302`;
    case 'preflight':
      return status === 204 ? undefined : `${status}, not 204`;
    case 'resource':
      return faultOfResource(answer, prediction, prediction.served);
  }
}

function faultOfResource(
  answer: Answer,
  { request }: Prediction,
  served: readonly Served[],
): string | undefined {
  const { status, fields } = answer;
  const etag = fields.get('etag') ?? '';
  const variant = served.find((one) => one.etag === etag);
  if (status !== 200 && status !== 304) return `${status}, not 200 or 304`;
  if (!variant) return `the ETag ${etag} is of no body of ${served[0]?.path}`;
  const available = served.map(({ coding }) => coding);
  const accepted = negotiable(valuesOf(request, 'accept-encoding'), available);
  if (!accepted.includes(variant.coding)) return `the coding ${variant.coding}, where ${accepted} would do`;
  const notModified = notModifiedBy(valuesOf(request, 'if-none-match'), etag);
  if (notModified !== undefined && notModified !== (status === 304)) return `${status} to If-None-Match`;
  return undefined;
}

/**
 * A sentence on what is wrong with an answer in itself, to whatever it was.
 *
 * @param sent all that came by its connection
 */
export function faultOfAny(answer: Answer, known: Known, isHead: boolean, sent: string): string | undefined {
  const fault = faultInItself(answer, known, isHead, sent);
  if (fault === undefined || !sent.includes('/auth')) return fault;
  return faultOfService(answer);
}

function faultInItself(answer: Answer, known: Known, isHead: boolean, sent?: string): string | undefined {
  const { status, fields, body } = answer;
  if (fields.get('x-content-type-options') !== 'nosniff') return `${status} that may be sniffed`;
  switch (status) {
    case 200:
    case 304:
      return faultOfBody(answer, known, sent);
    case 302:
      return fields.get('location') === '/docs/' && body.length === 0 ? undefined : 'a redirect to elsewhere';
    case 204:
      return fields.get('access-control-allow-origin') === known.corsOrigin
        ? undefined
        : 'a preflight for all';
    default:
      return faultOfError(answer, isHead);
  }
}

function faultOfError({ status, fields, body }: Answer, isHead: boolean): string | undefined {
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

/** Holds a body against the release, byte for byte, and a protected one against what opens it. */
function faultOfBody(
  { status, fields, body }: Answer,
  known: Known,
  sent: string | undefined,
): string | undefined {
  const etag = fields.get('etag') ?? '';
  const coding = status === 304 ? undefined : (fields.get('content-encoding') ?? 'identity');
  const type = status === 304 ? undefined : fields.get('content-type');
  const served = known.release.byTag
    .get(etag)
    ?.filter((one) => one.coding === (coding ?? one.coding) && one.mediaType === (type ?? one.mediaType));
  const [first] = served ?? [];
  if (!first) return `${status} with the ETag ${etag}, ${coding}, ${type}: the release has no such body`;
  if (status === 200 && !first.bytes.equals(body)) return `other bytes than ${first.path} has`;
  const isProtected = served?.every(({ access }) => access === 'protected') === true;
  const caching = isProtected ? 'private, no-cache' : 'public, max-age=300, stale-while-revalidate=86400';
  if (fields.get('cache-control') !== caching)
    return `${first.path} with Cache-Control: ${fields.get('cache-control')}`;
  if (isProtected && sent !== undefined && !openingKeys.some((name) => sent.includes(known.keys[name])))
    return `${first.path} without a key`;
  return undefined;
}

/** The authentication service speaks for itself, but never of a fault, and of an error in one form. */
function faultOfService({ status, body }: Answer): string | undefined {
  if (status >= 500) return `${status} of the authentication service: ${body.toString('utf8', 0, 200)}`;
  if (status < 400 || body.length === 0) return undefined;
  try {
    const said: unknown = JSON.parse(body.toString());
    if (typeof said === 'object' && said !== null && Object.keys(said).join() === 'error') return undefined;
  } catch {
    // Told below.
  }
  return `${status} of the authentication service with ${body.toString('utf8', 0, 200)}`;
}

function messageOf({ body }: Answer): unknown {
  return body.toString('utf8', 0, 100).slice('{"error":"'.length, -'"}'.length);
}
