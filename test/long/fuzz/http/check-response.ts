import type { FuzzContext } from './gateway-under-test.ts';
import type { Expected } from './plans.ts';
import type { HttpResponse } from './response.ts';

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

/**
 * Checks a response.
 *
 * @param expected undefined if the request is unknown
 * @param sent all bytes that were sent on the connection
 * @returns what is wrong with it, if anything
 */
export function checkResponse(
  response: HttpResponse,
  expected: Expected | undefined,
  context: FuzzContext,
  sent: string,
): string | undefined {
  if (expected?.statuses && !expected.statuses.includes(response.status))
    return `${response.status}, not ${expected.statuses.join(' or ')}`;
  if (expected?.isService) return checkServiceResponse(response);
  const failure = checkGeneralRules(response, context, sent);
  return failure && !expected && sent.includes('/auth') ? checkServiceResponse(response) : failure;
}

/** Checks what holds for every response. */
function checkGeneralRules(
  response: HttpResponse,
  context: FuzzContext,
  sent: string,
): string | undefined {
  const { status, fields, body } = response;
  if (fields.get('x-content-type-options') !== 'nosniff') return `${status} without nosniff`;
  switch (status) {
    case 200:
    case 304:
      return checkBody(response, context, sent);
    case 302:
      return fields.get('location') === '/docs/' && body.length === 0
        ? undefined
        : 'a wrong redirect';
    case 204:
      return fields.get('access-control-allow-origin') === context.corsOrigin
        ? undefined
        : 'a preflight response with a wrong origin';
    default:
      return checkErrorResponse(response);
  }
}

function checkErrorResponse({ status, fields, body, isHead }: HttpResponse): string | undefined {
  const allowed = messages[status];
  if (!allowed) return `the status ${status}, ${body.toString('utf8', 0, 200)}`;
  const bodies = allowed.map((message) => JSON.stringify({ error: message }));
  if (isHead ? body.length > 0 : !bodies.includes(body.toString()))
    return `${status} with ${JSON.stringify(body.toString('utf8', 0, 200))}`;
  const expected: [name: string, value: RegExp][] = [
    ['content-type', /^application\/json; charset=utf-8$/],
    ['cache-control', status === 404 ? /^(no-store|public, max-age=60)$/ : /^no-store$/],
  ];
  if (status === 401) expected.push(['www-authenticate', /^Bearer$/]);
  if (status === 405) expected.push(['allow', /^GET$/]);
  if (status === 429) expected.push(['retry-after', /^[1-9][0-9]*$/]);
  const wrong = expected.find(([name, value]) => !value.test(fields.get(name) ?? ''));
  return wrong && `${status} with ${wrong[0]}: ${fields.get(wrong[0])}`;
}

/** Compares a body with the release. A protected body also requires a valid key in the sent bytes. */
function checkBody(
  { status, fields, body }: HttpResponse,
  context: FuzzContext,
  sent: string,
): string | undefined {
  const etag = fields.get('etag') ?? '';
  const coding = status === 304 ? undefined : (fields.get('content-encoding') ?? 'identity');
  const type = status === 304 ? undefined : fields.get('content-type');
  const served = context.release.filter(
    (one) =>
      one.etag === etag &&
      one.coding === (coding ?? one.coding) &&
      one.mediaType === (type ?? one.mediaType),
  );
  const [first] = served;
  if (!first)
    return `${status} with the ETag ${etag}, ${coding}, ${type}: the release has no such body`;
  if (status === 200 && !first.bytes.equals(body)) return `other bytes than ${first.path} has`;
  const isProtected = served.every(({ access }) => access === 'protected');
  const caching = isProtected
    ? 'private, no-cache'
    : 'public, max-age=300, stale-while-revalidate=86400';
  if (fields.get('cache-control') !== caching)
    return `${first.path} with Cache-Control: ${fields.get('cache-control')}`;
  const { live, free } = context.keys;
  if (isProtected && !sent.includes(live) && !sent.includes(free))
    return `${first.path} without a key`;
  return undefined;
}

/** Responses of the authentication service must not be 5xx, and its errors have one format. */
function checkServiceResponse({ status, body }: HttpResponse): string | undefined {
  if (status >= 500)
    return `${status} of the authentication service: ${body.toString('utf8', 0, 200)}`;
  if (status < 400 || body.length === 0) return undefined;
  try {
    const said: unknown = JSON.parse(body.toString());
    if (typeof said === 'object' && said !== null && Object.keys(said).join() === 'error')
      return undefined;
  } catch {
    // Reported below.
  }
  return `${status} of the authentication service with ${body.toString('utf8', 0, 200)}`;
}
