import type { NextFunction, Request, RequestHandler } from 'express';
import type { GatewayResponse, Locals } from './http.ts';

/** Middleware of the gateway: sends a response, or calls `next`. What it throws or rejects with becomes a 500. */
export type Middleware = (request: Request, response: GatewayResponse, next: NextFunction) => unknown;

/**
 * Combines middleware into one handler. Express's own router creates a dozen objects per request for each handler.
 */
export function compose(
  ...middleware: readonly Middleware[]
): RequestHandler<object, unknown, unknown, unknown, Locals> {
  return (request, response, done) => {
    let index = 0;

    function next(error?: unknown): unknown {
      const handle = middleware[index];
      if (error || !handle) return done(error);
      index += 1;
      try {
        const result = handle(request as Request, response, next);
        return result instanceof Promise ? result.catch(done) : result;
      } catch (thrown) {
        return done(thrown);
      }
    }

    return next();
  };
}
