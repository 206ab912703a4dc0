import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Request } from 'express';
import type { ApiErrorName } from '../../build/release/errors.ts';
import { type GatewayResponse, type Middleware, requestDetails, sendError } from '../http.ts';
import { digestOf, type KeyCheck, type VerifyKey } from '../key-check.ts';
import type { Log } from '../log/logger.ts';
import type { FailedKeys } from './failed-keys.ts';

/** Requires a valid API key (section 5 of the specification). */
export function requireKey(verifyKey: VerifyKey, failedKeys: FailedKeys, log: Log): Middleware {
  return (request, response, next) => {
    const credentials = credentialsOf(request);
    if ('error' in credentials) return sendError(response, credentials.error);
    const check = verifyKey(credentials.token, credentials.digest);
    if (!(check instanceof Promise)) return handle(check, request, response, next);
    return check.then((checked) => handle(checked, request, response, next));
  };

  function handle(
    check: KeyCheck,
    request: Request,
    response: GatewayResponse,
    next: () => void,
  ): unknown {
    switch (check.state) {
      case 'unknown':
      case 'expired':
      case 'revoked':
        return failedKeys.reject(request, response);
      case 'unavailable':
        log(
          'A key could not be checked. The response was 502.',
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

/** What the Authorization header of a request contains, or the error if that is no token. */
type Credentials =
  | { readonly token: string; readonly digest: string }
  | { readonly error: ApiErrorName };

const missing: Credentials = { error: 'missingKey' };
const malformed: Credentials = { error: 'malformedAuthorization' };

/** Characters of the longest header that an idle connection keeps in memory. */
const maxKept = 1000;

/** The last header of each connection: most clients send the same one again. */
const lastHeaders = new WeakMap<
  Socket,
  { readonly value: string; readonly credentials: Credentials }
>();

function credentialsOf({ headers, socket }: IncomingMessage): Credentials {
  const { authorization } = headers;
  if (authorization === undefined) return missing;
  const last = lastHeaders.get(socket);
  if (last?.value === authorization) return last.credentials;
  const credentials = parseCredentials(authorization);
  if (authorization.length <= maxKept)
    lastHeaders.set(socket, { value: authorization, credentials });
  return credentials;
}

/** Exactly `Bearer`, one space, and one token of the b64token alphabet (RFC 6750, 2.1). */
const bearer = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/;

/** Two headers are malformed: the server joins them by a comma, which no token contains. */
function parseCredentials(authorization: string): Credentials {
  const token = bearer.exec(authorization)?.[1];
  return token === undefined ? malformed : { token, digest: digestOf(token) };
}
