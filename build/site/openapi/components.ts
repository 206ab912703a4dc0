/** Parameters and header fields of the API, as components of its OpenAPI description. */
import type { CompiledExam } from '../../compile/exams.ts';
import { apiErrors } from '../../release/errors.ts';
import {
  anyOrigin,
  cacheControl,
  crossOriginFields,
  everyResponse,
  requestIdField,
  svgPolicy,
  vary,
} from '../../release/headers.ts';
import { defaultPlans, type Plan } from '../../release/plans.ts';
import type { Schema } from '../../release/schemas.ts';
import { namePatterns } from '../../release/urls.ts';
import { type ExamplePaper, inventedDiagram } from '../example.ts';
import { type Header, type Parameter, type Reference, refTo } from './openapi.ts';

/** Returns the parameters in paths and header fields, with examples from the bank. The first ones are those of one paper. */
export function parametersOf(
  exams: readonly CompiledExam[],
  { exam, year, shift, subject }: ExamplePaper,
): Record<string, Parameter> {
  const codes = new Set([exam, ...exams.map(({ resource }) => resource.exam)]);
  const allSubjects = exams.flatMap(({ years }) =>
    years.flatMap(({ resource }) => resource.shifts.flatMap((each) => each.subjects)),
  );
  const subjects = new Set([subject, ...allSubjects]);
  return {
    exam: inPath('exam', 'The exam code alone, not combined with a year.', matching(`^${namePatterns.exam}$`), [
      ...codes,
    ]),
    year: inPath('year', 'The year, four digits.', { type: 'integer', minimum: 1000, maximum: 9999 }, [year]),
    shift: inPath(
      'shift',
      'The full name of the shift, or a short form: its number in the year, the month and day, or any prefix of the name. See Shift names.',
      matching('^.+$'),
      ['s1', shift, shift.slice(5, 10)],
    ),
    file: inPath(
      'file',
      'The name of a subject file: the subject and `.json`. `GET /{exam}/{year}` lists the subjects of each shift, and the files in other languages: the subject, the language and `.json`.',
      matching(`^${namePatterns.subject}(?:\\.${namePatterns.language})?\\.json$`),
      [...subjects].map((subject) => `${subject}.json`),
    ),
    filename: inPath(
      'filename',
      'The name of an image file, from the `file` of a diagram. It contains the id of its question or passage.',
      matching(`^${namePatterns.diagram}\\.(png|jpg|jpeg|webp|gif|avif|svg)$`),
      [inventedDiagram],
    ),
    ifNoneMatch: inHeader(
      'If-None-Match',
      'The `ETag` of an earlier response. If it is still current, the response is a 304 without a body.',
      exampleTag,
      false,
    ),
    origin: inHeader('Origin', 'The origin of the page that runs the script.', exampleOrigin),
    requestMethod: inHeader(
      'Access-Control-Request-Method',
      'The method that the script will use.',
      crossOriginFields.methods,
    ),
    requestFields: inHeader(
      'Access-Control-Request-Headers',
      'The header fields that the script will send.',
      'authorization',
      false,
    ),
  };
}

function inPath(name: string, description: string, schema: Schema, examples: readonly unknown[]): Parameter {
  return { name, in: 'path', description, required: true, schema: { ...schema, examples }, example: examples[0] };
}

function inHeader(name: string, description: string, example: string, required = true): Parameter {
  const schema = { type: 'string', examples: [example] } as const;
  return { name, in: 'header', description, required, schema, example };
}

function matching(pattern: string): Schema {
  return { type: 'string', pattern };
}

const exampleTag = '"0123456789abcdef0123456789abcdef"';
const exampleOrigin = 'https://app.example.org';

const rateLimitPolicy = varying(
  'RateLimit-Policy',
  'The limits of your plan: `q` requests in `w` seconds. The window of a calendar month is as long as the month. The format is that of draft-ietf-httpapi-ratelimit-headers-08.',
  matching(bothLimits(';q=[0-9]+;w=[0-9]+')),
  policyExample(defaultPlans.free),
);

const rateLimit = varying(
  'RateLimit',
  'What is left: `r` requests, and `t` seconds until more are available. The limit closest to exhaustion comes first.',
  matching(bothLimits(';r=[0-9]+;t=[0-9]+')),
  restExample(defaultPlans.free),
);

function policyExample({ perSecond, perMonth }: Plan): string {
  return `"rate";q=${perSecond};w=1, "quota";q=${perMonth};w=2592000`;
}

function restExample({ perSecond, perMonth }: Plan): string {
  return `"rate";r=${perSecond - 1};t=1, "quota";r=${perMonth - 1};t=864000`;
}

/** A list of `rate` and `quota` in any order. */
function bothLimits(parameters: string): string {
  return `^"(rate|quota)"${parameters}, "(rate|quota)"${parameters}$`;
}

const listedOrigin = varying(
  'Access-Control-Allow-Origin',
  'The origin of the request, if the service lists it: its scripts may read the response.',
  { type: 'string', format: 'uri' },
  exampleOrigin,
);

