import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { answerError } from '../answer.ts';

interface Attempts {
  /** Milliseconds in which so many are taken. */
  readonly windowMs: number;
  readonly limit: number;
  /** Whether only those that fail count. */
  readonly failedOnly: boolean;
}

/**
 * Limits how often something is tried from one address (one /56 of IPv6): guesses of passwords, and sign-ups
 * by the thousand.
 */
export function limitAttempts(attempts: Attempts): RequestHandler {
  return limit(attempts, ({ ip = '' }) => ipKeyGenerator(ip));
}

/** Limits how often something is tried for one person, from wherever. The body is read before. */
export function limitAttemptsFor(attempts: Attempts): RequestHandler {
  return limit(attempts, ({ body }) => (typeof body?.email === 'string' ? body.email.toLowerCase() : ''));
}

function limit(
  { failedOnly, ...attempts }: Attempts,
  keyGenerator: (request: Request) => string,
): RequestHandler {
  return rateLimit({
    ...attempts,
    keyGenerator,
    skipSuccessfulRequests: failedOnly,
    standardHeaders: false,
    legacyHeaders: false,
    handler: (request, response) => {
      const resetTime = request.rateLimit?.resetTime?.getTime() ?? Date.now() + attempts.windowMs;
      const seconds = Math.max(1, Math.ceil((resetTime - Date.now()) / 1000));
      answerError(response, 429, `Too many attempts. Try again in ${seconds} seconds.`, {
        'Retry-After': String(seconds),
      });
    },
  });
}
