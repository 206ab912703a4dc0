/**
 * The JSON Schemas of all responses: the resources of section 2 of the specification, and the error of section 7.
 *
 * `schemas.json` describes them by the names that typed clients know them under. It takes each field that is served as
 * it was written from the schemas of content files, and the patterns of names from `urls.ts`.
 */
import exam from '../../content/schema/exam.schema.json' with { type: 'json' };
import shift from '../../content/schema/shift.schema.json' with { type: 'json' };
import subjectFile from '../../content/schema/subject-file.schema.json' with { type: 'json' };
import type * as api from './resources.ts';
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

/** The schema of an object with the fields of a TypeScript type. */
interface SchemaOf<Value extends object> {
  readonly properties: { readonly [Field in keyof Value]-?: object };
}

export type SchemaName = keyof typeof apiSchemas;

apiSchemas satisfies {
  readonly ExamList: SchemaOf<api.ExamList>;
  readonly ExamSummary: SchemaOf<api.ExamSummary>;
  readonly ExamYears: SchemaOf<api.ExamYears>;
  readonly Source: SchemaOf<api.Source>;
  readonly ExamForm: SchemaOf<api.ExamForm>;
  readonly FormSection: SchemaOf<api.FormSection>;
  readonly YearShifts: SchemaOf<api.YearShifts>;
  readonly ShiftSummary: SchemaOf<api.ShiftSummary>;
  readonly TranslationSummary: SchemaOf<api.TranslationSummary>;
  readonly QuestionFile: SchemaOf<api.QuestionFile>;
  readonly Question: SchemaOf<api.ServedQuestion>;
  readonly Option: SchemaOf<api.ServedOption>;
  readonly Passage: SchemaOf<api.ServedPassage>;
  readonly Marking: SchemaOf<api.Marking>;
  readonly AnswerRange: SchemaOf<api.AnswerRange>;
  readonly Diagram: SchemaOf<api.ServedDiagram>;
  readonly Metadata: SchemaOf<api.Metadata>;
};

/** The schemas of content files, without keywords of editors, with references to the schemas of the API. */
const content: object = JSON.parse(
  JSON.stringify({ exam, shift, 'subject-file': subjectFile }),
  (key, value) => {
    if (key === 'enumDescriptions' || key === 'defaultSnippets') return undefined;
    if (key !== '$ref') return value;
    const name = String(value).replace(/^.*#\/\$defs\//, '');
    return `#/components/schemas/${name.charAt(0).toUpperCase()}${name.slice(1)}`;
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

/** A reference to a schema of content files: its name and the path in it. */
const contentReference = /^([a-z-]+)\.schema\.json#\/(.*)$/;

/** Replaces the names of patterns, as in `{{shift}}`. */
export function withPatterns<Value>(schema: Value): Value {
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    if (typeof value !== 'string') return value;
    return value.replace(/\{\{(\w+)\}\}/g, (_, kind: NameKind) => namePatterns[kind]);
  });
}

/** Replaces references to the schemas of content files, and names of patterns. */
const complete: typeof apiSchemas = JSON.parse(
  JSON.stringify(withPatterns(apiSchemas)),
  (_, value) => {
    const [, name, path] = contentReference.exec(value?.$ref ?? '') ?? [];
    if (name === undefined) return value;
    const { $ref, ...own } = value;
    return { ...contentSchema(`${name}/${path}`), ...own };
  },
);

/** The resources whose responses the build validates, by the names of their schemas. */
export const resourceNames = ['ExamList', 'ExamYears', 'YearShifts', 'QuestionFile'] as const;

export type ResourceName = (typeof resourceNames)[number];

export const schemas: Readonly<Record<string, Schema>> = {
  ...(complete as object),
  Question: { ...(complete.Question as object), oneOf: questionTypes },
};
