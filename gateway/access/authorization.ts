import type { IncomingMessage } from 'node:http';

/** What the Authorization header of a request holds. */
export type Credentials =
  | { readonly state: 'missing' }
  | { readonly state: 'malformed' }
  | { readonly state: 'token'; readonly token: string };

const missing: Credentials = { state: 'missing' };
const malformed: Credentials = { state: 'malformed' };

/** Exactly `Bearer`, one space, and one token of the b64token alphabet (RFC 6750, 2.1). */
const bearer = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/;

/**
 * Reads the Authorization header. Two of them are malformed: which one counts would be a guess. The server
 * joins them by a comma, which no token holds.
 */
export function readCredentials({ headers }: Pick<IncomingMessage, 'headers'>): Credentials {
  const { authorization } = headers;
  if (authorization === undefined) return missing;
  const token = bearer.exec(authorization)?.[1];
  return token === undefined ? malformed : { state: 'token', token };
}
