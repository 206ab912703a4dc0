import { type ApiError, type ApiErrorName, apiErrors } from '../../release/errors.ts';
import { type HeaderName, headersOf, ownHeaders } from './headers.ts';
import { type Example, type Response, refTo } from './openapi.ts';

/** The header fields of an endpoint's errors, by status, beside those of every such error. */
export type ErrorHeaders = (status: number) => readonly HeaderName[];

/** The answers to errors, by status, with every message as an example. */
export function errorResponses(
  names: readonly ApiErrorName[],
  headersAt: ErrorHeaders,
): Record<string, Response> {
  const statuses = [...new Set(names.map((name) => apiErrors[name].status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = names.filter((name) => apiErrors[name].status === status);
      return [String(status), errorResponse(ofStatus, headersAt(status))];
    }),
  );
}

function errorResponse(names: readonly ApiErrorName[], headers: readonly HeaderName[]): Response {
  const errors = names.map((name): [ApiErrorName, ApiError] => [name, apiErrors[name]]);
  return {
    description: errors.map(([, { cause }]) => cause).join(' '),
    headers: headersOf([
      'ContentTypeOptions',
      ...errors.flatMap(([, error]) => ownHeaders(error.headers ?? {})),
      ...(errors.some(([, { status }]) => status >= 500) ? (['RequestId'] as const) : []),
      ...headers,
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
