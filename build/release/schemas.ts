/** The JSON Schemas of all responses: the resources of section 2 of the specification, and the error of section 7. */
import subjectFile from '../../content/schema/subject-file.schema.json' with { type: 'json' };
import {
  diagramMediaTypes,
  type ExamYears,
  type Metadata,
  type Option,
  type QuestionFile,
  type ServedDiagram,
  type ServedQuestion,
  type ShiftSummary,
  type YearShifts,
} from './resources.ts';
import { namePatterns } from './urls.ts';

/** A JSON Schema (2020-12), or a reference to one of the components. */
export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'boolean';
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The `type` keyword for a TypeScript type. */
type TypeName<Value> = [Value] extends [string]
  ? 'string'
  : [Value] extends [number]
    ? 'integer'
    : [Value] extends [boolean]
      ? 'boolean'
      : [Value] extends [readonly unknown[]]
        ? 'array'
        : 'object';

/** A schema that the compiler has compared with a type. */
interface SchemaOf<Value> extends Schema {
  readonly type: TypeName<Value>;
  readonly enum?: Value extends string ? readonly Value[] : never;
  readonly items?: Value extends readonly (infer Item)[] ? SchemaOf<Item> | ComponentOf<Item> : never;
}

/** A reference to the component of a type; only `component` creates it. */
interface ComponentOf<Value> extends Schema {
  readonly $ref: string;
  /** Never set: distinguishes components of different types. */
  readonly brand?: (value: Value) => Value;
}

type OptionalKeys<Value> = {
  [Key in keyof Value]-?: Record<never, never> extends Pick<Value, Key> ? Key : never;
}[keyof Value];

type Fields<Value, Keys extends keyof Value> = {
  readonly [Key in Keys]-?: SchemaOf<NonNullable<Value[Key]>> | ComponentOf<NonNullable<Value[Key]>>;
};

/**
 * The schema of an object. It does not compile when its fields, their types or whether they are optional differ from the
 * TypeScript type.
 *
 * @param required the fields that every such object has, in their order
 */
function objectSchema<Value extends object>(
  { title, description }: { readonly title: string; readonly description: string },
  required: Fields<Value, Exclude<keyof Value, OptionalKeys<Value>>>,
  optional: Fields<Value, OptionalKeys<Value>>,
): SchemaOf<Value> {
  const properties = { ...required, ...optional };
  const schema: Schema = {
    title,
    description,
    type: 'object',
    properties,
    required: Object.keys(required),
  };
  return schema as SchemaOf<Value>;
}

