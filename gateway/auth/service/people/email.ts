import type { RequestHandler } from 'express';
import { answerError } from '../answer.ts';

/** Characters of an address (RFC 5321, 4.5.3.1.3, less its brackets); PostgreSQL indexes no text of any length. */
const longestEmail = 254;

/** What better-auth says of it, too. */
export const invalidEmail = 'Invalid email';

/** Refuses an address that is longer than any. */
export const refuseLongEmail: RequestHandler = ({ body }, response, next) => {
  if (typeof body?.email !== 'string' || body.email.length <= longestEmail) next();
  else answerError(response, 400, invalidEmail);
};
