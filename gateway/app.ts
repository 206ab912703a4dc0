import express, { type Express, type RequestHandler } from 'express';
import { cacheControl, everyAnswer } from '../build/release/headers.ts';
import { authenticate } from './access/authenticate.ts';
import { crossOrigin } from './access/cross-origin.ts';
import type { FailedKeys } from './access/failed-keys.ts';
import { requireKey } from './access/require-key.ts';
import type { Config } from './config.ts';
import { inTurn, type Step, toFields, writeHead } from './http.ts';
import type { VerifyKey } from './key-check.ts';
import { limitRequests } from './limits/limit-requests.ts';
import type { LimitStore } from './limits/store.ts';
import type { Log } from './log/log.ts';
import type { Bodies } from './release/bodies.ts';
import type { CurrentRelease } from './release/current-release.ts';
import { serveProtected, servePublic } from './release/serve.ts';
import { answerFault, onlyGet, onlyWellFormed, readTarget } from './well-formed.ts';

/** What a gateway is made of. */
export interface Parts {
  readonly config: Pick<Config, 'corsOrigins' | 'plans' | 'referenceUrl' | 'trustProxy'>;
  readonly releases: CurrentRelease;
  readonly bodies: Bodies;
  readonly verifyKey: VerifyKey;
  readonly failedKeys: FailedKeys;
  /** The routes of the authentication service where it is in this process. */
  readonly authentication: RequestHandler | undefined;
  readonly limits: LimitStore;
  readonly log: Log;
}

/** The whole way of a request. A step answers it, or hands it to the next. */
export function createApp(parts: Parts): Express {
  const { config, releases, bodies, verifyKey, failedKeys, authentication, limits, log } = parts;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.disable('query parser');
  app.enable('case sensitive routing');
  app.set('trust proxy', config.trustProxy);

  app.use(
    inTurn(
      authenticate(authentication), // everything under /auth/
      readTarget,
      crossOrigin(config.corsOrigins), // 204 to a preflight
      onlyGet, // 405
      onlyWellFormed, // 400
      redirectRoot(config.referenceUrl), // 302
      servePublic(releases, bodies), // 200, 304, 404
      requireKey(verifyKey, failedKeys, log), // 401, 403, 429, 502
      limitRequests(config.plans, limits), // 429
      serveProtected(releases, bodies), // 200, 304, 404
    ),
  );
  app.use(answerFault(log)); // 500
  return app;
}

function redirectRoot(referenceUrl: string): Step {
  const fields = toFields({
    ...everyAnswer,
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
