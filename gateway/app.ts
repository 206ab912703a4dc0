import express, { type Express, type RequestHandler, Router } from 'express';
import { cacheControl, everyResponse } from '../build/release/headers.ts';
import { cors } from './access/cors.ts';
import type { FailedKeys } from './access/failed-keys.ts';
import { requireKey } from './access/require-key.ts';
import { handleError, noSniff, onlyGet, onlyWellFormed, readTarget } from './checks.ts';
import type { Config } from './config.ts';
import { compose, type Middleware, toFields, writeHead } from './http.ts';
import type { VerifyKey } from './key-check.ts';
import { limitRequests } from './limits/limit-requests.ts';
import type { LimitStore } from './limits/store.ts';
import type { Log } from './log/logger.ts';
import type { BodyCache } from './release/body-cache.ts';
import type { Releases } from './release/current-release.ts';
import { serveProtected, servePublic } from './release/send.ts';

/** The parts of a gateway. */
interface Parts {
  readonly config: Pick<Config, 'corsOrigins' | 'plans' | 'referenceUrl' | 'trustProxy'>;
  readonly releases: Releases;
  readonly bodies: BodyCache;
  readonly verifyKey: VerifyKey;
  readonly failedKeys: FailedKeys;
  /** The routes of the authentication service where it is embedded. */
  readonly authentication: RequestHandler | undefined;
  readonly limits: LimitStore;
  readonly log: Log;
}

/** The path of a request. Each middleware sends a response or calls the next. */
export function createApp(parts: Parts): Express {
  const { config, releases, bodies, verifyKey, failedKeys, authentication, limits, log } = parts;
  const app = createExpress(config.trustProxy);
  app.use(
    compose(
      authRoutes(authentication), // everything under /auth/
      readTarget,
      cors(config.corsOrigins), // 204 to a preflight
      onlyGet, // 405
      onlyWellFormed, // 400
      redirectRoot(config.referenceUrl), // 302
      servePublic(releases, bodies), // 200, 304, 404
      requireKey(verifyKey, failedKeys, log), // 401, 403, 429, 502
      limitRequests(config.plans, limits), // our store; unless it accepts at once, express-rate-limit: 429
      serveProtected(releases, bodies), // 200, 304, 404
    ),
  );
  app.use(handleError(log)); // 500
  return app;
}

/** An Express app without the features that would add headers or work to each request. */
export function createExpress(trustProxy: Config['trustProxy']): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.disable('query parser');
  app.enable('case sensitive routing');
  app.set('trust proxy', trustProxy);
  return app;
}

function authRoutes(authentication: RequestHandler | undefined): Middleware {
  if (!authentication) return (_request, _response, next) => next();
  const router = Router();
  router.use('/auth', noSniff, authentication);
  return (request, response, next) => {
    // Nearly every request is spared the router's pattern.
    if (request.url.startsWith('/auth')) return router(request, response, next);
    return next();
  };
}

function redirectRoot(referenceUrl: string): Middleware {
  const fields = toFields({
    ...everyResponse,
    Location: referenceUrl,
    'Cache-Control': cacheControl.public,
    'Content-Length': '0',
  });
  return (_request, response, next) => {
    if (response.locals.target.kind !== 'root') return next();
    writeHead(response, 302, [...response.locals.fields, ...fields]);
    return response.end();
  };
}
