import type { Decision, Standing } from './decision.ts';

/**
 * The header fields that tell a client how it stands: `RateLimit-Policy` and `RateLimit` in the form of
 * draft-ietf-httpapi-ratelimit-headers-08, and on a refusal `Retry-After` (RFC 9110, 10.2.3). The limit
 * that is nearest to its end comes first, so that the first item of `RateLimit` and `Retry-After` name
 * the same moment.
 */
export function rateLimitFields({ accepted, rate, quota, wait }: Decision): Record<string, string> {
  // A spent quota outlasts a spent rate: coming again in a second would be refused once more.
  const quotaFirst = quota.remaining === 0;
  const policy = inOrder(policyOf('rate', rate), policyOf('quota', quota), quotaFirst);
  const standing = inOrder(standingOf('rate', rate), standingOf('quota', quota), quotaFirst);
  const fields = { 'RateLimit-Policy': policy, RateLimit: standing };
  return accepted ? fields : { ...fields, 'Retry-After': String(wait) };
}

function inOrder(rate: string, quota: string, quotaFirst: boolean): string {
  return quotaFirst ? `${quota}, ${rate}` : `${rate}, ${quota}`;
}

function policyOf(name: string, { limit, span }: Standing): string {
  return `"${name}";q=${limit};w=${span}`;
}

function standingOf(name: string, { remaining, reset }: Standing): string {
  return `"${name}";r=${remaining};t=${reset}`;
}
