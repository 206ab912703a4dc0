/**
 * Device cookies: a browser that has signed in to an account is known there, so that others who guess its password do
 * not lock it out (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { System } from '../system.ts';

/** Name of the cookie, after the prefix of all cookies. */
export const deviceCookie = 'device';

/** Seconds after which a browser that did not sign in again is unknown. */
export const deviceAge = 180 * 86_400;

/** Names of cookies have a prefix over HTTPS. */
const ofDevice =
  /(?:^|; *)(?:__Secure-)?pastpaper\.device=([\w-]{22})\.(\d{13})\.([\w-]{43})(?:;|$)/;

/** Returns the value of the cookie for a browser that has just signed in. @param secret of the service */
export function newDevice(
  secret: string,
  email: string,
  system: Pick<System, 'now' | 'randomBytes'>,
): string {
  const id = system.randomBytes(16).toString('base64url');
  const endsAt = String(system.now() + 1000 * deviceAge);
  return `${id}.${endsAt}.${signatureOf(secret, email, id, endsAt)}`;
}

/**
 * Finds the id of a browser that has signed in to the account of an address.
 *
 * @param cookies header field of the request
 * @param now milliseconds since 1970, UTC
 * @returns undefined if the cookie is missing, has expired, or is of another account
 */
export function deviceOf(
  cookies: string,
  secret: string,
  email: string,
  now: number,
): string | undefined {
  const [, id = '', endsAt = '', signature = ''] = ofDevice.exec(cookies) ?? [];
  if (Number(endsAt) <= now) return undefined;
  const expected = signatureOf(secret, email, id, endsAt);
  return timingSafeEqual(Buffer.from(expected), Buffer.from(signature)) ? id : undefined;
}

function signatureOf(secret: string, email: string, id: string, endsAt: string): string {
  const signed = ['device', id, endsAt, email.toLowerCase()].join('\n');
  return createHmac('sha256', secret).update(signed).digest('base64url');
}
