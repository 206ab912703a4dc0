import type { Plans } from '../../build/release/plans.ts';
import type { Clock } from '../clock.ts';
import type { IntrospectionService } from '../config.ts';
import { Digests } from '../digests.ts';
import type { KeyCheck, VerifyKey } from '../key-check.ts';
import type { Log } from '../log/log.ts';
import { IntrospectionClient } from './introspection-client.ts';
import { readIntrospection } from './introspection-response.ts';
import { KeptChecks } from './kept-checks.ts';

/** Microseconds from one line in the log to the next: in an outage, every request would write one. */
const quietTime = 1_000_000;

/** Keys checked by a service elsewhere. */
export interface Introspection {
  readonly verifyKey: VerifyKey;
  /** Closes the connections to the service. */
  close(): Promise<void>;
}

/**
 * Checks keys at an authentication service by OAuth 2.0 Token Introspection (RFC 7662). Answers are kept
 * for a few seconds, never past the key's expiry, and concurrent checks of one key are made once. Nothing
 * is kept of an outage.
 *
 * @param plans an account is on one of these, and on the default one where the service names none
 */
export function introspectKeys(
  service: IntrospectionService,
  plans: Plans,
  clock: Clock,
  log: Log,
): Introspection {
  const client = new IntrospectionClient(service);
  const kept = new KeptChecks(clock);
  const digests = new Digests();
  const underWay = new Map<string, Promise<KeyCheck>>();
  const { origin } = new URL(service.url);
  let quietUntil = Number.NEGATIVE_INFINITY;

  function tell(error: unknown): void {
    if (clock.elapsed() < quietUntil) return;
    quietUntil = clock.elapsed() + quietTime;
    log(`The authentication service at ${origin} gave no usable answer: ${reason(error)}`);
  }

  async function ask(token: string, digest: string): Promise<KeyCheck> {
    // A key revoked while the answer is on its way is refused in time, too.
    const askedAt = clock.elapsed();
    try {
      const check = readIntrospection(await client.introspect(token), plans, clock.now());
      kept.keep(digest, check, askedAt);
      return check;
    } catch (error) {
      tell(error);
      return { state: 'unavailable' };
    } finally {
      underWay.delete(digest);
    }
  }

  function verifyKey(token: string, connection?: object): KeyCheck | Promise<KeyCheck> {
    const digest = digests.of(token, connection);
    const check = kept.get(digest) ?? underWay.get(digest);
    if (check) return check;
    const asked = ask(token, digest);
    underWay.set(digest, asked);
    return asked;
  }

  return { verifyKey, close: () => client.close() };
}

function reason(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  // Where a name has several addresses and none answers, the error has no message of its own.
  return message || code || 'no reason was given';
}
