import express, { type Express, type RequestHandler } from 'express';
import { cacheControl, everyResponse } from '../build/release/headers.ts';
import { cors } from './access/cors.ts';
import { limitFailedKeys, requireKey } from './access/require-key.ts';
import { handleError, noSniff, onlyGet, onlyWellFormed, readTarget } from './checks.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { type Middleware, toFields, writeHead } from './http.ts';
import type { VerifyKey } from './key-check.ts';
import { limitRequests } from './limits/limit-requests.ts';
import type { LimitStore } from './limits/store.ts';
import type { Log } from './log/logger.ts';
import type { BodyCache } from './release/body-cache.ts';
import type { Releases } from './release/current-release.ts';
import { serveProtected, servePublic } from './release/send.ts';

/** The parts of a gateway. */
export interface Parts {
  readonly config: Pick<
    Config,
    'corsOrigins' | 'plans' | 'referenceUrl' | 'trustProxy' | 'failedKeysPerMinute'
  >;
  readonly releases: Releases;
  readonly bodies: BodyCache;
  readonly verifyKey: VerifyKey;
  readonly limits: LimitStore;
  readonly clock: Clock;
  readonly log: Log;
  /** The routes of the authentication service where it is embedded. */
  readonly authentication?: RequestHandler | undefined;
  /** Is called for each request that the limit of failed keys rejects. */
  readonly onFailedKey?: (() => void) | undefined;
}

/** The path of a request. Each middleware sends a response, with one of these statuses, or calls the next. */
export function createApp(parts: Parts): Express {
  const { config, releases, bodies, verifyKey, limits, clock, log } = parts;
  const failedKeys = limitFailedKeys(config.failedKeysPerMinute, clock, parts.onFailedKey);
  const app = createExpress(config.trustProxy);
  if (parts.authentication) app.use('/auth', noSniff, parts.authentication); // everything
  app.use(readTarget);
  app.use(cors(config.corsOrigins)); // 204 to a preflight
  app.use(onlyGet); // 405
  app.use(onlyWellFormed); // 400
  app.use(redirectRoot(config.referenceUrl)); // 302
  app.use(servePublic(releases, bodies)); // 200, 304, 404
  app.use(requireKey(verifyKey, failedKeys, log)); // 401, 403, 429, 502
  app.use(limitRequests(config.plans, limits)); // 429
  app.use(serveProtected(releases, bodies)); // 200, 304, 404
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
    response.end();
  };
}
