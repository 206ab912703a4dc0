import { type ApiError, type ApiErrorName, apiErrors } from '../../release/errors.ts';
import { anyOrigin, cacheControl, everyAnswer, vary } from '../../release/headers.ts';

/** An answer that is the same for every request that gets it. */
export interface FixedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How a host names the answers that are errors. */
export const errorAnswers = {
  method: 'methodNotAllowed',
  malformed: 'malformedUrl',
  request: 'malformedRequest',
  'invalid-year': 'invalidYear',
  'no-exam': 'examNotFound',
  'no-year': 'yearNotFound',
  'no-file': 'fileNotFound',
  'no-key': 'missingKey',
  'bad-key': 'malformedAuthorization',
  unreachable: 'authenticationUnreachable',
  fault: 'internal',
} as const satisfies Record<string, ApiErrorName>;

export type ErrorAnswerName = keyof typeof errorAnswers;

const missing: ReadonlySet<ErrorAnswerName> = new Set(['no-exam', 'no-year', 'no-file']);

/** The answer to an error, as the gateway gives it to a request without a key. */
export function errorAnswer(name: ErrorAnswerName): FixedAnswer {
  const { status, message, headers }: ApiError = apiErrors[errorAnswers[name]];
  return {
    status,
    headers: {
      ...everyAnswer,
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': missing.has(name) ? cacheControl.missing : cacheControl.error,
      ...(missing.has(name) && anyOrigin),
      ...headers,
    },
    body: JSON.stringify({ error: message }),
  };
}

export const errorAnswerNames = Object.keys(errorAnswers) as ErrorAnswerName[];

/** Where `/` leads. */
export const reference = '/docs/';

/** The redirect of `/`. */
export const rootAnswer: FixedAnswer = {
  status: 302,
  headers: { ...everyAnswer, Location: reference, 'Cache-Control': cacheControl.public },
  body: '',
};

/** What every 200 and 304 of a public path bears, beside its entity tag. */
export const foundHeaders = {
  ...everyAnswer,
  'Cache-Control': cacheControl.public,
  ...anyOrigin,
  Vary: vary.public,
} as const;

/** The header of a request that bears a key: `Bearer`, one space, and a token (RFC 6750, 2.1). */
export const bearer = '^Bearer [A-Za-z0-9._~+/-]+=*$';
