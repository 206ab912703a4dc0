/** How a check of a key ends. An outage is a state of its own, so that it never looks like a bad key. */
export type KeyCheck =
  | ValidKey
  | { readonly state: 'unknown' }
  | { readonly state: 'expired' }
  | { readonly state: 'revoked' }
  | { readonly state: 'unavailable' };

export interface ValidKey {
  readonly state: 'valid';
  /** Limits belong to the account, whichever of its keys is used. */
  readonly account: string;
  readonly keyId: string;
  /** Name of the account's plan. */
  readonly plan: string;
  /** Milliseconds since 1970, UTC. */
  readonly expiresAt?: number;
}

/**
 * Says whose key a token is: at once where it is known, so that the request need not wait for its turn again. It
 * never rejects: what goes wrong is `unavailable`.
 *
 * @param connection what the token came by: a digest of the last one is remembered as long as it lasts
 */
export type VerifyKey = (token: string, connection?: object) => KeyCheck | Promise<KeyCheck>;
