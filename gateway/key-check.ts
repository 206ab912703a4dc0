import { hash } from 'node:crypto';

/** The result of a key check. An outage is a state of its own, so that it never looks like an invalid key. */
export type KeyCheck = CompletedCheck | { readonly state: 'unavailable' };

/** The result of a check that the database or the service has answered. */
export type CompletedCheck = ValidKey | { readonly state: 'unknown' | 'expired' | 'revoked' };

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
 * @param digest `digestOf(token)`, if the caller has it
 */
export type VerifyKey = (token: string, digest?: string) => KeyCheck | Promise<KeyCheck>;

/** SHA-256 of a token in hex, so that neither the database nor a cache contains the token itself. */
export function digestOf(token: string): string {
  return hash('sha256', token, 'hex');
}
