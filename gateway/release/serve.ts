import type { Step } from '../http.ts';
import { refuse } from '../http.ts';
import type { Release } from './release.ts';
import { sendResource } from './send.ts';

/** A missing public resource may appear with the next release: caches keep the 404 for a minute. */
const missingPublic = { 'Cache-Control': 'public, max-age=60', 'Access-Control-Allow-Origin': '*' };

/** Answers what needs no key; hands protected targets on. */
export function servePublic(release: Release): Step {
  return (request, response, next) => {
    const { target } = response.locals;
    if (target.kind === 'file' || target.kind === 'diagram') return next();
    const found = release.find(target);
    if (typeof found === 'string') return refuse(response, found, missingPublic);
    response.vary('Accept-Encoding');
    return sendResource(request, response, found);
  };
}

/** Answers what needs a key. Who reaches this step has one. */
export function serveProtected(release: Release): Step {
  return (request, response) => {
    const found = release.find(response.locals.target);
    if (typeof found === 'string') return refuse(response, found);
    response.vary('Authorization, Accept-Encoding');
    return sendResource(request, response, found);
  };
}
