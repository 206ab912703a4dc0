import { crossOriginFields } from '../../build/release/headers.ts';
import type { Step } from '../http.ts';

/**
 * Lets scripts of the listed origins read protected answers (CORS, as the Fetch standard has it). Their
 * preflights are answered here; any other OPTIONS request goes on, to be refused as a method.
 */
export function crossOrigin(origins: ReadonlySet<string>): Step {
  return (request, response, next) => {
    const { kind } = response.locals.target;
    if (origins.size === 0 || (kind !== 'file' && kind !== 'diagram')) return next();
    response.vary('Origin');
    const origin = request.headers.origin;
    if (origin === undefined || !origins.has(origin)) return next();
    response.set({
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': crossOriginFields.exposed,
    });
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
      return next();
    response.writeHead(204, {
      'Access-Control-Allow-Methods': crossOriginFields.methods,
      'Access-Control-Allow-Headers': crossOriginFields.accepted,
      'Access-Control-Max-Age': crossOriginFields.age,
    });
    return response.end();
  };
}
