import { anyOrigin, cacheControl, vary } from '../../build/release/headers.ts';
import type { Step } from '../http.ts';
import { refuse } from '../http.ts';
import type { Release } from './release.ts';
import { sendResource } from './send.ts';

const missingPublic = { 'Cache-Control': cacheControl.missing, ...anyOrigin };

/** Answers what needs no key; hands protected targets on. */
export function servePublic(release: Release): Step {
  return (request, response, next) => {
    const { target } = response.locals;
    if (target.kind === 'file' || target.kind === 'diagram') return next();
    const found = release.find(target);
    if (typeof found === 'string') return refuse(response, found, missingPublic);
    response.vary(vary.public);
    return sendResource(request, response, found);
  };
}

/** Answers what needs a key. Who reaches this step has one. */
export function serveProtected(release: Release): Step {
  return (request, response) => {
    const found = release.find(response.locals.target);
    if (typeof found === 'string') return refuse(response, found);
    response.vary(vary.protected);
    return sendResource(request, response, found);
  };
}
