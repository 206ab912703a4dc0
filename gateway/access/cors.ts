import { crossOriginFields, everyResponse } from '../../build/release/headers.ts';
import { isLoopback } from '../../build/release/urls.ts';
import { type Fields, type Middleware, toFields, writeHead } from '../http.ts';
import { isProtected } from '../target.ts';

const varyOrigin: Fields = ['Vary', 'Origin'];
const exposedHeaders: Fields = ['Access-Control-Expose-Headers', crossOriginFields.exposed];
const preflight = toFields({
  ...everyResponse,
  'Access-Control-Allow-Methods': crossOriginFields.methods,
  'Access-Control-Allow-Headers': crossOriginFields.accepted,
  'Access-Control-Max-Age': String(crossOriginFields.age),
});

function isLoopbackOrigin(origin: string): boolean {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  return url?.origin === origin && isLoopback(url.hostname);
}

/**
 * CORS for protected paths (Fetch standard, "CORS protocol"). Any other OPTIONS request is rejected later as a method.
 *
 * @param allowed origins; `loopback` stands for all of this machine
 */
export function cors(allowed: readonly string[]): Middleware {
  const origins = new Set(allowed.filter((origin) => origin !== 'loopback'));
  const allowsLoopback = allowed.includes('loopback');
  const isAllowed = (origin: string) =>
    origins.has(origin) || (allowsLoopback && isLoopbackOrigin(origin));
  return (request, response, next) => {
    if (allowed.length === 0 || !isProtected(response.locals.target)) return next();
    response.locals.fields = varyOrigin;
    const origin = request.headers.origin;
    if (origin === undefined || !isAllowed(origin)) return next();
    response.locals.fields = [
      ...varyOrigin,
      'Access-Control-Allow-Origin',
      origin,
      ...exposedHeaders,
    ];
    if (
      request.method !== 'OPTIONS' ||
      request.headers['access-control-request-method'] === undefined
    )
      return next();
    writeHead(response, 204, [...response.locals.fields, ...preflight]);
    response.end();
  };
}