/** A reference to the component with this name and schema. */
function component<Value>(name: string, _schema: SchemaOf<Value>): ComponentOf<Value> {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schema of content files describes each field that is served as it was written. */
const definitions = subjectFile.$defs;

function questionField<Field extends keyof typeof definitions.question.properties & keyof ServedQuestion>(
  field: Field,
): SchemaOf<NonNullable<ServedQuestion[Field]>> {
  return definitions.question.properties[field] as SchemaOf<NonNullable<ServedQuestion[Field]>>;
}

function diagramField<Field extends 'file' | 'alt'>(field: Field): SchemaOf<ServedDiagram[Field]> {
  return definitions.diagram.properties[field] as SchemaOf<ServedDiagram[Field]>;
}

/** The forms of a question's answer. */
const answerForms = {
  oneKey: definitions.oneKey as SchemaOf<string>,
  keys: definitions.keys as SchemaOf<string>,
  decimal: definitions.decimal as SchemaOf<string>,
};

/** What each type of question requires of options and answer, with references to components. */
function questionTypes(): Schema[] {
  const types = [definitions.mcq, definitions.msq, definitions.numerical];
  return types.map((type) =>
    JSON.parse(JSON.stringify(type), (key, value) => {
      if (key !== '$ref') return value;
      const name = String(value).replace('#/$defs/', '');
      return `#/components/schemas/${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    }),
  );
}

const examCode: SchemaOf<string> = {
  description: 'The exam code, as in the path.',
  type: 'string',
  pattern: `^${namePatterns.exam}$`,
};

const year: SchemaOf<number> = {
  description: 'The year, of four digits.',
  type: 'integer',
  minimum: 1000,
  maximum: 9999,
};

const shiftName: SchemaOf<string> = {
  description: 'The full name of the shift, `<YYYY>-<MM>-<DD>-s<n>`, whichever short form was asked for.',
  type: 'string',
  pattern: `^${namePatterns.shift}$`,
};

const subject: SchemaOf<string> = {
  description: 'The name of the subject: that of its file, without `.json`.',
  type: 'string',
  pattern: `^${namePatterns.subject}$`,
};

function count(description: string): SchemaOf<number> {
  return { description, type: 'integer', minimum: 1 };
}

function date(description: string): SchemaOf<string> {
  return { description, type: 'string', format: 'date' };
}

function checksum(description: string): SchemaOf<string> {
  return { description, type: 'string', pattern: '^[0-9a-f]{12}$' };
}

const examYears = objectSchema<ExamYears>(
  { title: 'Exam years', description: 'The years of an exam.' },
  {
    exam: examCode,
    label: { description: 'The display name of the exam.', type: 'string', minLength: 1 },
    years: { description: 'The years that the bank has, newest first.', type: 'array', items: year },
    totalYears: { description: 'The number of entries in `years`.', type: 'integer', minimum: 0 },
  },
  {},
);

const shiftSummary = objectSchema<ShiftSummary>(
  { title: 'Shift summary', description: 'What a shift consists of.' },
  {
    shift: { ...shiftName, description: 'The full name of the shift, `<YYYY>-<MM>-<DD>-s<n>`.' },
    subjects: {
      description: 'The subjects of the shift, in the order of the exam.',
      type: 'array',
      items: subject,
      minItems: 1,
    },
    total: count('The number of questions in the shift.'),
    lastUpdated: date('The day on which any file of the shift last changed.'),
    checksum: checksum('Changes when any question file of the shift does; see Checksums.'),
  },
  {},
);

const yearShifts = objectSchema<YearShifts>(
  { title: 'Year shifts', description: 'The shifts of a year.' },
  {
    exam: examCode,
    year,
    shifts: {
      description: 'The shifts of the year, in chronological order.',
      type: 'array',
      items: component('ShiftSummary', shiftSummary),
    },
  },
  {},
);

const option = objectSchema<Option>(
  { title: 'Option', description: 'One option to choose.' },
  {
    key: component('OneKey', answerForms.oneKey),
    value: definitions.option.properties.value as SchemaOf<string>,
  },
  {},
);

const diagram = objectSchema<ServedDiagram>(
  {
    title: 'Diagram',
    description: 'An image that belongs to the question. Its bytes are answered by the diagram endpoint.',
  },
  {
    file: diagramField('file'),
    alt: diagramField('alt'),
    mediaType: { description: 'The media type of the image.', type: 'string', enum: diagramMediaTypes },
    width: count('The width in pixels.'),
    height: count('The height in pixels.'),
    checksum: checksum('Over the bytes of the image; see Checksums.'),
  },
  {},
);

const question: Schema = {
  ...objectSchema<ServedQuestion>(
    {
      title: 'Question',
      description: 'One question. Its `type` decides what `options` and `answer` look like.',
    },
    {
      id: questionField('id'),
      type: questionField('type'),
      question: questionField('question'),
      options: { ...questionField('options'), items: component('Option', option) },
      answer: questionField('answer'),
      topic: questionField('topic'),
      difficulty: questionField('difficulty'),
      hasDiagram: { description: 'Whether the question has diagrams.', type: 'boolean' },
      diagrams: {
        description:
          'The diagrams of the question, in the order in which the text refers to them; empty when `hasDiagram` is false.',
        type: 'array',
        items: component('Diagram', diagram),
      },
    },
    { accepted: questionField('accepted'), dropped: questionField('dropped') },
  ),
  oneOf: questionTypes(),
};

const metadata = objectSchema<Metadata>(
  { title: 'Metadata', description: 'What a question file says of itself.' },
  {
    examDate: date('The day of the exam.'),
    totalQuestions: count('The number of questions in the file.'),
    lastUpdated: {
      description: 'When the content of the file last changed: ISO 8601 in UTC.',
      type: 'string',
      format: 'date-time',
    },
    checksum: checksum('Over the canonical JSON of `questions`; see Checksums.'),
  },
  {},
);

const questionFile = objectSchema<QuestionFile>(
  { title: 'Question file', description: 'The questions of one subject in one shift.' },
  {
    exam: examCode,
    year,
    shift: shiftName,
    subject,
    total: count('The number of questions in this file.'),
    questions: {
      description: 'The questions, in the order of the paper.',
      type: 'array',
      items: component('Question', question as SchemaOf<ServedQuestion>),
      minItems: 1,
    },
    metadata: component('Metadata', metadata),
  },
  {},
);

const error = objectSchema<{ readonly error: string }>(
  { title: 'Error', description: 'The body of every error.' },
  { error: { description: 'What went wrong, for a person to read.', type: 'string', minLength: 1 } },
  {},
);

/** By the names that typed clients know them under. */
export const schemas: Readonly<Record<string, Schema>> = {
  ExamYears: examYears,
  YearShifts: yearShifts,
  ShiftSummary: shiftSummary,
  QuestionFile: questionFile,
  Question: question,
  Option: option,
  Diagram: diagram,
  Metadata: metadata,
  OneKey: answerForms.oneKey,
  Keys: answerForms.keys,
  Decimal: answerForms.decimal,
  Error: error,
};
