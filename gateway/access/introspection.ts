import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { KeyCheck, VerifyKey } from '../key-check.ts';
import { defaultPlan, type Plans } from '../limits/plans.ts';
import type { Log } from '../operations/log.ts';

/** Milliseconds. A revoked key is refused after `positiveAge` at the latest. */
const positiveAge = 10_000;
const negativeAge = 5_000;
const timeLimit = 2_000;

/** Answers kept: what they take is bounded whatever tokens are sent. */
const cacheEntries = 10_000;

/** An introspection response is a few hundred bytes; one beyond this is none. */
const longestAnswer = 64 * 1024;

/** A check that may be kept; what the service could not answer never is. */
type KnownCheck = Exclude<KeyCheck, { state: 'unavailable' }>;

/**
 * Checks keys at an authentication service by OAuth 2.0 Token Introspection (RFC 7662). Answers are kept
 * for a few seconds, never past the key's expiry, and concurrent checks of one key are made once.
 *
 * @param secret sent as the bearer token that authenticates this gateway to the service (RFC 7662, 2.1)
 * @param plans an account is on one of these, and on the default one where the service names none
 */
export function introspectKeys(
  { url, secret }: { readonly url: string; readonly secret: string },
  plans: Plans,
  clock: Clock,
  log: Log,
): VerifyKey {
  const cache = new LRUCache<string, KnownCheck, string>({
    max: cacheEntries,
    fetchMethod: async (_hash, _stale, { options, context: token }) => {
      const check = readAnswer(await introspect(url, secret, token), plans, clock.now());
      options.ttl = timeToLive(check, clock.now());
      return check;
    },
  });
  return async (token) => {
    // The cache holds digests, so that a dump of the process's memory shows no list of keys.
    const hash = createHash('sha256').update(token).digest('base64');
    try {
      const check = await cache.fetch(hash, { context: token });
      return check ?? { state: 'unavailable' };
    } catch (error) {
      log(`The authentication service at ${new URL(url).origin} gave no usable answer: ${reason(error)}`);
      return { state: 'unavailable' };
    }
  };
}

async function introspect(url: string, secret: string, token: string): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    headers: { Accept: 'application/json', Authorization: `Bearer ${secret}` },
    body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
    signal: AbortSignal.timeout(timeLimit),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`it answered with status ${response.status}`);
  }
  return JSON.parse(await readBounded(response));
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > longestAnswer) throw new Error('its answer is too long');
    chunks.push(chunk);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
}

/** @throws Error when the answer is no introspection response (RFC 7662, 2.2) with what a gateway needs */
function readAnswer(answer: unknown, plans: Plans, now: number): KnownCheck {
  if (typeof answer !== 'object' || answer === null) throw new Error('its answer is no object');
  const {
    active,
    sub,
    client_id: clientId,
    exp,
    plan = defaultPlan(plans),
  } = answer as Record<string, unknown>;
  if (active === false) return { state: 'unknown' };
  if (active !== true) throw new Error('its answer does not say whether the key is active');
  if (typeof sub !== 'string' || sub === '') throw new Error('its answer names no account (sub)');
  if (typeof plan !== 'string' || !Object.hasOwn(plans, plan)) {
    throw new Error('its answer names a plan that PLANS does not have');
  }
  if (exp !== undefined && (typeof exp !== 'number' || !Number.isFinite(exp))) {
    throw new Error('its answer gives no moment as exp');
  }
  if (exp !== undefined && exp * 1000 <= now) return { state: 'expired' };
  const keyId = typeof clientId === 'string' ? clientId : '';
  return { state: 'valid', account: sub, keyId, plan, ...(exp !== undefined && { expiresAt: exp * 1000 }) };
}

function timeToLive(check: KnownCheck, now: number): number {
  if (check.state !== 'valid') return negativeAge;
  const untilExpiry = check.expiresAt === undefined ? positiveAge : check.expiresAt - now;
  // 0 would mean for ever.
  return Math.max(1, Math.min(positiveAge, untilExpiry));
}

function reason(error: unknown): string {
  const { name, message, cause } = error as Error;
  if (name === 'TimeoutError') return `it took longer than ${timeLimit} ms`;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}
