/** The OpenAPI description of the API: `openapi.yaml`, filled in. Descriptions are Markdown (CommonMark). */
import packageFile from '../../../package.json' with { type: 'json' };
import { type CompiledExam, examList } from '../../compile/exams.ts';
import { checksumOf, inSchemaOrder } from '../../compile/response.ts';
import { compiledModule } from '../../compile.js';
import { type Bank, isEmail } from '../../release/config.ts';
import { type ApiErrorName, apiErrors } from '../../release/errors.ts';
import { crossOriginFields } from '../../release/headers.ts';
import { defaultPlan, defaultPlans, type Plan } from '../../release/plans.ts';
import type { IndexedQuestion, QuestionFile, QuestionIndex } from '../../release/resources.ts';
import { type Schema, schemas } from '../../release/schemas.ts';
import { namePatterns } from '../../release/urls.ts';
import type { CodeSample } from '../code.ts';
import {
  type ExamplePaper,
  examplePaper,
  exampleWithDiagram,
  inventedQuestionFile,
} from '../example.ts';
import { fillText } from '../template.ts';
import { planLimits } from '../text.ts';

/** The part of OpenAPI 3.1 that the description uses. */
export interface Description {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly summary: string;
    readonly description: string;
    readonly termsOfService?: string | undefined;
    readonly contact?: { readonly email: string } | { readonly url: string } | undefined;
    readonly version: string;
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly securitySchemes: { readonly apiKey: { readonly description: string } };
  };
}

/** Every endpoint is GET (section 4 of the specification). Protected endpoints also accept CORS preflight requests. */
export interface PathItem {
  readonly get: Operation;
  readonly options?: Operation;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** Empty if no key is required. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Reference[];
  /** By status. */
  readonly responses: Readonly<Record<string, Response>>;
  /** An extension that Redoc, Scalar and others show. */
  readonly 'x-codeSamples'?: readonly CodeSample[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'header';
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema & { readonly examples: readonly unknown[] };
  /** The first of the examples in the schema: importers fill it in. */
  readonly example: unknown;
}

export interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  /** By media type. Absent if there is no body. */
  readonly content?: Readonly<Record<string, MediaType>>;
}

interface MediaType {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, Example>>;
}

interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export interface Header {
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly example: string | number;
}

export interface Reference {
  readonly $ref: string;
}

/** Returns the component that a reference names. @throws Error when there is none */
export function resolve<Component>(
  table: Readonly<Record<string, Component>>,
  { $ref }: Reference,
): Component {
  const found = table[$ref.slice($ref.lastIndexOf('/') + 1)];
  if (!found) throw new Error(`There is no component ${$ref}.`);
  return found;
}

/** `openapi.yaml`: responses may be references to components, which the description has in their places. */
interface Template extends Omit<Description, 'paths' | 'components'> {
  readonly paths: Readonly<Record<string, Record<'get' | 'options', TemplateOperation>>>;
  readonly components: Description['components'] & {
    readonly responses: Readonly<Record<string, Response>>;
  };
}

