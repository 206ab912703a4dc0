import type { ServerResponse } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { type ApiError, type ApiErrorName, apiErrors } from '../build/release/errors.ts';
import { cacheControl, everyAnswer, requestIdField } from '../build/release/headers.ts';
import type { ValidKey } from './key-check.ts';
import { requestIdOf } from './log/request-id.ts';
import type { Target } from './target.ts';

/** Header fields as Node sends them soonest: name, value, name, value. */
export type Fields = readonly string[];

export const noFields: Fields = [];

/** What one step of the pipeline leaves for those after it. */
export interface Locals extends Record<string, unknown> {
  target: Target;
  key: ValidKey;
  /** Header fields that the answer bears, whatever it will be. */
  fields: Fields;
}

export type GatewayResponse = Response<unknown, Locals>;

/** One step of the pipeline: it answers, or hands on. */
export type Step = (request: Request, response: GatewayResponse, next: NextFunction) => unknown;

/**
 * Steps that follow each other as one handler: Express's router makes a dozen objects for every handler that a
 * request comes by.
 */
export function inTurn(...steps: readonly Step[]): RequestHandler<object, unknown, unknown, unknown, Locals> {
  return (request, response, end) => new Way(steps, request as Request, response, end).next();
}

/** The way of one request through the steps. */
class Way {
  readonly #steps: readonly Step[];
  readonly #request: Request;
  readonly #response: GatewayResponse;
  readonly #end: NextFunction;
  #taken = 0;
  /** What each step is handed. */
  readonly next: NextFunction;

  constructor(steps: readonly Step[], request: Request, response: GatewayResponse, end: NextFunction) {
    this.#steps = steps;
    this.#request = request;
    this.#response = response;
    this.#end = end;
    this.next = (error?: unknown) => this.#goOn(error);
  }

  #goOn(error: unknown): unknown {
    const step = this.#steps[this.#taken];
    if (error || !step) return this.#end(error);
    this.#taken += 1;
    try {
      const result = step(this.#request, this.#response, this.next);
      return result instanceof Promise ? result.catch(this.#end) : result;
    } catch (fault) {
      return this.#end(fault);
    }
  }
}

export interface ErrorAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: Fields;
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
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': cacheControl.error,
      ...error.headers,
    };
    return [name, { headers, fields: toFields(headers), body }];
  }),
);

/** The answer to an error, whatever the request. */
export function errorAnswer(name: ApiErrorName): ErrorAnswer {
  const answer = errorAnswers.get(name);
  if (!answer) throw new RangeError(`There is no error ${name}.`);
  return answer;
}

/**
 * Answers with an error. Caches keep none, unless `more` says otherwise. What is no fault of the client bears the id of
 * the request, to be quoted.
 */
export function refuse(
  response: ServerResponse & { readonly locals?: Partial<Locals> },
  name: ApiErrorName,
  more?: Readonly<Record<string, string>>,
): void {
  const { status } = apiErrors[name];
  const { headers, fields, body } = errorAnswer(name);
  const own = more ? toFields({ ...headers, ...more }) : fields;
  const passedOn = response.locals?.fields ?? noFields;
  const id = status >= 500 ? [requestIdField, requestIdOf(response)] : noFields;
  writeHead(response, status, passedOn.length === 0 && id.length === 0 ? own : [...passedOn, ...id, ...own]);
  response.end(body);
}

/** Writes status and header fields; no header may have been set before. */
export function writeHead(response: ServerResponse, status: number, fields: Fields): void {
  // Node's types do not know that it only reads them.
  response.writeHead(status, fields as string[]);
}

export function toFields(headers: Readonly<Record<string, string>>): Fields {
  const fields: string[] = [];
  for (const name in headers) fields.push(name, headers[name] ?? '');
  return fields;
}
