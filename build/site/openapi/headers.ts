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
import { type Header, type Reference, refTo } from './openapi.ts';

const { perSecond, perMonth } = defaultPlans.free;

/** A field of the same value in every answer that has it. */
function fixed(value: string, description: string): Header {
  return { description, required: true, schema: { type: 'string', const: value }, example: value };
}

function sometimes(header: Header): Header {
  return { ...header, required: false };
}

/** A list of `rate` and `quota`, either of them first. */
function bothLimits(parameters: string): string {
  return `^"(rate|quota)"${parameters}, "(rate|quota)"${parameters}$`;
}

const policy: Header = {
  description:
    'The limits of your plan: `q` requests in `w` seconds; a calendar month is as long as it is. In the form of draft-ietf-httpapi-ratelimit-headers-08.',
  required: true,
  schema: { type: 'string', pattern: bothLimits(';q=[0-9]+;w=[0-9]+') },
  example: `"rate";q=${perSecond};w=1, "quota";q=${perMonth};w=2592000`,
};

const left: Header = {
  description:
    'What is left: `r` requests, and `t` seconds until there are more. The limit that is nearest to its end comes first.',
  required: true,
  schema: { type: 'string', pattern: bothLimits(';r=[0-9]+;t=[0-9]+') },
  example: `"rate";r=${perSecond - 1};t=1, "quota";r=${perMonth - 1};t=864000`,
};

/** The components of header fields, each with the field's name. */
const table = {
  ContentTypeOptions: [
    'X-Content-Type-Options',
    fixed(everyAnswer['X-Content-Type-Options'], 'The body is what `Content-Type` says.'),
  ],
  ETag: [
    'ETag',
    {
      description:
        'Names these very bytes. Sent back in `If-None-Match`, an unchanged answer costs a bare 304. Each content coding has a tag of its own.',
      required: true,
      schema: { type: 'string', pattern: '^"[0-9a-f]{32}"$' },
      example: '"0123456789abcdef0123456789abcdef"',
    },
  ],
  ContentEncoding: [
    'Content-Encoding',
    {
      description: 'The coding chosen by `Accept-Encoding`; absent when the bytes are sent as they are.',
      required: false,
      schema: { type: 'string', enum: ['br', 'gzip'] },
      example: 'br',
    },
  ],
  CachePublic: ['Cache-Control', fixed(cacheControl.public, 'Any cache may keep the answer.')],
  CacheProtected: [
    'Cache-Control',
    fixed(cacheControl.protected, 'Your own cache may keep the answer, and asks about it each time.'),
  ],
  CacheMissing: [
    'Cache-Control',
    fixed(cacheControl.missing, 'What is missing may appear with the next release.'),
  ],
  CacheError: ['Cache-Control', fixed(cacheControl.error, 'No cache keeps an error.')],
  VaryPublic: ['Vary', fixed(vary.public, 'The answer depends on this field of the request.')],
  VaryProtected: [
    'Vary',
    {
      description: 'The answer depends on these fields of the request.',
      required: true,
      schema: { type: 'string', pattern: `^(Origin, )?${vary.protected}$` },
      example: vary.protected,
    },
  ],
  VaryPreflight: ['Vary', fixed('Origin', 'The answer depends on this field of the request.')],
  VaryOrigin: [
    'Vary',
    sometimes(fixed('Origin', 'Where the service lists origins, the answer depends on that of the request.')),
  ],
  VaryFault: [
    'Vary',
    {
      description: 'What the answer would have depended on.',
      required: false,
      schema: { type: 'string' },
      example: vary.public,
    },
  ],
  AnyOrigin: [
    'Access-Control-Allow-Origin',
    fixed(anyOrigin['Access-Control-Allow-Origin'], 'Scripts of any origin may read the answer.'),
  ],
  ListedOrigin: [
    'Access-Control-Allow-Origin',
    {
      description: 'The origin of the request, where the service lists it: its scripts may read the answer.',
      required: false,
      schema: { type: 'string', format: 'uri' },
      example: 'https://app.example.org',
    },
  ],
  AskingOrigin: [
    'Access-Control-Allow-Origin',
    {
      description: 'The origin of the request, which the service lists.',
      required: true,
      schema: { type: 'string', format: 'uri' },
      example: 'https://app.example.org',
    },
  ],
  AllowedMethods: [
    'Access-Control-Allow-Methods',
    fixed(crossOriginFields.methods, 'What scripts of a listed origin may do.'),
  ],
  AllowedFields: [
    'Access-Control-Allow-Headers',
    fixed(crossOriginFields.accepted, 'The fields that scripts of a listed origin may send.'),
  ],
  PreflightAge: [
    'Access-Control-Max-Age',
    {
      description: 'Seconds for which a browser need not ask again.',
      required: true,
      schema: { type: 'integer', const: crossOriginFields.age },
      example: crossOriginFields.age,
    },
  ],
  ExposedFields: [
    'Access-Control-Expose-Headers',
    sometimes(fixed(crossOriginFields.exposed, 'The fields that scripts of a listed origin may read.')),
  ],
  RateLimitPolicy: ['RateLimit-Policy', policy],
  RateLimit: ['RateLimit', left],
  RateLimitPolicyFault: ['RateLimit-Policy', sometimes(policy)],
  RateLimitFault: ['RateLimit', sometimes(left)],
  RetryAfter: [
    'Retry-After',
    {
      description: 'Seconds until a next request can be accepted.',
      required: true,
      schema: { type: 'integer', minimum: 1 },
      example: 1,
    },
  ],
  RequestId: [
    requestIdField,
    {
      description:
        'Names this request in the log of the service: tell it to the operator. A proxy that answers in its place has none.',
      required: false,
      schema: { type: 'string', pattern: '^[A-Za-z0-9._~+/=@-]{1,64}$' },
      example: '5c1f6a52-9f0b-4c8e-a3d1-7b2e94f0c6d8',
    },
  ],
  Authenticate: ['WWW-Authenticate', fixed('Bearer', 'The scheme by which a key is sent.')],
  Allow: ['Allow', fixed('GET', 'The one method there is.')],
  Location: [
    'Location',
    {
      description: 'The address of the reference.',
      required: true,
      schema: { type: 'string', format: 'uri-reference' },
      example: '/docs/',
    },
  ],
  DrawingPolicy: [
    'Content-Security-Policy',
    sometimes(fixed(svgPolicy, 'Of an SVG alone: opened by itself, it runs and loads nothing.')),
  ],
} as const satisfies Readonly<Record<string, readonly [field: string, header: Header]>>;

export type HeaderName = keyof typeof table;

/** The components of a description. */
export const headers: Readonly<Record<string, Header>> = Object.fromEntries(
  Object.entries(table).map(([name, [, header]]) => [name, header]),
);

/** The header fields of a response, by field name. */
export function headersOf(names: readonly HeaderName[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [table[name][0], refTo('headers', name)]));
}

/** The components of fields that an error bears beside those of every error. */
export function ownHeaders(fields: Readonly<Record<string, string>>): HeaderName[] {
  return Object.entries(fields).map(([field, value]) => {
    const found = Object.entries(table).find(
      ([, [name, { schema }]]) => name === field && 'const' in schema && schema.const === value,
    );
    if (!found) throw new Error(`The description knows no ${field}: ${value}.`);
    return found[0] as HeaderName;
  });
}
