import type { CompiledExam } from '../../compile/compile.ts';
import { diagramMediaTypes } from '../../content/image.ts';
import type { ApiErrorName } from '../../release/errors.ts';
import type { Example as Paper } from '../example.ts';
import { type ErrorHeaders, errorResponses } from './errors.ts';
import { type HeaderName, headersOf } from './headers.ts';
import { inventedAnswer } from './invented-paper.ts';
import { type Operation, type PathItem, type Response, refTo } from './openapi.ts';

/** Errors that every path can answer with. */
const anyPath = [
  'malformedUrl',
  'malformedRequest',
  'methodNotAllowed',
  'requestTimeout',
  'internal',
] as const satisfies readonly ApiErrorName[];

/** Those of a path that needs a key, beside them. */
const closedPath = [
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

const openHeaders: readonly HeaderName[] = [
  'ContentTypeOptions',
  'ETag',
  'CachePublic',
  'VaryPublic',
  'AnyOrigin',
];

const originHeaders: readonly HeaderName[] = ['ListedOrigin', 'ExposedFields'];
const standing: readonly HeaderName[] = ['RateLimitPolicy', 'RateLimit'];

const closedHeaders: readonly HeaderName[] = [
  'ContentTypeOptions',
  'ETag',
  'CacheProtected',
  'VaryProtected',
  ...standing,
  ...originHeaders,
];

/** A fault comes after other steps, which have said something already. */
const openErrors: ErrorHeaders = (status) => {
  if (status === 404) return ['CacheMissing', 'AnyOrigin'];
  return status === 500 ? ['CacheError', 'VaryFault'] : ['CacheError'];
};

const closedErrors: ErrorHeaders = (status) => {
  const always: readonly HeaderName[] = ['CacheError', ...originHeaders];
  switch (status) {
    case 404:
      return [...always, 'VaryOrigin', ...standing];
    case 429:
      // That of an address comes before the key's plan is known.
      return [...always, 'VaryOrigin', 'RateLimitPolicyFault', 'RateLimitFault', 'RetryAfter'];
    case 500:
      return [...always, 'VaryFault', 'RateLimitPolicyFault', 'RateLimitFault'];
    default:
      return [...always, 'VaryOrigin'];
  }
};

/** The endpoints of section 4 of the specification, in its order, with examples from the bank. */
export function pathsOf(exams: readonly CompiledExam[], paper: Paper): Record<string, PathItem> {
  const exam = exams.find(({ resource }) => paper.year.startsWith(`${resource.exam}/`));
  const year = exam?.years.find(({ resource }) => paper.year === `${resource.exam}/${resource.year}`);
  return {
    '/': { get: root },
    '/{exam}': path(
      ['exam'],
      open({
        operationId: 'getExam',
        summary: 'The years of an exam',
        description: 'Lists the years that the bank has of an exam, newest first.',
        schema: 'ExamYears',
        example: { summary: 'The years of an exam of the bank', value: exam?.resource },
        errors: ['examNotFound'],
      }),
    ),
    '/{exam}/{year}': path(
      ['exam', 'year'],
      open({
        operationId: 'getYear',
        summary: 'The shifts of a year',
        description:
          'Lists the shifts of a year in chronological order, each with its subjects, the number of its questions, and a checksum that changes when they do.',
        schema: 'YearShifts',
        example: { summary: 'The shifts of a year of the bank', value: year?.resource },
        errors: ['invalidYear', 'examNotFound', 'yearNotFound'],
      }),
    ),
    '/{exam}/{year}/{shift}/{file}': path(
      ['exam', 'year', 'shift', 'file'],
      ...closed({
        operationId: 'getQuestions',
        summary: 'The questions of a subject',
        preflightId: 'askForQuestions',
        description:
          'The questions of one subject in one shift, with options, answers and what diagrams they have. The questions of the example are invented.',
        ok: {
          description: 'The questions.',
          headers: headersOf([...closedHeaders, 'ContentEncoding']),
          content: {
            'application/json': {
              schema: refTo('schemas', 'QuestionFile'),
              examples: { invented: { summary: 'Invented questions', value: inventedAnswer(paper) } },
            },
          },
        },
      }),
    ),
    '/{exam}/{year}/{shift}/diagrams/{filename}': path(
      ['exam', 'year', 'shift', 'filename'],
      ...closed({
        operationId: 'getDiagram',
        summary: 'A diagram',
        preflightId: 'askForDiagram',
        description:
          'An image that a question names in `diagrams`, under the same shift as its question file.',
        ok: {
          description: 'The bytes of the image.',
          headers: headersOf([...closedHeaders, 'ContentEncoding', 'DrawingPolicy']),
          content: Object.fromEntries(diagramMediaTypes.map((mediaType) => [mediaType, {}])),
        },
      }),
    ),
  };
}

const root: Operation = {
  operationId: 'redirectToReference',
  summary: 'A redirect',
  description: 'Leads to this reference.',
  tags: ['Service'],
  security: [],
  responses: {
    302: {
      description: 'The reference is at `Location`.',
      headers: headersOf(['ContentTypeOptions', 'Location', 'CachePublic']),
    },
    ...errorResponses(anyPath, openErrors),
    // There is no 2xx here, which linters miss in an operation unless it says what else may come.
    default: {
      description: 'Anything else is an error.',
      headers: headersOf(['ContentTypeOptions', 'CacheError']),
      content: { 'application/json': { schema: refTo('schemas', 'Error') } },
    },
  },
};

interface OpenEndpoint extends Pick<Operation, 'operationId' | 'summary' | 'description'> {
  readonly schema: string;
  readonly example: { readonly summary: string; readonly value: unknown };
  readonly errors: readonly ApiErrorName[];
}

function open({ schema, example, errors, ...about }: OpenEndpoint): Operation {
  return {
    ...about,
    tags: ['Public'],
    security: [],
    parameters: [refTo('parameters', 'ifNoneMatch')],
    responses: {
      200: {
        description: `${about.summary}.`,
        headers: headersOf([...openHeaders, 'ContentEncoding']),
        content: { 'application/json': { schema: refTo('schemas', schema), examples: { bank: example } } },
      },
      304: notModified(openHeaders),
      ...errorResponses([...anyPath, ...errors], openErrors),
    },
  };
}

interface ClosedEndpoint extends Pick<Operation, 'operationId' | 'summary' | 'description'> {
  readonly ok: Response;
  /** What the request is called by which a browser asks first. */
  readonly preflightId: string;
}

/** An endpoint that needs a key, and the preflight of scripts of other origins. */
function closed({ ok, preflightId, ...about }: ClosedEndpoint): [get: Operation, options: Operation] {
  const get: Operation = {
    ...about,
    tags: ['With a key'],
    security: [{ apiKey: [] }],
    parameters: [refTo('parameters', 'ifNoneMatch')],
    responses: {
      200: ok,
      304: notModified(closedHeaders),
      ...errorResponses([...anyPath, ...closedPath], closedErrors),
    },
  };
  return [get, preflight(preflightId, about.summary)];
}

/** What a browser asks before a script of another origin may send a key (Fetch, 3.3.2). */
function preflight(operationId: string, summary: string): Operation {
  return {
    operationId,
    summary: `${summary}: may a script ask?`,
    description:
      'The preflight that a browser sends by itself before a script of another origin sends a key. It is answered where the service lists that origin; any other `OPTIONS` is refused as a method.',
    tags: ['With a key'],
    security: [],
    parameters: ['origin', 'requestMethod', 'requestFields'].map((name) => refTo('parameters', name)),
    responses: {
      204: {
        description: 'Scripts of this origin may ask.',
        headers: headersOf([
          'ContentTypeOptions',
          'VaryPreflight',
          'AskingOrigin',
          'AllowedMethods',
          'AllowedFields',
          'PreflightAge',
          'ExposedFields',
        ]),
      },
      ...errorResponses(anyPath, closedErrors),
    },
  };
}

function notModified(headers: readonly HeaderName[]): Response {
  return { description: 'What `If-None-Match` names is current still.', headers: headersOf(headers) };
}

function path(parameters: readonly string[], get: Operation, options?: Operation): PathItem {
  return {
    parameters: parameters.map((name) => refTo('parameters', name)),
    get,
    ...(options && { options }),
  };
}
