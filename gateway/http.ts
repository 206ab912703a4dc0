import type { ServerResponse } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { type ApiError, type ApiErrorName, apiErrors } from '../build/release/errors.ts';
import { cacheControl, everyAnswer } from '../build/release/headers.ts';
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

export interface ErrorAnswer {
  readonly headers: Readonly<Record<string, string | number>>;
  /** An object with the one field `error` (section 7 of the specification). */
  readonly body: string;
}

/** Made once: an error costs a request no more than its bytes. */
const errorAnswers = new Map(
  (Object.keys(apiErrors) as ApiErrorName[]).map((name): [ApiErrorName, ErrorAnswer] => {
    const error: ApiError = apiErrors[name];
    const body = JSON.stringify({ error: error.message });
    const headers = {
      ...everyAnswer,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': cacheControl.error,
      ...error.headers,
    };
    return [name, { headers, body }];
  }),
);

/** The answer to an error, whatever the request. */
export function errorAnswer(name: ApiErrorName): ErrorAnswer {
  const answer = errorAnswers.get(name);
  if (!answer) throw new RangeError(`There is no error ${name}.`);
  return answer;
}

/** Answers with an error. Caches keep none, unless `more` says otherwise. */
export function refuse(
  response: ServerResponse,
  name: ApiErrorName,
  more?: Readonly<Record<string, string>>,
): void {
  const { headers, body } = errorAnswer(name);
  response.writeHead(apiErrors[name].status, { ...headers, ...more });
  response.end(body);
}
