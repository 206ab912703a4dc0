import type { RequestHandler } from 'express';
import { reject } from '../responses.ts';

/** Characters of a password (NIST SP 800-63B, 5.1.1.2: a minimum length, and no rules about its characters). */
export const passwordLength = { min: 10, max: 128 } as const;

/** Characters of an email address (RFC 5321, 4.5.3.1.3, without its brackets): PostgreSQL cannot index longer ones. */
const maxEmailLength = 254;

/** better-auth's own message for an invalid address. */
export const invalidEmail = 'Invalid email';

export const rejectLongEmail: RequestHandler = ({ body }, response, next) => {
  if (typeof body?.email !== 'string' || body.email.length <= maxEmailLength) next();
  else reject(response, 400, invalidEmail);
};
