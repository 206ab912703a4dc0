import { sampleQuestions } from '../bank-folder.ts';
import { additional, type ConstraintRow, onQuestion, rejectedValues, required } from './constraint-row.ts';

const schema = '/$defs/question';
const first = '/questions/0';
const { mcq } = sampleQuestions;
const known = 'id, type, question, options, answer, topic, difficulty, diagrams, accepted, dropped';

/** A field that is a string. */
function textRow(name: string, passes: string, fails: unknown): ConstraintRow {
  return {
    constraints: [`${schema}/properties/${name}/type`],
    at: `${first}/${name}`,
    passes: [passes],
    fails,
    message: 'in quotation marks',
  };
}

/** At least one row for every constraint on a question that does not depend on its type. */
export const questionRows: readonly ConstraintRow[] = [
  {
    constraints: [`${schema}/type`, `${schema}/oneOf`],
    at: first,
    passes: [mcq],
    fails: null,
    message: 'in braces',
  },
  required(schema, first, 'id', 'q1'),
  required(schema, first, 'question', 'Why?'),
  required(schema, first, 'options', mcq.options),
  required(schema, first, 'answer', 'A'),
  required(schema, first, 'topic', 'Units'),
  required(schema, first, 'difficulty', 'hard'),
  additional(schema, first, known),
  textRow('id', 'q1', 1),
  ...rejectedValues(
    ['', '-q1', 'q 1', 'q/1', 'q1.a', 'frage-ä', 'q1\n'],
    {
      constraints: [`${schema}/properties/id/pattern`],
      at: `${first}/id`,
      passes: ['7', 'Q_1-a', 'neet-2024-05-05-s1-physics-01'],
    },
    "has the wrong format. The question's identifier",
  ),
  {
    constraints: [`${schema}/properties/id/maxLength`],
    at: `${first}/id`,
    passes: ['q'.repeat(100)],
    fails: 'q'.repeat(101),
    message: 'The text is longer than 100 characters.',
  },
  textRow('question', 'Why?', ['Why?']),
  {
    constraints: [`${schema}/properties/question/minLength`],
    at: `${first}/question`,
    passes: ['?'],
    fails: '',
    message: 'The text is empty.',
  },
  {
    constraints: [`${schema}/properties/options/type`],
    at: `${first}/options`,
    passes: [mcq.options],
    fails: { A: 'metre', B: 'second' },
    message: 'Write a list in square brackets',
  },
  textRow('topic', 'Units', {}),
  {
    constraints: [`${schema}/properties/topic/minLength`],
    at: `${first}/topic`,
    passes: ['U'],
    fails: '',
    message: 'The text is empty.',
  },
  {
    constraints: [`${schema}/properties/topic/maxLength`],
    at: `${first}/topic`,
    passes: ['U'.repeat(100)],
    fails: 'U'.repeat(101),
    message: 'The text is longer than 100 characters.',
  },
  {
    constraints: [`${schema}/properties/difficulty/enum`],
    at: `${first}/difficulty`,
    passes: ['easy', 'medium', 'hard'],
    fails: 'Easy',
    message: 'Write "easy", not "Easy"',
  },
  {
    constraints: [`${schema}/properties/difficulty/enum`],
    at: `${first}/difficulty`,
    passes: [],
    fails: 'impossible',
    message: '"impossible" is not one of easy, medium, hard.',
  },
  {
    constraints: [`${schema}/properties/difficulty/type`, `${schema}/properties/difficulty/enum`],
    at: `${first}/difficulty`,
    passes: ['easy'],
    fails: 1,
  },
  {
    constraints: [`${schema}/properties/dropped/const`],
    at: `${first}/dropped`,
    passes: [true, undefined],
    fails: false,
    message: 'Write true, or leave the property out.',
  },
  {
    constraints: [`${schema}/properties/dropped/type`, `${schema}/properties/dropped/const`],
    at: `${first}/dropped`,
    passes: [true],
    fails: 'yes',
  },
  {
    constraints: [`${schema}/properties/accepted/type`],
    at: `${first}/accepted`,
    passes: [['A', 'B'], undefined],
    fails: 'A,B',
    message: 'Write a list in square brackets',
  },
  {
    constraints: [`${schema}/properties/accepted/minItems`],
    at: `${first}/accepted`,
    passes: [['A', 'B']],
    fails: ['A'],
    message: 'List at least two accepted answers',
  },
  {
    constraints: [`${schema}/properties/accepted/uniqueItems`],
    at: `${first}/accepted`,
    passes: [['A', 'B']],
    fails: ['A', 'B', 'B'],
    message: 'is listed twice.',
    pointer: `${first}/accepted/2`,
  },
  ...optionRows('/$defs/option', `${first}/options/1`),
  ...typeRows(),
];

function optionRows(option: string, second: string): ConstraintRow[] {
  return [
    {
      constraints: [`${option}/type`],
      at: second,
      passes: [{ key: 'B', value: 'second' }],
      fails: 'second',
      message: 'in braces',
    },
    required(option, second, 'key', 'B'),
    required(option, second, 'value', 'second'),
    additional(option, second, 'key, value'),
    {
      constraints: ['/$defs/oneKey/type'],
      at: `${second}/key`,
      passes: ['B'],
      fails: 2,
      message: 'in quotation marks',
    },
    ...rejectedValues(
      ['b', 'AB', '2', '', 'Ä', 'B\n'],
      { constraints: ['/$defs/oneKey/pattern'], at: `${second}/key`, passes: ['B'] },
      'has the wrong format. The key of one option: a capital letter.',
    ),
    {
      constraints: [`${option}/properties/value/type`],
      at: `${second}/value`,
      passes: ['1'],
      fails: 1,
      message: 'in quotation marks',
    },
    {
      constraints: [`${option}/properties/value/minLength`],
      at: `${second}/value`,
      passes: ['1'],
      fails: '',
      message: 'The text is empty.',
    },
  ];
}

/** The type is required and must be known; the constraints of a type are checked only then. */
function typeRows(): ConstraintRow[] {
  return Object.values(sampleQuestions).flatMap((question) => {
    const own = `/$defs/${question.type}`;
    const type = `${schema}/properties/type`;
    return onQuestion(question, [
      {
        ...required(schema, first, 'type', question.type),
        constraints: [`${schema}/required/type`, `${own}/required/type`],
      },
      {
        constraints: [`${type}/enum`, `${own}/properties/type/const`],
        at: `${first}/type`,
        passes: [question.type],
        fails: 'essay',
        message: '"essay" is not one of mcq, msq, numerical.',
      },
      {
        constraints: [`${type}/type`, `${type}/enum`, `${own}/properties/type/const`],
        at: `${first}/type`,
        passes: [question.type],
        fails: 1,
      },
    ]);
  });
}
