import express, { type ErrorRequestHandler, type Express } from 'express';
import { crossOrigin } from './access/cross-origin.ts';
import { requireKey } from './access/require-key.ts';
import type { Config } from './config.ts';
import { everyAnswer, refuse, type Step } from './http.ts';
import type { VerifyKey } from './key-check.ts';
import { limitRequests } from './limits/limit-requests.ts';
import type { LimitStore } from './limits/store.ts';
import type { Log } from './operations/log.ts';
import type { Release } from './release/release.ts';
import { publicCacheControl } from './release/resource.ts';
import { serveProtected, servePublic } from './release/serve.ts';
import { parseTarget } from './target.ts';

/** What a gateway is made of. */
export interface Parts {
  readonly config: Pick<Config, 'corsOrigins' | 'plans' | 'referenceUrl' | 'trustProxy'>;
  readonly release: Release;
  readonly verifyKey: VerifyKey;
  readonly limits: LimitStore;
  readonly log: Log;
}

/** The whole way of a request. A step answers it, or hands it to the next. */
export function createApp({ config, release, verifyKey, limits, log }: Parts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.disable('query parser');
  app.set('trust proxy', config.trustProxy);

  app.use(refuseSniffing);
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

const refuseSniffing: Step = (_request, response, next) => {
  response.set(everyAnswer);
  next();
};

const readTarget: Step = (request, response, next) => {
  response.locals.target = parseTarget(request.url);
  next();
};

const onlyGet: Step = (request, response, next) => {
  if (request.method === 'GET') next();
  else refuse(response, 'methodNotAllowed');
};

/** A request names one host (RFC 9112, 3.2) and a target of some endpoint's shape. */
const onlyWellFormed: Step = (request, response, next) => {
  const { kind } = response.locals.target;
  const hosts = request.headersDistinct['host'] ?? [];
  if (kind === 'malformed' || hosts.length > 1 || (hosts.length === 0 && request.httpVersion === '1.1')) {
    refuse(response, 'malformedUrl');
  } else if (kind === 'invalid-year') {
    refuse(response, 'invalidYear');
  } else {
    next();
  }
};

function redirectRoot(referenceUrl: string): Step {
  return (_request, response, next) => {
    if (response.locals.target.kind !== 'root') return next();
    response.writeHead(302, {
      Location: referenceUrl,
      'Cache-Control': publicCacheControl,
      'Content-Length': 0,
    });
    return response.end();
  };
}

function answerFault(log: Log): ErrorRequestHandler {
  return (error, _request, response, _next) => {
    log('A request failed inside the gateway.', error);
    if (response.headersSent) response.destroy();
    else refuse(response, 'internal');
  };
}
