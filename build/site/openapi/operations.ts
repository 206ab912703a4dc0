/** The endpoints of section 4 of the specification as OpenAPI operations: responses, errors and their header fields. */
import type { CompiledExam } from '../../compile/exams.ts';
import { type ApiError, type ApiErrorName, apiErrors } from '../../release/errors.ts';
import { diagramMediaTypes } from '../../release/resources.ts';
import { type ExamplePaper, inventedQuestionFile } from '../example.ts';
import { componentsOf, type HeaderName, headersOf } from './components.ts';
import { type Example, type Operation, type PathItem, type Response, refTo } from './openapi.ts';

/** Errors that every path can respond with. */
const everyPathErrors = [
  'malformedUrl',
  'malformedRequest',
  'methodNotAllowed',
  'requestTimeout',
  'internal',
] as const satisfies readonly ApiErrorName[];

/** Further errors of paths that require a key. */
const protectedErrors = [
  'invalidYear',
  'missingKey',
  'malformedAuthorization',
  'invalidKey',
  'examNotFound',
  'yearNotFound',
  'shiftNotFound',
  'fileNotFound',
  'rateLimitExceeded',
  'authenticationUnreachable',
] as const satisfies readonly ApiErrorName[];

const publicHeaders: readonly HeaderName[] = [
  'ContentTypeOptions',
  'ETag',
  'CachePublic',
  'VaryPublic',
  'AnyOrigin',
];

const corsHeaders: readonly HeaderName[] = ['ListedOrigin', 'ExposedFields'];
const limitHeaders: readonly HeaderName[] = ['RateLimitPolicy', 'RateLimit'];
const optionalLimitHeaders: readonly HeaderName[] = ['OptionalRateLimitPolicy', 'OptionalRateLimit'];

const protectedHeaders: readonly HeaderName[] = [
  'ContentTypeOptions',
  'ETag',
  'CacheProtected',
  'VaryProtected',
  ...limitHeaders,
  ...corsHeaders,
];

/** The header fields of an endpoint's errors by status, apart from those of every such error. */
type ErrorHeaders = (status: number) => readonly HeaderName[];

/** An internal error may occur after other middleware has set header fields. */
const publicErrorHeaders: ErrorHeaders = (status) => {
  if (status === 404) return ['CacheMissing', 'AnyOrigin'];
  return status === 500 ? ['CacheError', 'VaryInternalError'] : ['CacheError'];
};

const protectedErrorHeaders: ErrorHeaders = (status) => {
  const always: readonly HeaderName[] = ['CacheError', ...corsHeaders];
  switch (status) {
    case 404:
      return [...always, 'VaryOrigin', ...limitHeaders];
    case 429:
      // The limit for a client address applies before the plan of the key is known.
      return [...always, 'VaryOrigin', ...optionalLimitHeaders, 'RetryAfter'];
    case 500:
      return [...always, 'VaryInternalError', ...optionalLimitHeaders];
    default:
      return [...always, 'VaryOrigin'];
  }
};

/** Describes the endpoints in the order of the specification, with examples from the bank. */
export function pathsOf(exams: readonly CompiledExam[], paper: ExamplePaper): Record<string, PathItem> {
  const exam = exams.find(({ resource }) => resource.exam === paper.exam);
  const year = exam?.years.find(({ resource }) => resource.year === paper.year);
  return {
    '/': { get: root },
    '/{exam}': {
      parameters: [refTo('parameters', 'exam')],
      get: publicOperation({
        operationId: 'getExam',
        summary: 'The years of an exam',
        description: 'Lists the years of an exam, newest first.',
        schema: 'ExamYears',
        example: { summary: 'The years of an exam in the bank', value: exam?.resource },
        errors: ['examNotFound'],
      }),
    },
    '/{exam}/{year}': {
      parameters: ['exam', 'year'].map((name) => refTo('parameters', name)),
      get: publicOperation({
        operationId: 'getYear',
        summary: 'The shifts of a year',
        description:
          'Lists the shifts of a year in chronological order. Each has its subjects, the number of its questions, and a checksum that changes when a question changes.',
        schema: 'YearShifts',
        example: { summary: 'The shifts of a year in the bank', value: year?.resource },
        errors: ['invalidYear', 'examNotFound', 'yearNotFound'],
      }),
    },
    '/{exam}/{year}/{shift}/{file}': protectedPath(['exam', 'year', 'shift', 'file'], {
      operationId: 'getQuestions',
      summary: 'The questions of a subject',
      preflightId: 'preflightQuestions',
      description:
        'Returns the questions of one subject in one shift, with options, answers and diagrams. The questions in the example are invented.',
      ok: {
        description: 'The questions.',
        headers: headersOf([...protectedHeaders, 'ContentEncoding']),
        content: {
          'application/json': {
            schema: refTo('schemas', 'QuestionFile'),
            examples: { invented: { summary: 'Invented questions', value: inventedQuestionFile(paper) } },
          },
        },
      },
    }),
    '/{exam}/{year}/{shift}/diagrams/{filename}': protectedPath(['exam', 'year', 'shift', 'filename'], {
      operationId: 'getDiagram',
      summary: 'A diagram',
      preflightId: 'preflightDiagram',
      description: 'Returns an image that a question of the shift names in `diagrams`.',
      ok: {
        description: 'The bytes of the image.',
        headers: headersOf([...protectedHeaders, 'ContentEncoding', 'SvgPolicy']),
        content: Object.fromEntries(diagramMediaTypes.map((mediaType) => [mediaType, {}])),
      },
    }),
  };
}

