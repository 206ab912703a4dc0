import express, { type Express, type RequestHandler } from 'express';
import type { Config } from '../../config.ts';
import { refuse, type Step } from '../../http.ts';
import type { Log } from '../../operations/log.ts';
import type { Release } from '../../release/release.ts';
import { servePublic } from '../../release/serve.ts';
import { answerFault, onlyGet, onlyWellFormed, readTarget, refuseSniffing } from '../../well-formed.ts';

/**
 * The authentication service as a process of its own: its routes, and the pages of the dashboard.
 *
 * @param release where the pages are; undefined: a gateway under the same host serves them
 */
export function createServiceApp(
  routes: RequestHandler,
  release: Release | undefined,
  trustProxy: Config['trustProxy'],
  log: Log,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.disable('query parser');
  app.enable('case sensitive routing');
  app.set('trust proxy', trustProxy);

  app.use(refuseSniffing);
  app.use('/auth', routes);
  app.use(readTarget);
  app.use(onlyGet); // 405
  app.use(onlyWellFormed); // 400
  app.use(onlyPages); // 404
  if (release) app.use(servePublic(release)); // 200, 304, 404
  app.use(notFound); // 404
  app.use(answerFault(log)); // 500
  return app;
}

/** Papers are a gateway's to serve. */
const onlyPages: Step = (_request, response, next) => {
  if (response.locals.target.kind === 'page') next();
  else refuse(response, 'fileNotFound');
};

const notFound: Step = (_request, response) => refuse(response, 'fileNotFound');