interface TemplateOperation extends Omit<Operation, 'responses' | 'x-codeSamples'> {
  /** By language. */
  readonly 'x-samples'?: Readonly<Record<string, string>>;
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

const template: Template = (await compiledModule('openapi')).default;

/** Describes the API in OpenAPI 3.1, with examples from the bank. */
export function describeApi(bank: Bank, exams: readonly CompiledExam[]): Description {
  const { name, tagline, contact, terms, publicUrl, plans } = bank;
  const { openapi, info, servers, tags, components } = template;
  const plan = plans[defaultPlan(plans)] ?? defaultPlans.free;
  const limits = { ...crossOriginFields, plans: planLimits(plans) };
  return {
    openapi,
    info: {
      title: name,
      summary: tagline,
      // One line a paragraph.
      description: fillText(info.description.replace(/(?<!\n)\n(?!\n)/g, ' '), limits),
      // Absent from the JSON if they are undefined.
      termsOfService: terms,
      contact: contact ? (isEmail(contact) ? { email: contact } : { url: contact }) : undefined,
      version: packageFile.version,
    },
    servers: servers.map((server) => ({ ...server, url: publicUrl ?? server.url })),
    tags,
    paths: pathsWithExamples(exams, bank),
    components: {
      schemas,
      parameters: parametersWithExamples(exams),
      headers: headersOfPlan(plan),
      securitySchemes: components.securitySchemes,
    },
  };
}

/** A section of the overview, by its heading. @throws Error when there is none */
export function overviewSection({ info }: Description, heading: string): string {
  const [, text] = info.description.split(`## ${heading}\n\n`);
  if (text === undefined) throw new Error(`The description has no section "${heading}".`);
  return text.split('\n\n## ', 1)[0] ?? '';
}

function pathsWithExamples(exams: readonly CompiledExam[], bank: Bank): Description['paths'] {
  const paper = examplePaper(exams, bank.publicUrl);
  const exam = exams.find(({ resource }) => resource.exam === paper.exam);
  const year = exam?.years.find(({ resource }) => resource.year === paper.year);
  const examples: Readonly<Record<string, unknown>> = {
    getExams: examList(exams, bank),
    getExam: exam?.resource,
    getYear: year?.resource,
    getQuestionIndex: indexOf(inventedQuestionFile(paper)),
    getQuestions: inventedQuestionFile(paper),
  };
  const places = { getDiagram: exampleWithDiagram(exams, bank.publicUrl) };

  function complete(operation: TemplateOperation): Operation {
    const place = places[operation.operationId as keyof typeof places] ?? paper;
    const fields = Object.entries(operation).map(([name, value]) =>
      name === 'x-samples' ? ['x-codeSamples', samplesOf(value, place)] : [name, value],
    );
    return {
      ...Object.fromEntries(fields),
      responses: mapValues(operation.responses, (response) => {
        if ('$ref' in response) return withErrors(resolve(template.components.responses, response));
        return withExample(response, examples[operation.operationId]);
      }),
    };
  }

  return mapValues(template.paths, (item) => mapValues(item, complete));
}

/** The index of a year that has only this paper. */
function indexOf(paper: QuestionFile): QuestionIndex {
  const { exam, year, shift, subject, total } = paper;
  const questions = paper.questions.map((question) =>
    inSchemaOrder<IndexedQuestion>('IndexedQuestion', {
      ...{ ...question, shift, subject },
      checksum: checksumOf(question),
    }),
  );
  return { exam, year, total, questions };
}

function samplesOf(sources: Readonly<Record<string, string>>, place: ExamplePaper): CodeSample[] {
  return Object.entries(sources).map(([label, source]) => ({
    lang: label === 'curl' ? 'Shell' : label,
    label,
    source: fillText(source, { ...place }),
  }));
}

/** Fills in the one example of a response, if it has one. */
function withExample(response: Response, value: unknown): Response {
  const { 'application/json': json } = response.content ?? {};
  if (!json?.examples) return response;
  const examples = mapValues(json.examples, (example) => ({ ...example, value }));
  return { ...response, content: { 'application/json': { ...json, examples } } };
}

/** Fills in the errors of a response, if it has some: their examples have their names. */
function withErrors(response: Response): Response {
  const { 'application/json': json } = response.content ?? {};
  if (!json?.examples) return response;
  const errors = Object.keys(json.examples).map((name) => apiErrors[name as ApiErrorName]);
  const examples = mapValues(json.examples, (_, name) => {
    const { message, cause } = apiErrors[name as ApiErrorName];
    return { summary: cause, value: { error: message } };
  });
  return {
    ...response,
    description: errors.map(({ cause }) => cause).join(' '),
    content: { 'application/json': { ...json, examples } },
  };
}

/** The parameters, with examples from the bank: first those of one paper. */
function parametersWithExamples(exams: readonly CompiledExam[]): Record<string, Parameter> {
  const { exam, year, shift, subject } = examplePaper(exams);
  const subjects = exams.flatMap(({ years }) =>
    years.flatMap(({ resource }) => resource.shifts.flatMap((each) => each.subjects)),
  );
  const examplesOf: Readonly<Record<string, readonly unknown[]>> = {
    exam: [...new Set([exam, ...exams.map(({ resource }) => resource.exam)])],
    year: [year],
    shift: ['s1', shift, shift.slice(5, 10)],
    file: Array.from(new Set([subject, ...subjects]), (each) => `${each}.json`),
  };
  const { diagram, language } = namePatterns;
  const patterns: Readonly<Record<string, string>> = {
    exam: `^${namePatterns.exam}$`,
    file: `^${namePatterns.subject}(?:\\.${language})?\\.json$`,
    filename: `^${diagram}\\.(png|jpg|jpeg|webp|gif|avif|svg)$`,
  };
  return mapValues(template.components.parameters, (parameter, name) => {
    const pattern = patterns[name] ?? parameter.schema.pattern;
    const examples = examplesOf[name] ?? parameter.schema.examples;
    const schema = { ...parameter.schema, ...(pattern && { pattern }), examples };
    return { ...parameter, schema, example: examples[0] };
  });
}

/** The header fields, with the limits of a plan in their examples. */
function headersOfPlan({ perSecond, perMonth }: Plan): Record<string, Header> {
  const policy = `"rate";q=${perSecond};w=1, "quota";q=${perMonth};w=2592000`;
  const rest = `"rate";r=${perSecond - 1};t=1, "quota";r=${perMonth - 1};t=864000`;
  const examples: Readonly<Record<string, string>> = {
    RateLimitPolicy: policy,
    OptionalRateLimitPolicy: policy,
    RateLimit: rest,
    OptionalRateLimit: rest,
  };
  return mapValues(template.components.headers, (header, name) => ({
    ...header,
    // A field with one value has it as its example.
    example: examples[name] ?? header.example ?? header.schema.const,
  }));
}

function mapValues<Value, Result, Name extends string>(
  object: Readonly<Record<Name, Value>>,
  map: (value: Value, name: Name) => Result,
): Record<Name, Result> {
  const entries = Object.entries<Value>(object).map(([name, value]) => [
    name,
    map(value, name as Name),
  ]);
  return Object.fromEntries(entries);
}
