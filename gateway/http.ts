/**
 * Middleware and responses: header fields, error responses, and what is logged about them.
 */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { type ApiError, type ApiErrorName, apiErrors } from '../build/release/errors.ts';
import { cacheControl, everyResponse, requestIdField } from '../build/release/headers.ts';
import { type EndpointKind, endpoints } from '../build/release/urls.ts';
import type { Details } from './log/logger.ts';
import type { Target } from './target.ts';

/** Header fields in the form that Node sends fastest: name, value, name, value. */
export type Fields = readonly string[];

export const noFields: Fields = [];

/** A valid key: limits apply to its account. */
export interface ValidKey {
  readonly state: 'valid';
  readonly account: string;
  readonly keyId: string;
  /** Name of the account's plan. */
  readonly plan: string;
  /** Milliseconds since 1970, UTC. */
  readonly expiresAt?: number;
}

/** What middleware sets for the middleware after it. */
export interface Locals extends Record<string, unknown> {
  target: Target;
  key: ValidKey;
  /** Header fields for the response, whatever its status. */
  fields: Fields;
  /** When the header of the request was complete, on the clock of `performance`. */
  startedAt: number;
}

export type GatewayResponse = Response<unknown, Locals>;

/** A response that may not have reached the middleware that sets its locals. */
export type AnyResponse = ServerResponse & { readonly locals?: Partial<Locals> };

/** Writes status and header fields; no header may have been set before. */
export function writeHead(response: ServerResponse, status: number, fields: Fields): void {
  // Node only reads the array, but its types say otherwise.
  response.writeHead(status, fields as string[]);
}

export function toFields(headers: Readonly<Record<string, string>>): Fields {
  return Object.entries(headers).flat();
}

/** The response to an error (section 7 of the specification), apart from what depends on the request. */
function createErrorResponse(error: ApiError) {
  const body = JSON.stringify({ error: error.message });
  const headers: Readonly<Record<string, string>> = {
    ...everyResponse,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': cacheControl.error,
    ...error.headers,
  };
  return { headers, fields: toFields(headers), body };
}

/** Precomputed, so that an error costs a request no more than its bytes. */
export const errorResponses = Object.fromEntries(
  Object.entries(apiErrors).map(([name, error]) => [name, createErrorResponse(error)]),
) as Record<ApiErrorName, ReturnType<typeof createErrorResponse>>;

/**
 * Sends an error. Failures of the service carry the request's id, for the user to quote.
 *
 * @param more headers that add to the error's own or replace them
 */
export function sendError(
  response: AnyResponse,
  name: ApiErrorName,
  more?: Readonly<Record<string, string>>,
): void {
  const { status } = apiErrors[name];
  const { headers, fields, body } = errorResponses[name];
  const own = more ? toFields({ ...headers, ...more }) : fields;
  const inherited = response.locals?.fields ?? noFields;
  const isOurs = status === 500 || status === 502;
  const id = isOurs ? [requestIdField, requestIdOf(response)] : noFields;
  writeHead(
    response,
    status,
    inherited.length === 0 && id.length === 0 ? own : [...inherited, ...id, ...own],
  );
  response.end(body);
}

/** Ids of requests by response. Most requests never need one. */
const ids = new WeakMap<ServerResponse, string>();

/** Ids from outside that are safe in headers, logs and shells. */
const safe = /^[A-Za-z0-9._~+/=@-]{1,64}$/;

/**
 * The id of a request, which users can quote: `X-Request-Id` of a trusted proxy, or a random one, created on first use.
 */
export function requestIdOf(response: ServerResponse): string {
  const id = ids.get(response) ?? proxyId(response.req as Request) ?? randomUUID();
  ids.set(response, id);
  return id;
}

function proxyId({ app, headers, socket }: Request): string | undefined {
  const id = headers['x-request-id'];
  if (typeof id !== 'string' || !safe.test(id)) return undefined;
  const trusts: (address: string | undefined, hops: number) => boolean = app.get('trust proxy fn');
  return trusts(socket.remoteAddress, 0) ? id : undefined;
}

/** The kinds of targets by which requests are counted and logged. Paths would be too many for metrics. */
export const routes = [
  'root',
  ...(Object.keys(endpoints) as EndpointKind[]),
  'page',
  'introspection',
  'auth',
  'malformed',
] as const;

export type Route = (typeof routes)[number];

/** The kind of target that a request names. */
export function routeOf({ locals, req }: AnyResponse): Route {
  const kind = locals?.target?.kind;
  if (kind !== undefined) return kind === 'invalid-year' ? 'malformed' : kind;
  // Requests to the authentication service, and those that Node's parser or the server rejects, have no target.
  const { originalUrl } = req as Request;
  if (!originalUrl.startsWith('/auth')) return 'malformed';
  return originalUrl.startsWith('/auth/introspect') ? 'introspection' : 'auth';
}

/** The fields of a log line about a request. None is chosen by the client, except for the id of a trusted proxy. */
export function requestDetails(response: AnyResponse): Details {
  const { account, keyId } = response.locals?.key ?? {};
  return { requestId: requestIdOf(response), route: routeOf(response), account, keyId };
}

/** Middleware of the gateway: sends a response, or calls `next`. What it throws or rejects with becomes a 500. */
export type Middleware = (
  request: Request,
  response: GatewayResponse,
  next: NextFunction,
) => void | Promise<void>;
