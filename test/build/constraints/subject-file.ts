import { paperOf, sampleQuestions } from '../bank-folder.ts';
import { additional, type ConstraintRow, onQuestion, rejectedValues, required } from './constraint-row.ts';

const moment = '2024-06-01T10:00:00Z';
const { questions } = paperOf(sampleQuestions.mcq);
const diagram = { file: 'q1.png', alt: 'A circuit of two cells.' };
const momentInWords = 'When the questions of this file last changed, in UTC';

const fileRows: readonly ConstraintRow[] = [
  { constraints: ['/type'], at: '', passes: [], fails: null, message: 'in braces' },
  required('', '', 'lastUpdated', moment),
  required('', '', 'questions', questions),
  additional('', '', '$schema, lastUpdated, marking, passages, questions'),
  {
    constraints: ['/properties/$schema/type'],
    at: '/$schema',
    passes: ['../../../schema/subject-file.schema.json', undefined],
    fails: {},
    message: 'in quotation marks',
  },
  {
    constraints: ['/properties/lastUpdated/type'],
    at: '/lastUpdated',
    passes: [moment],
    fails: 1_717_236_000,
    message: 'in quotation marks',
  },
  ...rejectedValues(
    ['2024-06-01T10:00:00+02:00', '2024-06-01T10:00:00.1234567890Z', '2024-06-01t10:00:00z'],
    {
      constraints: ['/properties/lastUpdated/pattern'],
      at: '/lastUpdated',
      passes: [moment, '2024-06-01T10:00:00.5Z', '2024-06-01T10:00:00.123456789Z'],
    },
    `has the wrong format. ${momentInWords}`,
  ),
  ...rejectedValues(
    ['2023-02-29T10:00:00Z', '2024-13-01T10:00:00Z', '2024-06-01T24:00:00Z'],
    {
      constraints: ['/properties/lastUpdated/format'],
      at: '/lastUpdated',
      passes: ['2024-02-29T23:59:59Z'],
    },
    `is not a valid date and time. ${momentInWords}`,
  ),
  {
    constraints: ['/properties/questions/type'],
    at: '/questions',
    passes: [questions],
    fails: {},
    message: 'Write a list in square brackets',
  },
  {
    constraints: ['/properties/questions/minItems'],
    at: '/questions',
    passes: [questions],
    fails: [],
    message: 'A paper needs at least one question.',
  },
];

const diagramSchema = '/$defs/diagram';
const firstDiagram = '/questions/0/diagrams/0';

const diagramRows: readonly ConstraintRow[] = [
  {
    constraints: ['/$defs/question/properties/diagrams/type'],
    at: '/questions/0/diagrams',
    passes: [[], undefined, [diagram, { ...diagram, file: 'q1-2.svg.png' }]],
    fails: diagram,
    message: 'Write a list in square brackets',
  },
  {
    constraints: [`${diagramSchema}/type`],
    at: firstDiagram,
    passes: [diagram],
    fails: 'q1.png',
    message: 'in braces',
  },
  required(diagramSchema, firstDiagram, 'file', diagram.file),
  additional(diagramSchema, firstDiagram, 'file, alt'),
  {
    constraints: [`${diagramSchema}/properties/file/type`],
    at: `${firstDiagram}/file`,
    passes: ['q1.png'],
    fails: ['q1.png'],
    message: 'in quotation marks',
  },
  ...rejectedValues(
    [
      'q1',
      'q1.bmp',
      'q1.PNG',
      'q1.png.exe',
      '.q1.png',
      'diagrams/q1.png',
      '../q1.png',
      'q 1.png',
      'q1.png\n',
    ],
    {
      constraints: [`${diagramSchema}/properties/file/pattern`],
      at: `${firstDiagram}/file`,
      passes: ['q1.png', 'fig_2.q1-a.png'],
    },
    "has the wrong format. The image's file name.",
  ),
  {
    constraints: [`${diagramSchema}/properties/file/maxLength`],
    at: `${firstDiagram}/file`,
    passes: [`q1${'x'.repeat(194)}.png`],
    fails: `q1${'x'.repeat(195)}.png`,
    message: 'The text is longer than 200 characters.',
  },
  {
    constraints: [`${diagramSchema}/properties/alt/type`],
    at: `${firstDiagram}/alt`,
    passes: ['A'],
    fails: true,
    message: 'in quotation marks',
  },
  {
    constraints: [`${diagramSchema}/properties/alt/minLength`],
    at: `${firstDiagram}/alt`,
    passes: ['A'],
    fails: '',
    message: 'The text is empty.',
  },
];

const passage = { id: 'p1', text: 'A train leaves at noon.' };
const passageSchema = '/$defs/passage';
const firstPassage = '/passages/0';

function passageRow(
  constraint: string,
  fails: unknown,
  message: string,
  pointer = firstPassage,
): ConstraintRow {
  return {
    constraints: [`${passageSchema}/${constraint}`],
    at: '/passages',
    passes: [],
    fails: [fails],
    message,
    pointer,
  };
}

const passageRows: readonly ConstraintRow[] = [
  {
    constraints: ['/properties/passages/type'],
    at: '/passages',
    passes: [[passage]],
    fails: passage,
    message: 'in square brackets',
  },
  passageRow('type', 'A train', 'in braces'),
  passageRow('required/id', { text: 'A' }, 'The property "id" is missing.'),
  passageRow('required/text', { id: 'p1' }, 'The property "text" is missing.'),
  passageRow(
    'additionalProperties',
    { ...passage, title: 'A' },
    'Unknown property "title"',
    `${firstPassage}/title`,
  ),
  passageRow('properties/id/type', { ...passage, id: 1 }, 'quotation marks', `${firstPassage}/id`),
  passageRow(
    'properties/id/pattern',
    { ...passage, id: 'p 1' },
    'has the wrong format',
    `${firstPassage}/id`,
  ),
  passageRow(
    'properties/id/maxLength',
    { ...passage, id: 'p'.repeat(101) },
    'longer than 100',
    `${firstPassage}/id`,
  ),
  passageRow('properties/text/type', { ...passage, text: ['A'] }, 'quotation marks', `${firstPassage}/text`),
  passageRow(
    'properties/text/minLength',
    { ...passage, text: '' },
    'The text is empty.',
    `${firstPassage}/text`,
  ),
  passageRow(
    'properties/diagrams/type',
    { ...passage, diagrams: diagram },
    'in square brackets',
    `${firstPassage}/diagrams`,
  ),
];

/** At least one row for every constraint of `subject-file.schema.json` except those on questions. */
export const subjectFileRows: readonly ConstraintRow[] = [
  ...fileRows,
  // The question names the passage.
  ...onQuestion({ ...sampleQuestions.mcq, passage: 'p1' }, passageRows),
  ...onQuestion({ ...sampleQuestions.mcq, diagrams: [diagram] }, diagramRows),
];
