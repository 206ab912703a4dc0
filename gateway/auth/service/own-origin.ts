import type { Request, RequestHandler } from 'express';
import { answerError } from './answer.ts';

/**
 * Refuses what a page of another origin makes a browser send. Browsers tell by `Sec-Fetch-Site` (Fetch
 * Metadata), older ones by `Origin`; who tells neither is no browser, and has no cookies that a page could
 * misuse.
 *
 * @param publicUrl the service's own origin; undefined: the host that the request was sent to
 */
export function refuseOtherOrigins(publicUrl: string | undefined): RequestHandler {
  return (request, response, next) => {
    if (request.method === 'GET' || isOwn(request, publicUrl)) next();
    else answerError(response, 403, 'Requests from other origins are refused.');
  };
}

function isOwn({ headers }: Request, publicUrl: string | undefined): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const { origin } = headers;
  if (origin === undefined) return true;
  if (publicUrl !== undefined) return origin === publicUrl;
  // A proxy may have changed the host: then the browser's own word counts.
  return site !== undefined || (URL.canParse(origin) && new URL(origin).host === headers.host);
}
