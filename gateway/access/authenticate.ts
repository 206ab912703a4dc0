import { type RequestHandler, Router } from 'express';
import type { Step } from '../http.ts';
import { refuseSniffing } from '../well-formed.ts';

/** Hands what is under `/auth/` to the authentication service, where it is in this process. */
export function authenticate(authentication: RequestHandler | undefined): Step {
  if (!authentication) return (_request, _response, next) => next();
  const router = Router();
  router.use('/auth', refuseSniffing, authentication);
  return (request, response, next) => {
    // The router asks a pattern, which nearly every request can be spared.
    if (request.url.startsWith('/auth')) return router(request, response, next);
    return next();
  };
}
