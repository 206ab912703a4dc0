import type { Plans } from '../../build/release/plans.ts';
import type { KeyCheck } from '../key-check.ts';
import { defaultPlan } from '../limits/plans.ts';

/** How the check of a key ends when the service answered. */
export type AnsweredCheck = Exclude<KeyCheck, { state: 'unavailable' }>;

/**
 * Reads an introspection response (RFC 7662, 2.2): `active`, `sub` as the account, `client_id` as the key,
 * `exp`, and `plan`, which is our own.
 *
 * @param body JSON in UTF-8
 * @param plans an account is on one of these, and on the default one where the response names none
 * @param now milliseconds since 1970, UTC
 * @throws Error when the body is none, or lacks what a gateway needs; the message repeats nothing of it
 */
export function readIntrospection(body: Uint8Array, plans: Plans, now: number): AnsweredCheck {
  const response = parseObject(body);
  if (response['active'] === false) return { state: 'unknown' };
  if (response['active'] !== true) throw new Error('its answer does not say whether the key is active');
  const account = readAccount(response['sub']);
  const plan = readPlan(response['plan'], plans);
  const expiresAt = readMoment(response['exp']);
  if (expiresAt !== undefined && expiresAt <= now) return { state: 'expired' };
  const keyId = typeof response['client_id'] === 'string' ? response['client_id'] : '';
  return { state: 'valid', account, keyId, plan, ...(expiresAt !== undefined && { expiresAt }) };
}

function parseObject(body: Uint8Array): Record<string, unknown> {
  const value = parseJson(body);
  if (typeof value !== 'object' || value === null) throw new Error('its answer is no object');
  return value as Record<string, unknown>;
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    // The parser's own message quotes the body, and a page of an error may repeat the token.
    throw new Error('its answer is no JSON');
  }
}

function readAccount(sub: unknown): string {
  if (typeof sub === 'string' && sub !== '') return sub;
  throw new Error('its answer names no account (sub)');
}

function readPlan(plan: unknown, plans: Plans): string {
  if (plan === undefined) return defaultPlan(plans);
  if (typeof plan === 'string' && Object.hasOwn(plans, plan)) return plan;
  throw new Error('its answer names a plan that PLANS does not have');
}

/** Milliseconds since 1970, of a response's seconds. */
function readMoment(seconds: unknown): number | undefined {
  if (seconds === undefined) return undefined;
  if (Number.isFinite(seconds)) return (seconds as number) * 1000;
  throw new Error('its answer gives no moment as exp');
}
