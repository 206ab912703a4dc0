import { type ModelContext, type Prediction, validKeys } from './model.ts';
import { type RequestParts, valuesOf } from './request.ts';
import type { HttpResponse } from './response.ts';
import type { StoredBody } from './stored-release.ts';

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
 * Compares a response with the prediction.
 *
 * @param prediction undefined if the request is unknown
 * @param sent all bytes that were sent on the connection
 * @returns what is wrong with it, if anything
 */
export function checkResponse(
  response: HttpResponse,
  prediction: Prediction | undefined,
  context: ModelContext,
  sent: string,
): string | undefined {
  const { status, body } = response;
  const failure = prediction?.isService
    ? checkServiceResponse(response)
    : checkGeneralRules(response, context, sent);
  if (!prediction)
    return failure && sent.includes('/auth') ? checkServiceResponse(response) : failure;
  if (failure !== undefined || prediction.isService) return failure;
  const { allowed, served, request } = prediction;
  const isHead = request?.method === 'HEAD' && body.length === 0;
  const isAllowed = allowed.some((one) =>
    isHead
      ? one.startsWith(String(status))
      : one === String(status) || one === `${status} ${messageOf(response)}`,
  );
  if (!isAllowed) return `${status} ${messageOf(response)}, not ${allowed.join(' or ')}`;
  return served && request && status < 400 ? checkResource(response, request, served) : undefined;
}

/** Checks the variant and the condition; test/gateway/release/serving.test.ts proves which coding is preferred. */
function checkResource(
  { status, fields }: HttpResponse,
  request: RequestParts,
  served: readonly StoredBody[],
): string | undefined {
  const etag = fields.get('etag') ?? '';
  const variant = served.find((one) => one.etag === etag);
  if (!variant) return `the ETag ${etag} is of no body of ${served[0]?.path}`;
  const accepted = valuesOf(request, 'accept-encoding').join();
  if (variant.coding !== 'identity' && !new RegExp(`\\*|${variant.coding}`, 'i').test(accepted))
    return `the coding ${variant.coding} for ${accepted}`;
  const [condition = '', ...others] = valuesOf(request, 'if-none-match');
  const isNamed = condition === '*' || condition.includes(etag);
  if (status === 304 && !isNamed) return `304 for ${condition}`;
  return status === 200 && others.length === 0 && condition === etag
    ? '200 for its own ETag'
    : undefined;
}

/** Checks what holds for every response. */
function checkGeneralRules(
  response: HttpResponse,
  context: ModelContext,
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
  context: ModelContext,
  sent: string,
): string | undefined {
  const etag = fields.get('etag') ?? '';
  const coding = status === 304 ? undefined : (fields.get('content-encoding') ?? 'identity');
  const type = status === 304 ? undefined : fields.get('content-type');
  const served = context.release.byTag
    .get(etag)
    ?.filter(
      (one) => one.coding === (coding ?? one.coding) && one.mediaType === (type ?? one.mediaType),
    );
  const [first] = served ?? [];
  if (!first)
    return `${status} with the ETag ${etag}, ${coding}, ${type}: the release has no such body`;
  if (status === 200 && !first.bytes.equals(body)) return `other bytes than ${first.path} has`;
  const isProtected = served?.every(({ access }) => access === 'protected') === true;
  const caching = isProtected
    ? 'private, no-cache'
    : 'public, max-age=300, stale-while-revalidate=86400';
  if (fields.get('cache-control') !== caching)
    return `${first.path} with Cache-Control: ${fields.get('cache-control')}`;
  if (isProtected && !validKeys.some((name) => sent.includes(context.keys[name])))
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

function messageOf({ body }: HttpResponse): unknown {
  return body.toString('utf8', 0, 100).slice('{"error":"'.length, -'"}'.length);
}
