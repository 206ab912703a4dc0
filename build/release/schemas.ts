/**
 * The JSON Schemas of all responses: the resources of section 2 of the specification, and the error of section 7.
 *
 * `schemas.json` describes them by the names that typed clients know them under: what is derived, and what is served in
 * another way than it was written. `part` names what several of them have. Whatever else the schemas of content files
 * have is served as it was written. The patterns of names are those of `urls.ts`.
 */
import exam from '../../content/schema/exam.schema.json' with { type: 'json' };
import shift from '../../content/schema/shift.schema.json' with { type: 'json' };
import subjectFile from '../../content/schema/subject-file.schema.json' with { type: 'json' };
import apiSchemas from './schemas.json' with { type: 'json' };
import { type NameKind, namePatterns } from './urls.ts';

/** The keywords of JSON Schema (2020-12) that describe responses. */
export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly enum?: readonly string[];
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

export type SchemaName = keyof typeof apiSchemas;

/** The schemas of content files, without keywords of editors, with references to the schemas of the API. */
const content: object = JSON.parse(
  JSON.stringify({ exam, shift, 'subject-file': subjectFile }),
  (key, value) => {
    if (key === 'enumDescriptions' || key === 'defaultSnippets') return undefined;
    if (key !== '$ref') return value;
    const definition = String(value).replace(/^.*#\/\$defs\//, '');
    const name = `${definition.charAt(0).toUpperCase()}${definition.slice(1)}`;
    return Object.hasOwn(apiSchemas, name) ? `#/components/schemas/${name}` : value;
  },
);

/** A part of the schemas of content files, by its path. */
function contentSchema(path: string): Schema {
  return path.split('/').reduce((part: object, key) => part[key as keyof object], content);
}

/** What each type of question requires of options and answer. */
const questionTypes: readonly Schema[] = (
  contentSchema('subject-file/$defs/question/properties/type').enum ?? []
).map((type) => {
  const { properties, ...others } = contentSchema(`subject-file/$defs/${type}`);
  // A dropped question without an answer.
  const answer = { oneOf: [properties?.['answer'] ?? {}, { const: '' }] };
  return { ...others, properties: { ...properties, answer } };
});

const year: Schema = {
  description: 'The year, of four digits.',
  type: 'integer',
  minimum: 1000,
  maximum: 9999,
};

/** What several schemas have, by the name under which `part` refers to it. */
const parts: Readonly<Record<string, Schema>> = {
  exam: { description: 'The exam code, as in the path.', type: 'string', pattern: '^{{exam}}$' },
  label: { description: 'The display name of the exam.', type: 'string', minLength: 1 },
  year,
  years: { description: 'The years in the bank, newest first.', type: 'array', items: year },
  shift: {
    description: 'The full name of the shift, `<YYYY>-<MM>-<DD>-s<n>`.',
    type: 'string',
    pattern: '^{{shift}}$',
  },
  subject: {
    description: 'The name of the subject: the file name without `.json`.',
    type: 'string',
    pattern: '^{{subject}}$',
  },
  language: {
    description: 'The language, as a BCP 47 tag: `hi`.',
    type: 'string',
    pattern: '^{{language}}$',
  },
  checksum: { type: 'string', pattern: '^[0-9a-f]{12}$' },
  count: { type: 'integer', minimum: 0 },
  positive: { type: 'integer', minimum: 1 },
  text: { type: 'string', minLength: 1 },
};

/** Replaces references to `parts`, and the names of patterns, as in `{{shift}}`. */
function withParts<Result>(schema: object): Result {
  const complete = JSON.stringify(schema, (_, value) => {
    if (typeof value?.part !== 'string') return value;
    const { description, ...keywords } = parts[value.part] ?? {};
    return { description: value.description ?? description, ...keywords };
  });
  return JSON.parse(complete, (_, value) => {
    if (typeof value !== 'string') return value;
    return value.replace(/\{\{(\w+)\}\}/g, (_, kind: NameKind) => namePatterns[kind]);
  });
}

/** A reference to a schema of content files: its name and the path in it. */
const contentReference = /^([a-z-]+)\.schema\.json#\/?(.*)$/;

/** A schema as `schemas.json` has it. */
interface Described extends Omit<Schema, 'properties'> {
  /** `false`: written, but not served. `*` stands for the written fields that are not named. */
  readonly properties?: Readonly<Record<string, Schema | false>>;
}

/** A schema with all fields of the written form that it refers to, if it refers to one. */
function withWritten(described: Described): Schema {
  const [, name, path = ''] = contentReference.exec(described.$ref ?? '') ?? [];
  if (name === undefined) return described as Schema;
  const written = contentSchema(path === '' ? name : `${name}/${path}`);
  const { $ref, ...keywords } = described;
  if (!written.properties) return { ...written, ...(keywords as Schema) };
  return { ...keywords, properties: servedFields(written.properties, described.properties) };
}

/**
 * The fields of a served object: those that are described, in their order, and those of the written form. What is
 * described without a type refines the written field of the same name.
 */
function servedFields(
  { $schema, ...written }: Readonly<Record<string, Schema>>,
  described: Readonly<Record<string, Schema | false>> = {},
): Record<string, Schema> {
  const others = Object.keys(written).filter((name) => !Object.hasOwn(described, name));
  const names = Object.keys(described).flatMap((name) => (name === '*' ? others : [name]));
  const fields: Record<string, Schema> = {};
  for (const name of new Set([...names, ...others])) {
    const field = described[name] ?? {};
    if (field === false) continue;
    const isWhole = field.type !== undefined || field.$ref !== undefined;
    fields[name] = isWhole ? field : { ...writtenField(written[name]), ...field };
  }
  return fields;
}

/** A written field; what it refers to stands in its place if the API has no name for it. */
function writtenField(field: Schema = {}): Schema {
  const [, definition] = /^#\/(\$defs\/.*)$/.exec(field.$ref ?? '') ?? [];
  if (definition === undefined) return field;
  const { $ref, ...own } = field;
  return { ...contentSchema(`subject-file/${definition}`), ...own };
}

const complete = Object.fromEntries(
  Object.entries(withParts<Record<string, Described>>(apiSchemas)).map(([name, described]) => [
    name,
    withWritten(described),
  ]),
);

/** The resources whose responses the build validates, by the names of their schemas. */
export const resourceNames = ['ExamList', 'ExamYears', 'YearShifts', 'QuestionFile'] as const;

export type ResourceName = (typeof resourceNames)[number];

export const schemas: Readonly<Record<string, Schema>> = {
  ...complete,
  Question: { ...complete['Question'], oneOf: questionTypes },
};