const root: Operation = {
  operationId: 'redirectToReference',
  summary: 'A redirect',
  description: 'Redirects to this reference.',
  tags: ['Service'],
  security: [],
  responses: {
    302: {
      description: 'The address of the reference is in `Location`.',
      headers: headersOf(['ContentTypeOptions', 'Location', 'CachePublic']),
    },
    ...errorResponses(everyPathErrors, publicErrorHeaders),
    // Linters require a 2xx response or a default.
    default: {
      description: 'Any other response is an error.',
      headers: headersOf(['ContentTypeOptions', 'CacheError']),
      content: { 'application/json': { schema: refTo('schemas', 'Error') } },
    },
  },
};

interface PublicEndpoint extends Pick<Operation, 'operationId' | 'summary' | 'description'> {
  readonly schema: string;
  readonly example: Example;
  readonly errors: readonly ApiErrorName[];
}

function publicOperation({ schema, example, errors, ...about }: PublicEndpoint): Operation {
  return {
    ...about,
    tags: ['Public'],
    security: [],
    parameters: [refTo('parameters', 'ifNoneMatch')],
    responses: {
      200: {
        description: `${about.summary}.`,
        headers: headersOf([...publicHeaders, 'ContentEncoding']),
        content: { 'application/json': { schema: refTo('schemas', schema), examples: { bank: example } } },
      },
      304: notModified(publicHeaders),
      ...errorResponses([...everyPathErrors, ...errors], publicErrorHeaders),
    },
  };
}

interface ProtectedEndpoint extends Pick<Operation, 'operationId' | 'summary' | 'description'> {
  readonly ok: Response;
  /** The operation id of its preflight request. */
  readonly preflightId: string;
}

function protectedPath(
  parameters: readonly string[],
  { ok, preflightId, ...about }: ProtectedEndpoint,
): PathItem {
  return {
    parameters: parameters.map((name) => refTo('parameters', name)),
    get: {
      ...about,
      tags: ['Protected'],
      security: [{ apiKey: [] }],
      parameters: [refTo('parameters', 'ifNoneMatch')],
      responses: {
        200: ok,
        304: notModified(protectedHeaders),
        ...errorResponses([...everyPathErrors, ...protectedErrors], protectedErrorHeaders),
      },
    },
    options: preflight(preflightId, about.summary),
  };
}

/** The preflight request that a browser sends before a cross-origin request with a key (Fetch, 3.3.2). */
function preflight(operationId: string, summary: string): Operation {
  return {
    operationId,
    summary: `${summary}: CORS preflight`,
    description:
      'The preflight request that a browser sends before a script of another origin sends a key. It succeeds if the service lists that origin. Any other `OPTIONS` request gets a 405.',
    tags: ['Protected'],
    security: [],
    parameters: ['origin', 'requestMethod', 'requestFields'].map((name) => refTo('parameters', name)),
    responses: {
      204: {
        description: 'Scripts of this origin may send the request.',
        headers: headersOf([
          'ContentTypeOptions',
          'VaryPreflight',
          'PreflightOrigin',
          'AllowedMethods',
          'AllowedFields',
          'PreflightAge',
          'ExposedFields',
        ]),
      },
      ...errorResponses(everyPathErrors, protectedErrorHeaders),
    },
  };
}

function notModified(headers: readonly HeaderName[]): Response {
  return {
    description: 'The resource still has a tag that `If-None-Match` names.',
    headers: headersOf(headers),
  };
}

/** Describes error responses by status, with every message as an example. */
function errorResponses(names: readonly ApiErrorName[], headersFor: ErrorHeaders): Record<string, Response> {
  const statuses = [...new Set(names.map((name) => apiErrors[name].status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const withStatus = names.filter((name) => apiErrors[name].status === status);
      return [String(status), errorResponse(status, withStatus, headersFor(status))];
    }),
  );
}

function errorResponse(
  status: number,
  names: readonly ApiErrorName[],
  headers: readonly HeaderName[],
): Response {
  const errors = names.map((name): readonly [ApiErrorName, ApiError] => [name, apiErrors[name]]);
  const examples = errors.map(([name, { message, cause }]): [string, Example] => [
    name,
    { summary: cause, value: { error: message } },
  ]);
  return {
    description: errors.map(([, { cause }]) => cause).join(' '),
    headers: headersOf([
      'ContentTypeOptions',
      ...errors.flatMap(([, error]) => componentsOf(error.headers ?? {})),
      ...(status >= 500 ? (['RequestId'] as const) : []),
      ...headers,
    ]),
    content: {
      'application/json': { schema: refTo('schemas', 'Error'), examples: Object.fromEntries(examples) },
    },
  };
}
