import type { IncomingMessage } from 'node:http';

/** What the Authorization header of a request holds. */
export type Credentials =
  | { readonly state: 'missing' }
  | { readonly state: 'malformed' }
  | { readonly state: 'token'; readonly token: string };

/** Exactly `Bearer`, one space, and one token of the b64token alphabet (RFC 6750, 2.1). */
const bearer = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/;

/** Reads the Authorization header. Two of them are malformed: which one counts would be a guess. */
export function readCredentials({ headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>): Credentials {
  const values = headersDistinct['authorization'];
  if (!values) return { state: 'missing' };
  const token = values.length === 1 ? bearer.exec(values[0] ?? '')?.[1] : undefined;
  return token === undefined ? { state: 'malformed' } : { state: 'token', token };
}