/** Each component, with the name of its header field: one field may have several components. */
const headerTable = {
  ContentTypeOptions: fixed(
    'X-Content-Type-Options',
    'The body has the type that `Content-Type` names.',
    everyResponse['X-Content-Type-Options'],
  ),
  ETag: varying(
    'ETag',
    'Identifies these bytes. Send it back in `If-None-Match`: if the resource is unchanged, the response is a 304 without a body. Each content encoding has its own tag.',
    matching('^"[0-9a-f]{32}"$'),
    exampleTag,
  ),
  ContentEncoding: optional(
    varying(
      'Content-Encoding',
      'The encoding chosen by `Accept-Encoding`. Absent if the body is not compressed.',
      { type: 'string', enum: ['br', 'gzip'] },
      'br',
    ),
  ),
  CachePublic: fixed('Cache-Control', 'Any cache may store the response.', cacheControl.public),
  CacheProtected: fixed(
    'Cache-Control',
    'Only your own cache may store the response. It must revalidate each time.',
    cacheControl.protected,
  ),
  CacheMissing: fixed('Cache-Control', 'A missing resource may appear with the next release.', cacheControl.missing),
  CacheError: fixed('Cache-Control', 'Errors are not cached.', cacheControl.error),
  VaryPublic: fixed('Vary', 'The response depends on this request header.', vary.public),
  VaryProtected: varying(
    'Vary',
    'The response depends on these request headers.',
    matching(`^(Origin, )?${vary.protected}$`),
    vary.protected,
  ),
  VaryPreflight: fixed('Vary', 'The response depends on this request header.', 'Origin'),
  VaryOrigin: optional(
    fixed('Vary', 'If the service lists origins, the response depends on that of the request.', 'Origin'),
  ),
  VaryInternalError: optional(
    varying('Vary', 'The request headers on which the response would have depended.', { type: 'string' }, vary.public),
  ),
  AnyOrigin: fixed(
    'Access-Control-Allow-Origin',
    'Scripts of any origin may read the response.',
    anyOrigin['Access-Control-Allow-Origin'],
  ),
  ListedOrigin: optional(listedOrigin),
  PreflightOrigin: listedOrigin,
  AllowedMethods: fixed(
    'Access-Control-Allow-Methods',
    'The method that scripts of a listed origin may use.',
    crossOriginFields.methods,
  ),
  AllowedFields: fixed(
    'Access-Control-Allow-Headers',
    'The header fields that scripts of a listed origin may send.',
    crossOriginFields.accepted,
  ),
  PreflightAge: varying(
    'Access-Control-Max-Age',
    'Seconds for which a browser may cache the response to a preflight request.',
    { type: 'integer', const: crossOriginFields.age },
    crossOriginFields.age,
  ),
  ExposedFields: optional(
    fixed(
      'Access-Control-Expose-Headers',
      'The header fields that scripts of a listed origin may read.',
      crossOriginFields.exposed,
    ),
  ),
  RateLimitPolicy: rateLimitPolicy,
  RateLimit: rateLimit,
  OptionalRateLimitPolicy: optional(rateLimitPolicy),
  OptionalRateLimit: optional(rateLimit),
  RetryAfter: varying(
    'Retry-After',
    'Seconds until the next request can be accepted.',
    { type: 'integer', minimum: 1 },
    1,
  ),
  RequestId: optional(
    varying(
      requestIdField,
      'Identifies this request in the log of the service: quote it to the operator. Absent if a proxy responds instead of the service.',
      matching('^[A-Za-z0-9._~+/=@-]{1,64}$'),
      '5c1f6a52-9f0b-4c8e-a3d1-7b2e94f0c6d8',
    ),
  ),
  Authenticate: fixed(
    'WWW-Authenticate',
    'The authentication scheme of API keys.',
    apiErrors.missingKey.headers['WWW-Authenticate'],
  ),
  Allow: fixed('Allow', 'The only allowed method.', apiErrors.methodNotAllowed.headers.Allow),
  Location: varying('Location', 'The address of the reference.', { type: 'string', format: 'uri-reference' }, '/docs/'),
  SvgPolicy: optional(
    fixed(
      'Content-Security-Policy',
      'For SVG only: if the image is opened as a page, it cannot run scripts or load anything.',
      svgPolicy,
    ),
  ),
};

type NamedHeader = readonly [field: string, header: Header];

function varying(field: string, description: string, schema: Schema, example: string | number): NamedHeader {
  return [field, { description, required: true, schema, example }];
}

/** A field with the same value in every response that has it. */
function fixed(field: string, description: string, value: string): NamedHeader {
  return varying(field, description, { type: 'string', const: value }, value);
}

function optional([field, header]: NamedHeader): NamedHeader {
  return [field, { ...header, required: false }];
}

export type HeaderName = keyof typeof headerTable;

/** The header components by name. */
export const headers = Object.fromEntries(
  Object.entries(headerTable).map(([name, [, header]]) => [name, header]),
) as Record<HeaderName, Header>;

/** The header components, with the limits of a plan in their examples. */
export function headersWith(plan: Plan = defaultPlans.free): Record<HeaderName, Header> {
  const policy = { example: policyExample(plan) };
  const rest = { example: restExample(plan) };
  return {
    ...headers,
    RateLimitPolicy: { ...headers.RateLimitPolicy, ...policy },
    OptionalRateLimitPolicy: { ...headers.OptionalRateLimitPolicy, ...policy },
    RateLimit: { ...headers.RateLimit, ...rest },
    OptionalRateLimit: { ...headers.OptionalRateLimit, ...rest },
  };
}

/** Returns the header fields of a response, by field name. @param names of those that not every response has */
export function headersOf(names: readonly HeaderName[]): Record<string, Reference> {
  const all: readonly HeaderName[] = ['ContentTypeOptions', ...names];
  return Object.fromEntries(all.map((name) => [headerTable[name][0], refTo('headers', name)]));
}
