import { type ApiError, type ApiErrorName, apiErrors } from '../../release/errors.ts';
import { type HeaderName, headersOf, ownHeaders } from './headers.ts';
import { type Example, type Response, refTo } from './openapi.ts';

/** What the answers of an endpoint differ in from those of others. */
export interface ErrorSetting {
  /** Whether caches keep a 404 for a moment: that of a public resource. */
  readonly missingIsKept: boolean;
  /** What answers bear that were given before the key was accepted, and after. */
  readonly before: readonly HeaderName[];
  readonly after: readonly HeaderName[];
}

/** Errors that an endpoint with a key gives to accepted keys alone: they tell how the account stands. */
const afterLimits = new Set<number>([404, 429]);

const keptForAMoment: readonly HeaderName[] = ['CacheMissing', 'AnyOrigin'];
const notKept: readonly HeaderName[] = ['CacheError'];
const waiting: readonly HeaderName[] = ['RetryAfter'];

/** The answers to errors, by status, with every message as an example. */
export function errorResponses(
  names: readonly ApiErrorName[],
  setting: ErrorSetting,
): Record<string, Response> {
  const statuses = [...new Set(names.map((name) => apiErrors[name].status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = names.filter((name) => apiErrors[name].status === status);
      return [String(status), errorResponse(status, ofStatus, setting)];
    }),
  );
}

function errorResponse(
  status: number,
  names: readonly ApiErrorName[],
  { missingIsKept, before, after }: ErrorSetting,
): Response {
  const errors = names.map((name): [ApiErrorName, ApiError] => [name, apiErrors[name]]);
  return {
    description: errors.map(([, { cause }]) => cause).join(' '),
    headers: headersOf([
      'ContentTypeOptions',
      ...(status === 404 && missingIsKept ? keptForAMoment : notKept),
      ...errors.flatMap(([, { headers = {} }]) => ownHeaders(headers)),
      ...(afterLimits.has(status) ? after : before),
      ...(status === 429 ? waiting : []),
    ]),
    content: {
      'application/json': {
        schema: refTo('schemas', 'Error'),
        examples: Object.fromEntries(errors.map(([name, error]) => [name, exampleOf(error)])),
      },
    },
  };
}

function exampleOf({ message, cause }: ApiError): Example {
  return { summary: cause, value: { error: message } };
}
