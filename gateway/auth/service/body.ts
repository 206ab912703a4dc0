import express, { type RequestHandler } from 'express';
import { answerError } from './answer.ts';

/**
 * Reads a JSON body into `request.body`. A browser sends that type across origins only if it is let.
 *
 * @param limit bytes
 */
export function jsonBody(limit: number): RequestHandler {
  const parse = express.json({ limit, reviver: refuseNull });
  return (request, response, next) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    const hasBody = coding !== undefined || (length !== undefined && length !== '0');
    if (hasBody && !request.is('application/json')) {
      answerError(response, 415, 'The body has to be JSON: send Content-Type: application/json.');
    } else {
      parse(request, response, next);
    }
  };
}

/** PostgreSQL stores no such character, and no name or address has one. */
function refuseNull(_name: string, value: unknown): unknown {
  if (typeof value === 'string' && value.includes('\0')) throw new SyntaxError('a null character');
  return value;
}
