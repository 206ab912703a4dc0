import type {
  ExamYears,
  Metadata,
  QuestionFile,
  ServedDiagram,
  ServedQuestion,
  ShiftSummary,
  YearShifts,
} from '../../compile/resources.ts';
import type { Option } from '../../content/content.ts';
import { diagramMediaTypes } from '../../content/image.ts';
import { answerForms, diagramField, optionField, questionField, questionKinds } from './authored.ts';
import type { Schema } from './openapi.ts';
import { component, objectSchema, type SchemaOf } from './typed-schema.ts';

/** The schemas of all bodies: the resources of section 2 of the specification, and the error of section 7. */

const examCode: SchemaOf<string> = {
  description: 'The exam code, as in the path.',
  type: 'string',
  pattern: '^[a-z][a-z0-9]*$',
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
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}-s[1-9][0-9]*$',
};

const subject: SchemaOf<string> = {
  description: 'The name of the subject: that of its file, without `.json`.',
  type: 'string',
  pattern: '^[a-z][a-z0-9-]*$',
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
    value: optionField('value'),
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
  oneOf: questionKinds((definition) => `#/components/schemas/${componentOfForm(definition)}`),
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

/** `oneKey` is the component `OneKey`. */
function componentOfForm(definition: string): string {
  return definition.charAt(0).toUpperCase() + definition.slice(1);
}
