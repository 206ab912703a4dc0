import { crossOriginFields, everyResponse } from '../../build/release/headers.ts';
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

/**
 * CORS for protected paths (Fetch standard, "CORS protocol"). Any other OPTIONS request is rejected later as a method.
 */
export function cors(allowed: readonly string[]): Middleware {
  const origins = new Set(allowed);
  return (request, response, next) => {
    if (origins.size === 0 || !isProtected(response.locals.target)) return next();
    response.locals.fields = varyOrigin;
    const origin = request.headers.origin;
    if (origin === undefined || !origins.has(origin)) return next();
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
