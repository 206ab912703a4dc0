/** What a web server needs to respond as the gateway does, in patterns that nginx (PCRE) and Caddy (RE2) read alike. */
import { type ApiError, type ApiErrorName, apiErrors } from '../../release/errors.ts';
import {
  anyOrigin,
  cacheControl,
  everyResponse,
  missingPageVary,
  vary,
} from '../../release/headers.ts';
import { missingPage, namePatterns, pageFolders, reservedNames } from '../../release/urls.ts';

/** A response that does not depend on the request. */
export interface FixedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The errors that a web server can return, by the names that its configuration uses. */
const errors = {
  method: 'methodNotAllowed',
  malformed: 'malformedUrl',
  request: 'malformedRequest',
  'invalid-year': 'invalidYear',
  'no-exam': 'examNotFound',
  'no-year': 'yearNotFound',
  'no-file': 'fileNotFound',
  'no-page': 'fileNotFound',
  'no-key': 'missingKey',
  'bad-key': 'malformedAuthorization',
  unreachable: 'authenticationUnreachable',
  internal: 'internal',
} as const satisfies Record<string, ApiErrorName>;

export type ErrorName = keyof typeof errors;

export const errorNames = Object.keys(errors) as ErrorName[];

/** The response of the gateway to a request without a key. */
export function errorResponse(name: ErrorName): FixedResponse {
  const { status, message, headers }: ApiError = apiErrors[errors[name]];
  const common = { ...everyResponse, 'Content-Type': 'application/json; charset=utf-8' };
  const missing = { 'Cache-Control': cacheControl.missing, ...anyOrigin };
  const caching = status === 404 ? missing : { 'Cache-Control': cacheControl.error };
  const varying = name === 'no-page' ? missingPageVary : {};
  return {
    status,
    headers: { ...common, ...caching, ...varying, ...headers },
    body: JSON.stringify({ error: message }),
  };
}

/** What replaces `no-page`, by the Accept header. The gateway also compares weights (RFC 9110, 12.5.1). */
export const missingResponses: readonly Match[] = [
  ['application/json', 'no-page'],
  ['text/html', 'page'],
];

/** The page: its path inside the release. */
export const missingPageFile = `public/${pageFolders[0]}/${missingPage}`;

/** Where `/` redirects to. */
export const rootTarget = '/docs/';

export const rootResponse: FixedResponse = {
  status: 302,
  headers: { ...everyResponse, Location: rootTarget, 'Cache-Control': cacheControl.public },
  body: '',
};

/** The headers of every 200 and 304 of a public path, apart from its entity tag. */
export const foundHeaders = {
  ...everyResponse,
  'Cache-Control': cacheControl.public,
  ...anyOrigin,
  Vary: vary.public,
} as const;

/** A pattern and the value that it gives. In a list, the first pattern that matches counts. */
export type Match = readonly [pattern: string, value: string];

/**
 * A malformed request target: its path has an empty or dot segment, an encoded slash, a `#`, an encoded byte that UTF-8
 * never uses, or anything else that is not printable ASCII. Servers normalize such paths, so the pattern needs the
 * target as it was received.
 */
export const malformedTarget =
  '^[^?]*(?:[^!-~]|#|//|%2[Ff]|%[Cc][01]|%[Ff][5-9A-Fa-f]|/(?:[.]|%2[Ee]){1,2}(?:[/?]|$))';

/** Bytes of a URL that nginx and Caddy accept. The gateway bounds URL and headers together to the same size. */
export const longestUrl = 16 * 1024;

const { year } = namePatterns;
const reserved = [...reservedNames].map((name) => name.replace('.', '[.]')).join('|');

/** The form of a decoded path. No match: the URL is malformed. */
export const urlForms: readonly Match[] = [
  ['^/?$', 'root'],
  ['^/auth(?:/|$)', 'auth'],
  [`^/(?:${pageFolders.join('|')})/.`, 'folder'],
  [`^/(?:${reserved})(?:/|$)`, 'page'],
  ['^/[^/]+/?$', 'exam'],
  [`^/[^/]+/${year}/?$`, 'year'],
  [`^/[^/]+/${year}/[^/]+/(?:diagrams/)?[^/]+/?$`, 'protected'],
  ['^/[^/]+/[^/]+(?:/[^/]+/(?:diagrams/)?[^/]+)?/?$', 'invalid-year'],
];

/**
 * The name of the response to `<form>|<method>|<gateway>|<known>|<fresh>|<row>`: `known` if the exam exists, `fresh` if
 * If-None-Match matches. No match: `method`.
 */
export const responseNames: readonly Match[] = [
  ['^(?:auth|protected)[|][^|]*[|][^|]', 'gateway'],
  // A request that could not be parsed has no method.
  ['^malformed[|](?:GET)?[|]', 'malformed'],
  ['^invalid-year[|]GET[|]', 'invalid-year'],
  ['^root[|]GET[|]', 'root'],
  ['^protected[|]GET[|]', 'protected'],
  ['[|]GET[|].*[|]fresh[|]t', 'fresh'],
  ['[|]GET[|].*[|]t[0-9]', 'found'],
  ['^folder[|]GET[|]', 'no-page'],
  ['^(?:page|auth)[|]GET[|]', 'no-file'],
  ['^year[|]GET[|].*[|]known[|]', 'no-year'],
  ['[|]GET[|]', 'no-exam'],
];

/**
 * The response to a request for a paper or diagram without a gateway, by its Authorization header (RFC 6750, 2.1). No
 * match: `no-key`.
 */
export const keyResponses: readonly Match[] = [
  ['^Bearer [A-Za-z0-9._~+/-]+=*$', 'unreachable'],
  ['.', 'bad-key'],
];

/**
 * Patterns that find the weight of a content coding in Accept-Encoding (RFC 9110, 12.5.3). A weight is written as its
 * decimal digits without trailing zeros, `05` for 0.5, so that texts compare like the numbers. The first pattern
 * captures the digits after the point.
 *
 * @param coding `*`: any other
 */
export function weightPatterns(coding: string): {
  readonly weighted: string;
  readonly unweighted: string;
} {
  const name = `(?:^|,)[ \\t]*${coding === '*' ? '[*]' : coding}[ \\t]*`;
  return {
    weighted: `${name};[ \\t]*q=0?(?:[.]([0-9]*?)0*)?[ \\t]*(?:[,;]|$)`,
    unweighted: `${name}(?:[,;]|$)`,
  };
}
