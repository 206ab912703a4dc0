/** The endpoints of section 4 of the specification as OpenAPI operations: responses, errors and their header fields. */
import { type CompiledExam, examList } from '../../compile/exams.ts';
import { groupBy } from '../../content/groups.ts';
import { type ApiErrorName, apiErrors } from '../../release/errors.ts';
import { diagramMediaTypes } from '../../release/resources.ts';
import { type EndpointKind, endpoints, examListPath } from '../../release/urls.ts';
import { type ExamplePaper, exampleWithDiagram, inventedQuestionFile } from '../example.ts';
import { type HeaderName, headersOf } from './components.ts';
import { type Operation, type PathItem, type Reference, type Response, refTo } from './openapi.ts';
import lists from './responses.json' with { type: 'json' };
import { requestSamples, type TextOf } from './texts.ts';

/** Errors that every endpoint can respond with. */
export const sharedErrors = lists.sharedErrors as readonly ApiErrorName[];

const allErrors = Object.keys(apiErrors) as ApiErrorName[];

type HeadersByStatus = Readonly<Record<number, readonly HeaderName[]>>;

const headers = lists.headers as Readonly<
  Record<keyof typeof lists.headers, readonly HeaderName[]>
>;
/** In addition to those of every error. An internal error may occur after other middleware has set header fields. */
const errorHeaders = lists.errors as HeadersByStatus;
/** The limit for a client address applies before the plan of the key is known. */
const errorLimitHeaders = lists.errorLimits as HeadersByStatus;

type Content = NonNullable<Response['content']>;

/** An endpoint whose responses are resources. `responses.json` has all but the content. */
interface Endpoint {
  readonly operationId: string;
  /** What a 200 is. */
  readonly summary: string;
  readonly content: Content;
  /** Header fields of a 200, in addition to those of every endpoint of its kind. */
  readonly headers?: readonly HeaderName[];
  /** Errors beside those of every path. A protected path can respond with every error. */
  readonly errors?: readonly ApiErrorName[];
}

const described = lists.endpoints as Readonly<
  Record<EndpointKind | 'list', Omit<Endpoint, 'content'>>
>;

/** Describes the endpoints in the order of the specification, with examples from the bank. */
export function pathsOf(
  exams: readonly CompiledExam[],
  paper: ExamplePaper,
  text: TextOf,
): Record<string, PathItem> {
  const exam = exams.find(({ resource }) => resource.exam === paper.exam);
  const year = exam?.years.find(({ resource }) => resource.year === paper.year);
  const item = (kind: EndpointKind | 'list', content: Content) => {
    const { path, isProtected } =
      kind === 'list' ? { path: `/${examListPath}`, isProtected: false } : endpoints[kind];
    const example = kind === 'diagram' ? exampleWithDiagram(exams, paper.origin) : paper;
    return { [path]: pathItem(path, isProtected, { ...described[kind], content }, example, text) };
  };
  return {
    ...item('list', json('ExamList', 'bank', 'The exams of the bank', examList(exams))),
    ...item('exam', json('ExamYears', 'bank', 'The years of an exam in the bank', exam?.resource)),
    ...item('year', json('YearShifts', 'bank', 'The shifts of a year in the bank', year?.resource)),
    ...item(
      'file',
      json('QuestionFile', 'invented', 'Invented questions', inventedQuestionFile(paper)),
    ),
    ...item('diagram', Object.fromEntries(diagramMediaTypes.map((mediaType) => [mediaType, {}]))),
    '/': { get: rootOperation(paper, text) },
  };
}

function json(schema: string, name: string, summary: string, value: unknown): Content {
  return {
    'application/json': {
      schema: refTo('schemas', schema),
      examples: { [name]: { summary, value } },
    },
  };
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
function pathItem(
  path: string,
  isProtected: boolean,
  endpoint: Endpoint,
  paper: ExamplePaper,
  text: TextOf,
): PathItem {
  const { operationId, summary, content, headers: more = [], errors = [] } = endpoint;
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
      200: {
        description: `${summary}.`,
        headers: headersOf([...always, 'ContentEncoding', ...more]),
        content,
      },
      304: {
        description: 'The resource still has a tag that `If-None-Match` names.',
        headers: headersOf(always),
      },
      ...errorResponses(isProtected ? allErrors : [...sharedErrors, ...errors], isProtected),
    },
  };
  return isProtected ? { get, options: preflight(endpoint, inPath, text('preflight')) } : { get };
}

/** The preflight request that a browser sends before a cross-origin request with a key (Fetch, 3.3.2). */
function preflight(
  { operationId, summary }: Endpoint,
  inPath: readonly string[],
  description: string,
): Operation {
  return {
    operationId: operationId.replace('get', 'preflight'),
    summary: `${summary}: CORS preflight`,
    description,
    tags: ['Protected'],
    security: [],
    parameters: parameters(...inPath, 'origin', 'requestMethod', 'requestFields'),
    responses: {
      204: {
        description: 'Scripts of this origin may send the request.',
        headers: headersOf(headers.preflight),
      },
      ...errorResponses(sharedErrors, true),
    },
  };
}

function parameters(...names: readonly string[]): Reference[] {
  return names.map((name) => refTo('parameters', name));
}

/** Describes error responses by status, with every message as an example. */
function errorResponses(
  names: readonly ApiErrorName[],
  isProtected: boolean,
): Record<string, Response> {
  const responses: Record<string, Response> = {};
  for (const [status, errors] of groupBy(names, (name) => apiErrors[name].status)) {
    const examples = errors.map((name) => {
      const { message, cause } = apiErrors[name];
      return [name, { summary: cause, value: { error: message } }] as const;
    });
    responses[status] = {
      description: errors.map((name) => apiErrors[name].cause).join(' '),
      headers: headersOf(errorHeadersOf(status, isProtected)),
      content: {
        'application/json': {
          schema: refTo('schemas', 'Error'),
          examples: Object.fromEntries(examples),
        },
      },
    };
  }
  return responses;
}

function errorHeadersOf(status: number, isProtected: boolean): HeaderName[] {
  const own = errorHeaders[status] ?? [];
  if (!isProtected && status === 404) return ['CacheMissing', 'AnyOrigin'];
  if (!isProtected) return ['CacheError', ...own];
  const varies: readonly HeaderName[] = status === 500 ? [] : ['VaryOrigin'];
  return ['CacheError', ...headers.cors, ...varies, ...own, ...(errorLimitHeaders[status] ?? [])];
}
