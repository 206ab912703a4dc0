import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Request } from 'express';
import { type GatewayResponse, type Middleware, requestDetails, sendError } from '../http.ts';
import { digestOf, type KeyCheck, type VerifyKey } from '../key-check.ts';
import type { Log } from '../log/logger.ts';
import type { FailedKeys } from './failed-keys.ts';

/** Requires a valid API key (section 5 of the specification). */
export function requireKey(verifyKey: VerifyKey, failedKeys: FailedKeys, log: Log): Middleware {
  return (request, response, next) => {
    const credentials = readCredentials(request);
    switch (credentials.state) {
      case 'missing':
        return sendError(response, 'missingKey');
      case 'malformed':
        return sendError(response, 'malformedAuthorization');
      case 'token':
        break;
    }
    const check = verifyKey(credentials.token, cachedDigest(credentials.token, request.socket));
    if (!(check instanceof Promise)) return handle(check, request, response, next);
    return check.then((checked) => handle(checked, request, response, next));
  };

  function handle(check: KeyCheck, request: Request, response: GatewayResponse, next: () => void): unknown {
    switch (check.state) {
      case 'unknown':
      case 'expired':
      case 'revoked':
        return failedKeys.reject(request, response);
      case 'unavailable':
        log(
          'A request was answered with 502: its key could not be checked.',
          undefined,
          requestDetails(response),
        );
        return sendError(response, 'authenticationUnreachable');
      case 'valid':
        response.locals.key = check;
        return next();
    }
  }
}

/** The last token of each connection and its digest: most clients send the same one again. */
const lastDigests = new WeakMap<Socket, { readonly token: string; readonly digest: string }>();

function cachedDigest(token: string, connection: Socket): string {
  const last = lastDigests.get(connection);
  if (last?.token === token) return last.digest;
  const digest = digestOf(token);
  lastDigests.set(connection, { token, digest });
  return digest;
}

/** What the Authorization header of a request contains. */
type Credentials =
  | { readonly state: 'missing' }
  | { readonly state: 'malformed' }
  | { readonly state: 'token'; readonly token: string };

const missing: Credentials = { state: 'missing' };
const malformed: Credentials = { state: 'malformed' };

/** Exactly `Bearer`, one space, and one token of the b64token alphabet (RFC 6750, 2.1). */
const bearer = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/;

/**
 * Reads the Authorization header. Two of them are malformed: the server joins them by a comma, which no token contains.
 */
function readCredentials({ headers }: Pick<IncomingMessage, 'headers'>): Credentials {
  const { authorization } = headers;
  if (authorization === undefined) return missing;
  const token = bearer.exec(authorization)?.[1];
  return token === undefined ? malformed : { state: 'token', token };
}
