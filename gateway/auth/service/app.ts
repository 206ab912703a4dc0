import express, { type Express, type RequestHandler } from 'express';
import type { Config } from '../../config.ts';
import { inTurn, refuse, type Step } from '../../http.ts';
import type { Log } from '../../log/log.ts';
import type { Bodies } from '../../release/bodies.ts';
import type { CurrentRelease } from '../../release/current-release.ts';
import { servePublic } from '../../release/serve.ts';
import { answerFault, onlyGet, onlyWellFormed, readTarget, refuseSniffing } from '../../well-formed.ts';

/**
 * The authentication service as a process of its own: its routes, and the pages of the dashboard.
 *
 * @param releases where the pages are; undefined: a gateway under the same host serves them
 */
export function createServiceApp(
  routes: RequestHandler,
  releases: CurrentRelease | undefined,
  bodies: Bodies,
  trustProxy: Config['trustProxy'],
  log: Log,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.disable('query parser');
  app.enable('case sensitive routing');
  app.set('trust proxy', trustProxy);

  app.use('/auth', inTurn(refuseSniffing, routes));
  app.use(
    inTurn(
      readTarget,
      onlyGet, // 405
      onlyWellFormed, // 400
      onlyPages, // 404
      releases ? servePublic(releases, bodies) : notFound, // 200, 304, 404
    ),
  );
  app.use(answerFault(log)); // 500
  return app;
}

/** Papers are a gateway's to serve. */
const onlyPages: Step = (_request, response, next) => {
  if (response.locals.target.kind === 'page') next();
  else refuse(response, 'fileNotFound');
};

const notFound: Step = (_request, response) => refuse(response, 'fileNotFound');
