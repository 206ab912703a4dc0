/** Parameters and header fields of the API, as components of its OpenAPI description. */
import type { CompiledExam } from '../../compile/exams.ts';
import {
  anyOrigin,
  cacheControl,
  crossOriginFields,
  everyAnswer,
  requestIdField,
  svgPolicy,
  vary,
} from '../../release/headers.ts';
import { defaultPlans } from '../../release/plans.ts';
import { namePatterns } from '../../release/urls.ts';
import { type ExamplePaper, inventedDiagram } from '../example.ts';
import { type Example, type Header, type Parameter, type Reference, refTo } from './openapi.ts';

/** Returns the parameters in paths and header fields, with examples from the bank. */
export function parametersOf(
  exams: readonly CompiledExam[],
  { year, shift }: ExamplePaper,
): Record<string, Parameter> {
  const subjects = new Set(
    exams.flatMap(({ years }) =>
      years.flatMap(({ resource }) => resource.shifts.flatMap((each) => each.subjects)),
    ),
  );
  return {
    exam: inPath('exam', 'The exam code alone, not combined with a year.', `^${namePatterns.exam}$`, {
      ...Object.fromEntries(exams.map(({ resource: { exam, label } }) => [exam, example(label, exam)])),
    }),
    year: {
      name: 'year',
      in: 'path',
      description: 'The year, four digits.',
      required: true,
      schema: { type: 'integer', minimum: 1000, maximum: 9999 },
      examples: { year: example('A year in the bank', year) },
    },
    shift: inPath(
      'shift',
      'The full name of the shift, or a short form: its number in the year, the month and day, or any prefix of the name. See Shift names.',
      '^.+$',
      {
        ordinal: example('The first shift of the year', 's1'),
        full: example('The full name', shift),
        day: example('The first shift of a day', shift.slice(5, 10)),
      },
    ),
    file: inPath(
      'file',
      'The name of a subject file: the subject and `.json`. `GET /{exam}/{year}` lists the subjects of each shift.',
      `^${namePatterns.subject}\\.json$`,
      Object.fromEntries(
        [...subjects].map((subject) => [subject, example(`The questions of ${subject}`, `${subject}.json`)]),
      ),
    ),
    filename: inPath(
      'filename',
      'The name of an image file, from `diagrams[].file` of a question. It contains the id of its question.',
      `^${namePatterns.diagram}\\.(png|jpg|jpeg|webp|gif|avif|svg)$`,
      { invented: example('An invented name', inventedDiagram) },
    ),
    ifNoneMatch: inHeader(
      'If-None-Match',
      'The `ETag` of an earlier response. If it is still current, the response is a 304 without a body.',
      { required: false, examples: { tag: example('A tag', '"0123456789abcdef0123456789abcdef"') } },
    ),
    origin: inHeader('Origin', 'The origin of the page that runs the script.', {
      required: true,
      examples: { origin: example('An origin', 'https://app.example.org') },
    }),
    requestMethod: inHeader('Access-Control-Request-Method', 'The method that the script will use.', {
      required: true,
      examples: { get: example('The only allowed method', crossOriginFields.methods) },
    }),
    requestFields: inHeader(
      'Access-Control-Request-Headers',
      'The header fields that the script will send.',
      { required: false, examples: { key: example('The field of the key', 'authorization') } },
    ),
  };
}

function inPath(
  name: string,
  description: string,
  pattern: string,
  examples: Readonly<Record<string, Example>>,
): Parameter {
  return { name, in: 'path', description, required: true, schema: { type: 'string', pattern }, examples };
}

function inHeader(
  name: string,
  description: string,
  about: Pick<Parameter, 'required' | 'examples'>,
): Parameter {
  return { name, in: 'header', description, schema: { type: 'string' }, ...about };
}

function example(summary: string, value: unknown): Example {
  return { summary, value };
}

const { perSecond, perMonth } = defaultPlans.free;

const rateLimitPolicy: Header = {
  description:
    'The limits of your plan: `q` requests in `w` seconds. The window of a calendar month is as long as the month. The format is that of draft-ietf-httpapi-ratelimit-headers-08.',
  required: true,
  schema: { type: 'string', pattern: bothLimits(';q=[0-9]+;w=[0-9]+') },
  example: `"rate";q=${perSecond};w=1, "quota";q=${perMonth};w=2592000`,
};

const rateLimit: Header = {
  description:
    'What is left: `r` requests, and `t` seconds until more are available. The limit closest to exhaustion comes first.',
  required: true,
  schema: { type: 'string', pattern: bothLimits(';r=[0-9]+;t=[0-9]+') },
  example: `"rate";r=${perSecond - 1};t=1, "quota";r=${perMonth - 1};t=864000`,
};

/** A list of `rate` and `quota` in any order. */
function bothLimits(parameters: string): string {
  return `^"(rate|quota)"${parameters}, "(rate|quota)"${parameters}$`;
}

