import type { NextFunction, Request, Response } from 'express';
import { type ApiErrorName, apiErrors } from '../build/release/errors.ts';
import type { ValidKey } from './key-check.ts';
import type { Target } from './target.ts';

/** What one step of the pipeline leaves for those after it. */
export interface Locals extends Record<string, unknown> {
  target: Target;
  key: ValidKey;
}

export type GatewayResponse = Response<unknown, Locals>;

/** One step of the pipeline: it answers, or hands on. */
export type Step = (request: Request, response: GatewayResponse, next: NextFunction) => unknown;

/** The headers that an error needs beside its body (RFC 9110, 15.5). */
const errorHeaders: { readonly [Name in ApiErrorName]?: Readonly<Record<string, string>> } = {
  methodNotAllowed: { Allow: 'GET' },
  missingKey: { 'WWW-Authenticate': 'Bearer' },
  malformedAuthorization: { 'WWW-Authenticate': 'Bearer' },
};

/** The body of an error answer: an object with the one field `error` (section 7 of the specification). */
export function errorBody(name: ApiErrorName): string {
  return JSON.stringify({ error: apiErrors[name].message });
}

/** Answers with an error. Caches keep none, unless `headers` says otherwise. */
export function refuse(
  response: Response,
  name: ApiErrorName,
  headers?: Readonly<Record<string, string>>,
): void {
  const body = errorBody(name);
  response.writeHead(apiErrors[name].status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    ...errorHeaders[name],
    ...headers,
  });
  response.end(body);
}
