/** The JSON Schemas of all responses: the resources of section 2 of the specification, and the error of section 7. */
import subjectFile from '../../content/schema/subject-file.schema.json' with { type: 'json' };
import {
  type AnswerRange,
  diagramMediaTypes,
  type ExamYears,
  type Marking,
  type Metadata,
  type QuestionFile,
  type ServedDiagram,
  type ServedOption,
  type ServedPassage,
  type ServedQuestion,
  type ShiftSummary,
  type TranslationSummary,
  type YearShifts,
} from './resources.ts';
import { namePatterns } from './urls.ts';

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
  readonly const?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/**
 * The schema of an object. It does not compile unless it has exactly the fields of the TypeScript type.
 *
 * @param properties in the order of the response
 * @param optional the fields that may be absent
 */
function objectSchema<Value extends object>(
  title: string,
  description: string,
  properties: { readonly [Field in keyof Value]-?: Schema },
  optional: readonly (keyof Value & string)[] = [],
): Schema {
  const required = Object.keys(properties).filter((name) => !optional.some((field) => field === name));
  return { title, description, type: 'object', properties, required };
}

/** A reference to the schema with this name. */
function component(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schema of content files describes each field that is served as it was written. */
const content: typeof subjectFile.$defs = JSON.parse(JSON.stringify(subjectFile.$defs), (key, value) =>
  // Keywords of editors.
  key === 'enumDescriptions' || key === 'defaultSnippets' ? undefined : value,
);
const written = content.question.properties as Readonly<
  Record<Exclude<keyof ServedQuestion, 'hasDiagram' | 'passageChecksum'>, Schema>
>;

/** What each type of question requires of options and answer, with references to components. */
const questionTypes: readonly Schema[] = [content.mcq, content.msq, content.numerical].map((type) => {
  const { properties, ...others }: Schema = JSON.parse(JSON.stringify(type), (key, value) => {
    if (key !== '$ref') return value;
    const name = String(value).replace('#/$defs/', '');
    return component(name.charAt(0).toUpperCase() + name.slice(1)).$ref;
  });
  // A dropped question without an answer.
  const answer = { oneOf: [properties?.['answer'] ?? {}, { const: '' }] };
  return { ...others, properties: { ...properties, answer } };
});

/** The number of marks, as content files describe it. */
const marks = content.marking.properties as Readonly<Record<keyof Marking, Schema>>;

/** BCP 47: a language, and a script and region where they are needed. */
const language: Schema = {
  description: 'The language of a translation, as a BCP 47 tag: `hi`. Absent from the original.',
  type: 'string',
  pattern: `^${namePatterns.language}$`,
};

const examCode: Schema = {
  description: 'The exam code, as in the path.',
  type: 'string',
  pattern: `^${namePatterns.exam}$`,
};

const year: Schema = { description: 'The year, of four digits.', type: 'integer', minimum: 1000, maximum: 9999 };

const shiftName: Schema = {
  description: 'The full name of the shift, `<YYYY>-<MM>-<DD>-s<n>`, whichever form was requested.',
  type: 'string',
  pattern: `^${namePatterns.shift}$`,
};

const subject: Schema = {
  description: 'The name of the subject: the file name without `.json`.',
  type: 'string',
  pattern: `^${namePatterns.subject}$`,
};

function count(description: string): Schema {
  return { description, type: 'integer', minimum: 1 };
}

function date(description: string): Schema {
  return { description, type: 'string', format: 'date' };
}

function checksum(description: string): Schema {
  return { description, type: 'string', pattern: '^[0-9a-f]{12}$' };
}

function array(description: string, items: Schema): Schema {
  return { description, type: 'array', items };
}

/** The resources whose responses the build validates, by the names of their schemas. */
export const resourceNames = ['ExamYears', 'YearShifts', 'QuestionFile'] as const;

export type ResourceName = (typeof resourceNames)[number];

/** By the names that typed clients know them under. */
export const schemas: Readonly<Record<string, Schema>> = {
  ExamYears: objectSchema<ExamYears>(
    'Exam years',
    'The years of an exam.',
    {
      exam: examCode,
      label: { description: 'The display name of the exam.', type: 'string', minLength: 1 },
      years: array('The years in the bank, newest first.', year),
      totalYears: { description: 'The number of entries in `years`.', type: 'integer', minimum: 0 },
      subjectLabels: {
        description: 'The display names of the subjects that have one, by subject. Absent if no subject has one.',
        type: 'object',
        additionalProperties: { type: 'string', minLength: 1 },
      },
    },
    ['subjectLabels'],
  ),
  YearShifts: objectSchema<YearShifts>('Year shifts', 'The shifts of a year.', {
    exam: examCode,
    year,
    shifts: array('The shifts of the year, in chronological order.', component('ShiftSummary')),
  }),
  ShiftSummary: objectSchema<ShiftSummary>(
    'Shift summary',
    'The subjects, number of questions and checksum of a shift.',
    {
      shift: { ...shiftName, description: 'The full name of the shift, `<YYYY>-<MM>-<DD>-s<n>`.' },
      subjects: { ...array('The subjects of the shift, in the order of the exam.', subject), minItems: 1 },
      total: count('The number of questions in the shift.'),
      lastUpdated: date('The day on which any file of the shift last changed.'),
      checksum: checksum('Changes when any question file of the shift changes; see Checksums.'),
      translations: {
        ...array('The question files in other languages. Absent when there are none.', component('TranslationSummary')),
        minItems: 1,
      },
    },
    ['translations'],
  ),
  TranslationSummary: objectSchema<TranslationSummary>(
    'Translation summary',
    'A question file in another language. It is not listed in `subjects`, and `total` does not include it.',
    {
      file: {
        description: 'The file name, to request instead of the file of the subject.',
        type: 'string',
        pattern: `^${namePatterns.subject}\\.${namePatterns.language}\\.json$`,
      },
      subject,
      language: { ...language, description: 'The language, as a BCP 47 tag: `hi`.' },
      checksum: checksum('The checksum of the file. The checksum of the shift does not cover it.'),
    },
  ),
  QuestionFile: objectSchema<QuestionFile>(
    'Question file',
    'The questions of one subject in one shift.',
    {
      exam: examCode,
      year,
      shift: shiftName,
      subject,
      total: count('The number of questions in this file.'),
      questions: { ...array('The questions, in the order of the paper.', component('Question')), minItems: 1 },
      metadata: component('Metadata'),
      passages: {
        ...array('The passages that questions of this file share. Absent when there are none.', component('Passage')),
        minItems: 1,
      },
      marking: component('Marking'),
      language,
    },
    ['passages', 'marking', 'language'],
  ),
  Question: {
    ...objectSchema<ServedQuestion>(
      'Question',
      'One question. Its `type` decides what `options` and `answer` look like.',
      {
        id: written.id,
        type: written.type,
        question: written.question,
        options: { ...written.options, items: component('Option') },
        answer: {
          ...written.answer,
          description:
            'The correct response. `mcq`: the key of the correct option, `C`. `msq`: the keys of all correct options in order, `A,C`. `numerical`: a decimal number, `-2.5`. Empty for a dropped question without an answer.',
        },
        topic: {
          ...written.topic,
          description: 'The topic that the question belongs to; `Unclassified` if it is not known.',
        },
        difficulty: {
          ...written.difficulty,
          description: 'How hard the question is; `unrated` if nobody has rated it.',
          enum: [...(written.difficulty.enum ?? []), 'unrated'],
        },
        hasDiagram: {
          description: 'Whether the question, one of its options or its passage has a diagram.',
          type: 'boolean',
        },
        diagrams: array(
          'The diagrams of the question, in the order in which the text refers to them; empty when `hasDiagram` is false.',
          component('Diagram'),
        ),
        accepted: written.accepted,
        dropped: written.dropped,
        number: written.number,
        section: written.section,
        passage: {
          ...written.passage,
          description: 'The id of the passage that the question belongs to, one of `passages`.',
        },
        passageChecksum: checksum('The checksum of the canonical JSON of the passage; see Checksums.'),
        answerRange: component('AnswerRange'),
        marking: component('Marking'),
        solution: written.solution,
      },
      [
        ...(['accepted', 'dropped', 'number', 'section', 'passage', 'passageChecksum'] as const),
        ...(['answerRange', 'marking', 'solution'] as const),
      ],
    ),
    oneOf: questionTypes,
  },
  Option: objectSchema<ServedOption>(
    'Option',
    'One option to choose.',
    {
      key: component('OneKey'),
      value: {
        description: "The option's text, with formulas as in the question; empty when the option is only a diagram.",
        type: 'string',
      },
      label: content.option.properties.label as Schema,
      diagram: component('Diagram'),
    },
    ['label', 'diagram'],
  ),
  Passage: objectSchema<ServedPassage>('Passage', 'A text that several questions share.', {
    id: content.passage.properties.id as Schema,
    text: content.passage.properties.text as Schema,
    diagrams: array(
      'The diagrams of the passage, in the order in which the text refers to them.',
      component('Diagram'),
    ),
  }),
  Marking: objectSchema<Marking>(
    'Marking',
    'The marks for a response. A question file has the marks of the paper, and each question the marks that apply to it.',
    { correct: marks.correct, incorrect: marks.incorrect, unanswered: marks.unanswered, partial: marks.partial },
    ['incorrect', 'unanswered', 'partial'],
  ),
  AnswerRange: objectSchema<AnswerRange>('Range of answers', content.answerRange.description, {
    min: component('Decimal'),
    max: component('Decimal'),
  }),
  Diagram: objectSchema<ServedDiagram>(
    'Diagram',
    'An image that belongs to a question, option or passage. Its bytes are served by the diagram endpoint.',
    {
      file: content.diagram.properties.file as Schema,
      alt: {
        description: 'Describes the image to people who cannot see it. Empty if there is no description.',
        type: 'string',
      },
      mediaType: { description: 'The media type of the image.', type: 'string', enum: diagramMediaTypes },
      width: count('The width in pixels.'),
      height: count('The height in pixels.'),
      checksum: checksum('The checksum of the bytes of the image; see Checksums.'),
    },
  ),
  Metadata: objectSchema<Metadata>('Metadata', 'Metadata of a question file.', {
    examDate: date('The day of the exam.'),
    totalQuestions: count('The number of questions in the file.'),
    lastUpdated: {
      description: 'When the content of the file last changed: ISO 8601 in UTC.',
      type: 'string',
      format: 'date-time',
    },
    checksum: checksum('The checksum of the canonical JSON of `questions`; see Checksums.'),
  }),
  OneKey: content.oneKey as Schema,
  Keys: content.keys as Schema,
  Decimal: content.decimal as Schema,
  Error: objectSchema<{ readonly error: string }>('Error', 'The body of every error.', {
    error: { description: 'A human-readable message.', type: 'string', minLength: 1 },
  }),
};