/** Each component, with the name of its header field: one field may have several components. */
const headerTable = {
  ContentTypeOptions: [
    'X-Content-Type-Options',
    fixed(everyAnswer['X-Content-Type-Options'], 'The body has the type that `Content-Type` names.'),
  ],
  ETag: [
    'ETag',
    {
      description:
        'Identifies these bytes. Send it back in `If-None-Match`: if the resource is unchanged, the response is a 304 without a body. Each content encoding has its own tag.',
      required: true,
      schema: { type: 'string', pattern: '^"[0-9a-f]{32}"$' },
      example: '"0123456789abcdef0123456789abcdef"',
    },
  ],
  ContentEncoding: [
    'Content-Encoding',
    {
      description: 'The encoding chosen by `Accept-Encoding`. Absent if the body is not compressed.',
      required: false,
      schema: { type: 'string', enum: ['br', 'gzip'] },
      example: 'br',
    },
  ],
  CachePublic: ['Cache-Control', fixed(cacheControl.public, 'Any cache may store the response.')],
  CacheProtected: [
    'Cache-Control',
    fixed(
      cacheControl.protected,
      'Only your own cache may store the response. It must revalidate each time.',
    ),
  ],
  CacheMissing: [
    'Cache-Control',
    fixed(cacheControl.missing, 'A missing resource may appear with the next release.'),
  ],
  CacheError: ['Cache-Control', fixed(cacheControl.error, 'Errors are not cached.')],
  VaryPublic: ['Vary', fixed(vary.public, 'The response depends on this request header.')],
  VaryProtected: [
    'Vary',
    {
      description: 'The response depends on these request headers.',
      required: true,
      schema: { type: 'string', pattern: `^(Origin, )?${vary.protected}$` },
      example: vary.protected,
    },
  ],
  VaryPreflight: ['Vary', fixed('Origin', 'The response depends on this request header.')],
  VaryOrigin: [
    'Vary',
    optional(fixed('Origin', 'If the service lists origins, the response depends on that of the request.')),
  ],
  VaryInternalError: [
    'Vary',
    {
      description: 'The request headers on which the response would have depended.',
      required: false,
      schema: { type: 'string' },
      example: vary.public,
    },
  ],
  AnyOrigin: [
    'Access-Control-Allow-Origin',
    fixed(anyOrigin['Access-Control-Allow-Origin'], 'Scripts of any origin may read the response.'),
  ],
  ListedOrigin: ['Access-Control-Allow-Origin', optional(listedOrigin())],
  PreflightOrigin: ['Access-Control-Allow-Origin', listedOrigin()],
  AllowedMethods: [
    'Access-Control-Allow-Methods',
    fixed(crossOriginFields.methods, 'The method that scripts of a listed origin may use.'),
  ],
  AllowedFields: [
    'Access-Control-Allow-Headers',
    fixed(crossOriginFields.accepted, 'The header fields that scripts of a listed origin may send.'),
  ],
  PreflightAge: [
    'Access-Control-Max-Age',
    {
      description: 'Seconds for which a browser may cache the response to a preflight request.',
      required: true,
      schema: { type: 'integer', const: crossOriginFields.age },
      example: crossOriginFields.age,
    },
  ],
  ExposedFields: [
    'Access-Control-Expose-Headers',
    optional(fixed(crossOriginFields.exposed, 'The header fields that scripts of a listed origin may read.')),
  ],
  RateLimitPolicy: ['RateLimit-Policy', rateLimitPolicy],
  RateLimit: ['RateLimit', rateLimit],
  OptionalRateLimitPolicy: ['RateLimit-Policy', optional(rateLimitPolicy)],
  OptionalRateLimit: ['RateLimit', optional(rateLimit)],
  RetryAfter: [
    'Retry-After',
    {
      description: 'Seconds until the next request can be accepted.',
      required: true,
      schema: { type: 'integer', minimum: 1 },
      example: 1,
    },
  ],
  RequestId: [
    requestIdField,
    {
      description:
        'Identifies this request in the log of the service: quote it to the operator. Absent if a proxy responds instead of the service.',
      required: false,
      schema: { type: 'string', pattern: '^[A-Za-z0-9._~+/=@-]{1,64}$' },
      example: '5c1f6a52-9f0b-4c8e-a3d1-7b2e94f0c6d8',
    },
  ],
  Authenticate: ['WWW-Authenticate', fixed('Bearer', 'The authentication scheme of API keys.')],
  Allow: ['Allow', fixed('GET', 'The only allowed method.')],
  Location: [
    'Location',
    {
      description: 'The address of the reference.',
      required: true,
      schema: { type: 'string', format: 'uri-reference' },
      example: '/docs/',
    },
  ],
  SvgPolicy: [
    'Content-Security-Policy',
    optional(fixed(svgPolicy, 'For SVG only: opened by itself, it runs and loads nothing.')),
  ],
} as const satisfies Readonly<Record<string, readonly [field: string, header: Header]>>;

/** A field with the same value in every response that has it. */
function fixed(value: string, description: string): Header {
  return { description, required: true, schema: { type: 'string', const: value }, example: value };
}

function optional(header: Header): Header {
  return { ...header, required: false };
}

function listedOrigin(): Header {
  return {
    description: 'The origin of the request, if the service lists it: its scripts may read the response.',
    required: true,
    schema: { type: 'string', format: 'uri' },
    example: 'https://app.example.org',
  };
}

export type HeaderName = keyof typeof headerTable;

/** The header components by name. */
export const headers: Readonly<Record<HeaderName, Header>> = Object.fromEntries(
  Object.entries(headerTable).map(([name, [, header]]) => [name, header]),
) as Record<HeaderName, Header>;

/** Returns the header fields of a response, by field name. */
export function headersOf(names: readonly HeaderName[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [headerTable[name][0], refTo('headers', name)]));
}

/**
 * Returns the components of header fields that always have the same value.
 *
 * @throws Error when there is no component for a field and its value
 */
export function componentsOf(fields: Readonly<Record<string, string>>): HeaderName[] {
  return Object.entries(fields).map(([field, value]) => {
    const found = Object.entries(headerTable).find(
      ([, [name, { schema }]]) => name === field && 'const' in schema && schema.const === value,
    );
    if (!found) throw new Error(`There is no header component for ${field}: ${value}.`);
    return found[0] as HeaderName;
  });
}
