import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';

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
 */
export type VerifyKey = (token: string) => KeyCheck | Promise<KeyCheck>;

/** SHA-256 of a token in hex, so that neither the database nor a cache contains the token itself. */
export function digestOf(token: string): string {
  return hash('sha256', token, 'hex');
}

/** Cached checks of each kind. */
const maxChecks = 10_000;

/**
 * Caches the checks of any source of keys: for a while, and never past a key's expiry. Concurrent checks of one key
 * share a look-up. Failures are not cached. Rejected tokens have a cache of their own, so that a flood of them evicts no
 * valid key.
 *
 * @param lookUp asks the source; it does not reject
 * @param ages milliseconds from the look-up for which valid and rejected keys are cached
 */
export function cached(
  lookUp: (token: string, digest: string) => Promise<KeyCheck>,
  ages: { readonly valid: number; readonly rejected: number },
  clock: Clock,
): VerifyKey {
  // Without a resolution of 0, lru-cache would cache the time, too, by the system's clock.
  const options = { max: maxChecks, perf: { now: () => clock.elapsed() }, ttlResolution: 0 };
  const valid = new LRUCache<string, ValidKey>({ ...options, ttl: ages.valid });
  const rejected = new LRUCache<string, CompletedCheck>({ ...options, ttl: ages.rejected });
  const pending = new Map<string, Promise<KeyCheck>>();

  async function check(token: string, digest: string): Promise<KeyCheck> {
    // The age counts from here: a key may be revoked while the response is on its way.
    const start = clock.elapsed();
    const result = await lookUp(token, digest);
    pending.delete(digest);
    if (result.state === 'valid') valid.set(digest, result, { start });
    else if (result.state !== 'unavailable') rejected.set(digest, result, { start });
    return result;
  }

  return (token) => {
    const digest = digestOf(token);
    const known = valid.get(digest);
    if (known && (known.expiresAt ?? Number.POSITIVE_INFINITY) > clock.now()) return known;
    const other = rejected.get(digest) ?? pending.get(digest);
    if (other) return other;
    const checking = check(token, digest);
    pending.set(digest, checking);
    return checking;
  };
}
