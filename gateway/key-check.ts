import { hash } from 'node:crypto';

/** The result of a key check. An outage is a state of its own, so that it never looks like an invalid key. */
export type KeyCheck =
  | ValidKey
  | { readonly state: 'unknown' }
  | { readonly state: 'expired' }
  | { readonly state: 'revoked' }
  | { readonly state: 'unavailable' };

export interface ValidKey {
  readonly state: 'valid';
  /** Limits apply per account, not per key. */
  readonly account: string;
  readonly keyId: string;
  /** Name of the account's plan. */
  readonly plan: string;
  /** Milliseconds since 1970, UTC. */
  readonly expiresAt?: number;
}

/**
 * Checks a token. Returns the result at once if it is cached, so that the request continues without waiting. Never
 * rejects: a failure is `unavailable`.
 *
 * @param connection of the request; see `TokenDigests`
 */
export type VerifyKey = (token: string, connection?: object) => KeyCheck | Promise<KeyCheck>;

/**
 * SHA-256 of tokens, so that no cache in memory contains the tokens themselves. The hash of a connection's last token is
 * cached, because most clients send the same one again.
 */
export class TokenDigests {
  readonly #last = new WeakMap<object, { readonly token: string; readonly digest: string }>();

  /** In hex. */
  of(token: string, connection: object | undefined): string {
    const last = connection && this.#last.get(connection);
    if (last?.token === token) return last.digest;
    const digest = hash('sha256', token, 'hex');
    if (connection) this.#last.set(connection, { token, digest });
    return digest;
  }
}
