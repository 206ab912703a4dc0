import { crossOriginFields, everyAnswer } from '../../build/release/headers.ts';
import { type Fields, type Step, toFields, writeHead } from '../http.ts';

const varied: Fields = ['Vary', 'Origin'];
const exposed: Fields = ['Access-Control-Expose-Headers', crossOriginFields.exposed];
const preflight = toFields({
  ...everyAnswer,
  'Access-Control-Allow-Methods': crossOriginFields.methods,
  'Access-Control-Allow-Headers': crossOriginFields.accepted,
  'Access-Control-Max-Age': String(crossOriginFields.age),
});

/**
 * Lets scripts of the listed origins read protected answers (CORS, as the Fetch standard has it). Their
 * preflights are answered here; any other OPTIONS request goes on, to be refused as a method.
 */
export function crossOrigin(origins: ReadonlySet<string>): Step {
  return (request, response, next) => {
    const { kind } = response.locals.target;
    if (origins.size === 0 || (kind !== 'file' && kind !== 'diagram')) return next();
    response.locals.fields = varied;
    const origin = request.headers.origin;
    if (origin === undefined || !origins.has(origin)) return next();
    response.locals.fields = [...varied, 'Access-Control-Allow-Origin', origin, ...exposed];
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
      return next();
    writeHead(response, 204, [...response.locals.fields, ...preflight]);
    return response.end();
  };
}
