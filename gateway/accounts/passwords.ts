/** Passwords: which ones are accepted, and that one is hashed at a time. The secret that signs sessions. */
import type { RequestHandler } from 'express';
import type { System } from '../clock.ts';
import type { Config } from '../config.ts';
import { emailOf } from './attempts.ts';
import { reject } from './middleware.ts';
import { StorageError, storedSecret } from './store/store.ts';

/** Characters of a password (NIST SP 800-63B, 5.1.1.2: a minimum length, and no rules about its characters). */
export const passwordLength = { min: 10, max: 128 } as const;

/** Requests that hash a password, one after the other: better-auth's scrypt takes 32 MiB and 100 ms. Thirty wait three seconds. */
const maxHashing = 31;

let hashing = 0;
let lastHash: Promise<unknown> = Promise.resolve();

/** Handles requests that hash a password one after the other: a burst of them would stop downloads. */
export const inTurn: RequestHandler = async (_request, response, next) => {
  if (hashing >= maxHashing) {
    response.locals['isBusy'] = true;
    return reject(response, 503, 'Too many requests at the moment. Try again in a few seconds.', {
      'Retry-After': '5',
    });
  }
  const before = lastHash;
  const closed = new Promise((resolve) => response.once('close', resolve));
  hashing += 1;
  void closed.then(() => (hashing -= 1));
  lastHash = before.then(() => closed);
  await before;
  if (!response.closed) return next();
};

/** Characters of an email address (RFC 5321, 4.5.3.1.3, without its brackets): PostgreSQL cannot index longer ones. */
const maxEmailLength = 254;

/** better-auth's own message for an invalid address. */
export const invalidEmail = 'Invalid email';

/** Requires that fields of a body are texts, and `email` an address. Everything else about them is better-auth's. */
export function requireTexts(...names: readonly string[]): RequestHandler {
  return ({ body }, response, next) => {
    const missing = names.find((name) => typeof body?.[name] !== 'string');
    if (names.includes('email') && !isEmail(body?.email)) reject(response, 400, invalidEmail);
    else if (missing !== undefined) reject(response, 400, 'Malformed request');
    else next();
  };
}

function isEmail(email: unknown): boolean {
  return (
    typeof email === 'string' &&
    email.length <= maxEmailLength &&
    /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(email)
  );
}

/**
 * Rejects a new password that is common, or the user's own address. Of one that is too short or long, better-auth
 * says so.
 */
export function rejectEasyPassword(field: string): RequestHandler {
  return async (request, response, next) => {
    const password: string = request.body[field];
    if (password.length >= passwordLength.min && password.length <= passwordLength.max)
      if (isEasy(password, emailOf(request, response), await readCommon()))
        return reject(response, 400, easyPassword);
    return next();
  };
}

let common: Promise<ReadonlySet<string>> | undefined;

/** The most common passwords and words, as zxcvbn-ts lists them. Loaded for the first new password. */
function readCommon(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(Object.values(dictionary).flat().map(String)),
  );
  return common;
}

/** Whether a password is a word that an attacker tries first, or part of the own address, with digits or signs around it. */
function isEasy(password: string, email: string, words: ReadonlySet<string>): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  const word = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const isKnown = (one: string) => one.length > 2 && (words.has(one) || email.includes(one));
  return (
    isKnown(text) || isKnown(word) || new Set(text).size < 6 || /^[\d\s!-/:-@]{1,12}$/.test(text)
  );
}

const easyPassword =
  'This password is easy to guess. Use four words or more, or a random one, such as from: openssl rand -base64 32';

export const wrongPassword = 'The current password is wrong.';

const secretFile = 'session-secret';

/**
 * Returns the secret that signs sessions. Without SESSION_SECRET it is in the data folder, and created where it is
 * missing.
 *
 * @throws StorageError when it cannot be read or written
 */
export async function readSessionSecret(
  { users, dataDir }: Config,
  { randomBytes }: Pick<System, 'randomBytes'>,
): Promise<string> {
  if (users.sessionSecret !== undefined) return users.sessionSecret;
  const secret = await storedSecret(dataDir, secretFile, randomBytes(32).toString('base64url'));
  if (secret.length >= 32) return secret;
  throw new StorageError(
    `${secretFile} in ${dataDir} is incomplete. Remove it: all users must then sign in again.`,
  );
}
