/** The endpoints of section 4 of the specification as OpenAPI operations: responses, errors and their header fields. */
import type { CompiledExam } from '../../compile/exams.ts';
import { groupBy } from '../../content/groups.ts';
import { type ApiErrorName, apiErrors } from '../../release/errors.ts';
import { diagramMediaTypes } from '../../release/resources.ts';
import { type EndpointKind, endpoints } from '../../release/urls.ts';
import { type ExamplePaper, exampleWithDiagram, inventedQuestionFile } from '../example.ts';
import { type HeaderName, headersOf } from './components.ts';
import {
  type Example,
  filled,
  type Operation,
  type PathItem,
  type Reference,
  type Response,
  refTo,
} from './openapi.ts';
import tables from './operations.json' with { type: 'json' };
import { requestSamples, type TextOf } from './texts.ts';

/** Errors that every endpoint can respond with. */
export const sharedErrors = tables.errors as readonly ApiErrorName[];

const allErrors = Object.keys(apiErrors) as ApiErrorName[];

/** The header fields of responses that have a status, and those of the others. */
interface ErrorHeaders {
  readonly others: readonly HeaderName[];
  readonly [status: string]: readonly HeaderName[];
}

/** Header fields beside those of every response: of the responses of public and protected endpoints, and of errors. */
const headers = tables.headers as {
  readonly public: readonly HeaderName[];
  readonly protected: readonly HeaderName[];
  readonly preflight: readonly HeaderName[];
  readonly publicErrors: ErrorHeaders;
  readonly protectedErrors: ErrorHeaders;
};

interface Endpoint {
  readonly operationId: string;
  readonly summary: string;
  /** What a 200 is, and its body. */
  readonly response: string;
  readonly content: NonNullable<Response['content']>;
  /** Header fields of a 200, in addition to those of every endpoint of its kind. */
  readonly headers?: readonly HeaderName[];
  /** Errors beside those of every path. A protected path can respond with every error. */
  readonly errors?: readonly ApiErrorName[];
}

/** Describes the endpoints in the order of the specification, with examples from the bank. */
export function pathsOf(exams: readonly CompiledExam[], paper: ExamplePaper, text: TextOf): Record<string, PathItem> {
  const exam = exams.find(({ resource }) => resource.exam === paper.exam);
  const year = exam?.years.find(({ resource }) => resource.year === paper.year);
  const images = Object.fromEntries(diagramMediaTypes.map((mediaType) => [mediaType, {}]));
  const values = { exam: exam?.resource, year: year?.resource, file: inventedQuestionFile(paper), images };
  const items = Object.entries(filled<Endpoint>(tables.endpoints, values)).map(([kind, endpoint]) => {
    const { path, isProtected } = endpoints[kind as EndpointKind];
    const ofSamples = endpoint.headers ? exampleWithDiagram(exams, paper.origin) : paper;
    return [path, pathItem(path, isProtected, endpoint, ofSamples, text)] as const;
  });
  return { ...Object.fromEntries(items), '/': { get: rootOperation(paper, text) } };
}

function rootOperation(paper: ExamplePaper, text: TextOf): Operation {
  const operationId = 'redirectToReference';
  return {
    operationId,
    summary: 'A redirect',
    description: text(operationId),
    tags: ['Service'],
    security: [],
    'x-codeSamples': requestSamples(operationId, paper),
    responses: {
      302: {
        description: 'The address of the reference is in `Location`.',
        headers: headersOf(['Location', 'CachePublic']),
      },
      ...errorResponses(sharedErrors, false),
      // Linters require a 2xx response or a default.
      default: {
        description: 'Any other response is an error.',
        headers: headersOf(['CacheError']),
        content: { 'application/json': { schema: refTo('schemas', 'Error') } },
      },
    },
  };
}

/** @param paper of the samples */
function pathItem(path: string, isProtected: boolean, endpoint: Endpoint, paper: ExamplePaper, text: TextOf): PathItem {
  const { operationId, summary, response, content, headers: own = [], errors = [] } = endpoint;
  const always = isProtected ? headers.protected : headers.public;
  const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  const get = {
    operationId,
    summary,
    description: text(operationId),
    'x-codeSamples': requestSamples(operationId, paper),
    tags: [isProtected ? 'Protected' : 'Public'],
    security: isProtected ? [{ apiKey: [] }] : [],
    parameters: parameters(...inPath, 'ifNoneMatch'),
    responses: {
      200: { description: response, headers: headersOf([...always, 'ContentEncoding', ...own]), content },
      304: { description: 'The resource still has a tag that `If-None-Match` names.', headers: headersOf(always) },
      ...errorResponses(isProtected ? allErrors : [...sharedErrors, ...errors], isProtected),
    },
  };
  return isProtected ? { get, options: preflight(endpoint, inPath, text('preflight')) } : { get };
}

/** The preflight request that a browser sends before a cross-origin request with a key (Fetch, 3.3.2). */
function preflight({ operationId, summary }: Endpoint, inPath: readonly string[], description: string): Operation {
  return {
    operationId: operationId.replace('get', 'preflight'),
    summary: `${summary}: CORS preflight`,
    description,
    tags: ['Protected'],
    security: [],
    parameters: parameters(...inPath, 'origin', 'requestMethod', 'requestFields'),
    responses: {
      204: { description: 'Scripts of this origin may send the request.', headers: headersOf(headers.preflight) },
      ...errorResponses(sharedErrors, true),
    },
  };
}

function parameters(...names: readonly string[]): Reference[] {
  return names.map((name) => refTo('parameters', name));
}

/** Describes error responses by status, with every message as an example. */
function errorResponses(names: readonly ApiErrorName[], isProtected: boolean): Record<string, Response> {
  const fields = isProtected ? headers.protectedErrors : headers.publicErrors;
  const responses: Record<string, Response> = {};
  for (const [status, errors] of groupBy(names, (name) => apiErrors[name].status)) {
    const examples = errors.map((name): [string, Example] => {
      const { message, cause } = apiErrors[name];
      return [name, { summary: cause, value: { error: message } }];
    });
    responses[status] = {
      description: errors.map((name) => apiErrors[name].cause).join(' '),
      headers: headersOf(fields[status] ?? fields.others),
      content: { 'application/json': { schema: refTo('schemas', 'Error'), examples: Object.fromEntries(examples) } },
    };
  }
  return responses;
}
