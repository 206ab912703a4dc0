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
import type { TextOf } from './texts.ts';

/** Returns the parameters in paths and header fields, with examples from the bank: first those of one paper. */
export function parametersOf(
  exams: readonly CompiledExam[],
  { exam, year, shift, subject }: ExamplePaper,
  text: TextOf,
): Record<string, Parameter> {
  const codes = new Set([exam, ...exams.map(({ resource }) => resource.exam)]);
  const allSubjects = exams.flatMap(({ years }) =>
    years.flatMap(({ resource }) => resource.shifts.flatMap((each) => each.subjects)),
  );
  const files = Array.from(new Set([subject, ...allSubjects]), (each) => `${each}.json`);
  const filePattern = `^${namePatterns.subject}(?:\\.${namePatterns.language})?\\.json$`;
  const imagePattern = `^${namePatterns.diagram}\\.(png|jpg|jpeg|webp|gif|avif|svg)$`;

  function inPath(name: string, schema: Schema, examples: readonly unknown[]): Parameter {
    const example = examples[0];
    return {
      name,
      in: 'path',
      description: text(name),
      required: true,
      schema: { ...schema, examples },
      example,
    };
  }

  function inHeader(name: string, example: string, required = true): Parameter {
    const schema = { type: 'string', examples: [example] } as const;
    return { name, in: 'header', description: text(name), required, schema, example };
  }

  return {
    exam: inPath('exam', matching(`^${namePatterns.exam}$`), [...codes]),
    year: inPath('year', { type: 'integer', minimum: 1000, maximum: 9999 }, [year]),
    shift: inPath('shift', matching('^.+$'), ['s1', shift, shift.slice(5, 10)]),
    file: inPath('file', matching(filePattern), files),
    filename: inPath('filename', matching(imagePattern), [inventedDiagram]),
    ifNoneMatch: inHeader('If-None-Match', exampleTag, false),
    origin: inHeader('Origin', exampleOrigin),
    requestMethod: inHeader('Access-Control-Request-Method', crossOriginFields.methods),
    requestFields: inHeader('Access-Control-Request-Headers', 'authorization', false),
  };
}

function matching(pattern: string): Schema {
  return { type: 'string', pattern };
}

const exampleTag = '"0123456789abcdef0123456789abcdef"';
const exampleOrigin = 'https://app.example.org';

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

/** A header field without its description, which `texts.md` has under the name of the component. */
interface HeaderField extends Omit<Header, 'description'> {
  readonly field: string;
}

function varying(field: string, schema: Schema, example: string | number): HeaderField {
  return { field, required: true, schema, example };
}

/** A field with the same value in every response that has it. */
function fixed(field: string, value: string): HeaderField {
  return varying(field, { type: 'string', const: value }, value);
}

function optional(header: HeaderField): HeaderField {
  return { ...header, required: false };
}

const { methods, accepted, exposed, age } = crossOriginFields;
const listedOrigin = varying(
  'Access-Control-Allow-Origin',
  { type: 'string', format: 'uri' },
  exampleOrigin,
);
const policy = varying(
  'RateLimit-Policy',
  matching(bothLimits(';q=[0-9]+;w=[0-9]+')),
  policyExample(defaultPlans.free),
);
const rest = varying(
  'RateLimit',
  matching(bothLimits(';r=[0-9]+;t=[0-9]+')),
  restExample(defaultPlans.free),
);
const requestId = matching('^[A-Za-z0-9._~+/=@-]{1,64}$');

/** Each component: one field may have several. */
const headerTable = {
  ContentTypeOptions: fixed('X-Content-Type-Options', everyResponse['X-Content-Type-Options']),
  ETag: varying('ETag', matching('^"[0-9a-f]{32}"$'), exampleTag),
  ContentEncoding: optional(
    varying('Content-Encoding', { type: 'string', enum: ['br', 'gzip'] }, 'br'),
  ),
  CachePublic: fixed('Cache-Control', cacheControl.public),
  CacheProtected: fixed('Cache-Control', cacheControl.protected),
  CacheMissing: fixed('Cache-Control', cacheControl.missing),
  CacheError: fixed('Cache-Control', cacheControl.error),
  VaryPublic: fixed('Vary', vary.public),
  VaryProtected: varying('Vary', matching(`^(Origin, )?${vary.protected}$`), vary.protected),
  VaryPreflight: fixed('Vary', 'Origin'),
  VaryOrigin: optional(fixed('Vary', 'Origin')),
  VaryInternalError: optional(varying('Vary', { type: 'string' }, vary.public)),
  AnyOrigin: fixed('Access-Control-Allow-Origin', anyOrigin['Access-Control-Allow-Origin']),
  ListedOrigin: optional(listedOrigin),
  PreflightOrigin: listedOrigin,
  AllowedMethods: fixed('Access-Control-Allow-Methods', methods),
  AllowedFields: fixed('Access-Control-Allow-Headers', accepted),
  PreflightAge: varying('Access-Control-Max-Age', { type: 'integer', const: age }, age),
  ExposedFields: optional(fixed('Access-Control-Expose-Headers', exposed)),
  RateLimitPolicy: policy,
  RateLimit: rest,
  OptionalRateLimitPolicy: optional(policy),
  OptionalRateLimit: optional(rest),
  RetryAfter: varying('Retry-After', { type: 'integer', minimum: 1 }, 1),
  RequestId: optional(varying(requestIdField, requestId, '5c1f6a52-9f0b-4c8e-a3d1-7b2e94f0c6d8')),
  Authenticate: fixed('WWW-Authenticate', apiErrors.missingKey.headers['WWW-Authenticate']),
  Allow: fixed('Allow', apiErrors.methodNotAllowed.headers.Allow),
  Location: varying('Location', { type: 'string', format: 'uri-reference' }, '/docs/'),
  SvgPolicy: optional(fixed('Content-Security-Policy', svgPolicy)),
};

export type HeaderName = keyof typeof headerTable;

/** The header components, with the limits of a plan in their examples. */
export function headersOfPlan(plan: Plan | undefined, text: TextOf): Record<HeaderName, Header> {
  const examples: Readonly<Record<string, string>> = {
    'RateLimit-Policy': policyExample(plan ?? defaultPlans.free),
    RateLimit: restExample(plan ?? defaultPlans.free),
  };
  const headers = Object.entries<HeaderField>(headerTable).map(
    ([name, { field, required, schema, example }]) => {
      return [
        name,
        { description: text(name), required, schema, example: examples[field] ?? example },
      ];
    },
  );
  return Object.fromEntries(headers);
}

/** The name of the header field of a component. */
export function fieldOf(name: HeaderName): string {
  return headerTable[name].field;
}

/** Returns the header fields of a response, by field name. @param names of those that not every response has */
export function headersOf(names: readonly HeaderName[]): Record<string, Reference> {
  const all: readonly HeaderName[] = ['ContentTypeOptions', ...names];
  return Object.fromEntries(all.map((name) => [fieldOf(name), refTo('headers', name)]));
}
