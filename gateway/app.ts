import express, { type Express, type RequestHandler } from 'express';
import { cacheControl } from '../build/release/headers.ts';
import { crossOrigin } from './access/cross-origin.ts';
import { requireKey } from './access/require-key.ts';
import type { Config } from './config.ts';
import type { Step } from './http.ts';
import type { VerifyKey } from './key-check.ts';
import { limitRequests } from './limits/limit-requests.ts';
import type { LimitStore } from './limits/store.ts';
import type { Log } from './operations/log.ts';
import type { Release } from './release/release.ts';
import { serveProtected, servePublic } from './release/serve.ts';
import { answerFault, onlyGet, onlyWellFormed, readTarget, refuseSniffing } from './well-formed.ts';

/** What a gateway is made of. */
export interface Parts {
  readonly config: Pick<Config, 'corsOrigins' | 'plans' | 'referenceUrl' | 'trustProxy'>;
  readonly release: Release;
  readonly verifyKey: VerifyKey;
  /** The routes of the authentication service where it is in this process. */
  readonly authentication: RequestHandler | undefined;
  readonly limits: LimitStore;
  readonly log: Log;
}

/** The whole way of a request. A step answers it, or hands it to the next. */
export function createApp({ config, release, verifyKey, authentication, limits, log }: Parts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.disable('query parser');
  app.enable('case sensitive routing');
  app.set('trust proxy', config.trustProxy);

  app.use(refuseSniffing);
  if (authentication) app.use('/auth', authentication);
  app.use(readTarget);
  app.use(crossOrigin(config.corsOrigins)); // 204 to a preflight
  app.use(onlyGet); // 405
  app.use(onlyWellFormed); // 400
  app.use(redirectRoot(config.referenceUrl)); // 302
  app.use(servePublic(release)); // 200, 304, 404
  app.use(requireKey(verifyKey)); // 401, 403, 502
  app.use(limitRequests(config.plans, limits)); // 429
  app.use(serveProtected(release)); // 200, 304, 404
  app.use(answerFault(log)); // 500
  return app;
}

function redirectRoot(referenceUrl: string): Step {
  return (_request, response, next) => {
    if (response.locals.target.kind !== 'root') return next();
    response.writeHead(302, {
      Location: referenceUrl,
      'Cache-Control': cacheControl.public,
      'Content-Length': 0,
    });
    return response.end();
  };
}
