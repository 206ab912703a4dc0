import type { Decision, Standing } from './decision.ts';

/**
 * The header fields that tell a client how it stands: `RateLimit-Policy` and `RateLimit` in the form of
 * draft-ietf-httpapi-ratelimit-headers-08, and on a refusal `Retry-After` (RFC 9110, 10.2.3). The limit
 * that is nearest to its end comes first, so that the first item of `RateLimit` and `Retry-After` name
 * the same moment.
 */
export function rateLimitFields({ accepted, rate, quota, wait }: Decision): Record<string, string> {
  const limits: (readonly [string, Standing])[] = [
    ['rate', rate],
    ['quota', quota],
  ];
  // A spent quota outlasts a spent rate: coming again in a second would be refused once more.
  if (quota.remaining === 0) limits.reverse();
  const fields = {
    'RateLimit-Policy': limits.map(([name, { limit, span }]) => `"${name}";q=${limit};w=${span}`).join(', '),
    RateLimit: limits.map(([name, { remaining, reset }]) => `"${name}";r=${remaining};t=${reset}`).join(', '),
  };
  return accepted ? fields : { ...fields, 'Retry-After': String(wait) };
}
