import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { RequestHandler } from 'express';
import type { Config } from '../../config.ts';
import { BusyError, Semaphore } from '../../semaphore.ts';
import type { System } from '../../system.ts';
import { emailOf } from '../attempts.ts';
import { reject } from '../responses.ts';
import { StorageError, storedSecret } from '../store/store.ts';

/** Characters of a password (NIST SP 800-63B, 5.1.1.2: a minimum length, and no rules about its characters). */
export const passwordLength = { min: 10, max: 128 } as const;

/** scrypt's other parameters (RFC 7914, 2), and the bytes of a hash and its salt: those of better-auth's own hashes. */
const blockSize = 16;
const parallelization = 1;
const hashLength = 64;
const saltLength = 16;

/** Bytes that scrypt may use: twice what it needs. */
const maxMemory = 2 ** 26;

/**
 * Requests that hash a password: scrypt takes 32 MiB and 100 ms. About 30 wait for at most three seconds, longer while
 * downloads need the processor.
 */
export const hashing = new Semaphore(1, 30);
/** Milliseconds. */
const maxHashWait = 20_000;

/**
 * Handles requests that hash a password one after the other: what is read for each of a burst would stop downloads.
 *
 * @throws BusyError when too many wait
 */
export function inTurn<Result>(handle: () => Promise<Result>): Promise<Result> {
  return hashing.run(AbortSignal.timeout(maxHashWait), handle);
}

/** Rejects requests with 503 if their password could not be hashed soon, before anything is read for them. */
export const rejectWhileHashing: RequestHandler = (_request, _response, next) =>
  next(hashing.isFull ? new BusyError('too many passwords wait to be hashed') : undefined);

/** Hashes a password with a random salt: both in hexadecimal, with a colon between. */
export async function hashPassword(password: string, system: System): Promise<string> {
  const salt = system.randomBytes(saltLength).toString('hex');
  return `${salt}:${(await derive(password, salt, system)).toString('hex')}`;
}

/** Whether a password has a hash. */
export async function verifyPassword(
  password: string,
  hash: string,
  system: System,
): Promise<boolean> {
  const [salt = '', expected = ''] = hash.split(':');
  const actual = await derive(password, salt, system);
  return (
    expected.length === 2 * hashLength && timingSafeEqual(actual, Buffer.from(expected, 'hex'))
  );
}

/** The thread hashes one password at a time. */
const thread = new Semaphore(1, Number.POSITIVE_INFINITY);

async function derive(
  password: string,
  salt: string,
  { passwordCost: N }: System,
): Promise<Buffer> {
  const options = { N, r: blockSize, p: parallelization, maxmem: maxMemory };
  return Buffer.from(await inThread<Uint8Array>(password, { salt, length: hashLength, options }));
}

/** @param input of the thread: for a hash, or for the guesses that find the password */
function inThread<Result>(password: string, input: object): Promise<Result> {
  return thread.run(AbortSignal.timeout(maxHashWait), () =>
    askThread<Result>({ password: password.normalize('NFKC'), ...input }),
  );
}

/** Started by the first password, and again after an error. */
let hashThread: Worker | undefined;

async function askThread<Result>(input: object): Promise<Result> {
  hashThread ??= new Worker(new URL('hash-thread.js', import.meta.url));
  hashThread.ref();
  hashThread.postMessage(input);
  try {
    // An error of the thread rejects.
    const [result] = await once(hashThread, 'message');
    hashThread.unref();
    return result;
  } catch (error) {
    hashThread = undefined;
    throw error;
  }
}

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

/** Guesses that a new password withstands: as many as there are numbers of ten digits. */
const minGuesses = 1e10;

/**
 * Rejects a new password that is common, regular or the user's own address. Of one that is too short or long, better-auth
 * says so.
 */
export function rejectEasyPassword(field: string): RequestHandler {
  return async (request, response, next) => {
    const password: string = request.body[field];
    const isOther = password.length < passwordLength.min || password.length > passwordLength.max;
    const email = emailOf(request, response);
    const countGuesses = () => inThread<number>(password, { known: [email, ...email.split(/\W/)] });
    if (isOther || (await inTurn(countGuesses)) >= minGuesses) next();
    else reject(response, 400, easyPassword);
  };
}

const easyPassword =
  'This password is easy to guess. Use four words or more, or a random one, such as from: openssl rand -base64 32';

export const wrongPassword = 'The current password is wrong.';

/** Header field in which better-auth receives the network of the client. */
export const networkField = 'x-network';

const secretFile = 'session-secret';

/**
 * Returns the secret that signs sessions. Without SESSION_SECRET it is in the data folder, and created where it is
 * missing or empty.
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
