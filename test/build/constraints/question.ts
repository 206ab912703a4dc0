import { sampleQuestions } from '../bank-folder.ts';
import { additional, type ConstraintRow, onQuestion, rejectedValues, required } from './constraint-row.ts';

const schema = '/$defs/question';
const first = '/questions/0';
const { mcq } = sampleQuestions;
const known =
  'id, number, section, passage, type, question, options, answer, answerRange, solution, topic, difficulty, marking, diagrams, accepted, dropped';

/** Another option without a label is reported. */
const labelled = { ...mcq, options: mcq.options.map((option) => ({ ...option, label: `(${option.key})` })) };

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
  required(`${schema}/else`, first, 'answer', 'A'),
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
  ...plainTextRows(
    `${schema}/properties/number`,
    `${first}/number`,
    '12',
    20,
    'The number that the paper prints',
  ),
  ...plainTextRows(`${schema}/properties/section`, `${first}/section`, 'A', 100, 'The section of the paper'),
  { ...textRow('passage', 'p1', 7), passes: [] },
  textRow('solution', 'It is the unit.', 7),
  {
    constraints: [`${schema}/properties/solution/minLength`],
    at: `${first}/solution`,
    passes: ['1', undefined],
    fails: '',
    message: 'The text is empty.',
  },
  ...markingRows(`${first}/marking`),
  ...rangeRows(`${first}/answerRange`),
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

/** A printed text: one line without space around it. */
export function plainTextRows(
  schema: string,
  at: string,
  passes: string,
  longest: number,
  inWords: string,
): ConstraintRow[] {
  return [
    { constraints: [`${schema}/type`], at, passes: [passes], fails: 12, message: 'quotation marks' },
    ...rejectedValues(
      ['', ' 12', '12 ', '1\n2'],
      { constraints: [`${schema}/pattern`], at, passes: ['1', '12 (a)', 'भाग क'] },
      `has the wrong format. ${inWords}`,
    ),
    {
      constraints: [`${schema}/maxLength`],
      at,
      passes: ['1'.repeat(longest)],
      fails: '1'.repeat(longest + 1),
      message: `The text is longer than ${longest} characters.`,
    },
  ];
}

/** Marks, in a paper or in a question. */
function markingRows(at: string): ConstraintRow[] {
  const marking = '/$defs/marking';
  return [
    {
      constraints: [`${marking}/type`],
      at,
      passes: [{ correct: 4, incorrect: -1 }, undefined],
      fails: [4],
      message: 'in braces',
    },
    {
      ...additional(marking, `${at}/`, ''),
      at,
      passes: [],
      fails: { correct: 4, wrong: -1 },
      message: 'Unknown property "wrong"',
      pointer: `${at}/wrong`,
    },
    {
      ...required(marking, at, 'correct', 4),
      at,
      passes: [],
      fails: { incorrect: -1 },
      message: 'The property "correct" is missing.',
    },
    ...['correct', 'incorrect', 'unanswered', 'partial'].flatMap((name): ConstraintRow[] => {
      const [one, pointer] = [`${marking}/properties/${name}`, `${at}/${name}`];
      const others = name === 'correct' ? {} : { correct: 1000 };
      return [
        {
          constraints: [`${one}/type`],
          at,
          passes: [],
          fails: { ...others, [name]: '1' },
          message: 'without quotation marks',
          pointer,
        },
        { constraints: [`${one}/minimum`], at, passes: [], fails: { ...others, [name]: -1001 }, pointer },
        { constraints: [`${one}/maximum`], at, passes: [], fails: { ...others, [name]: 1001 }, pointer },
      ];
    }),
  ];
}

/** A range of numerical answers. */
function rangeRows(at: string): ConstraintRow[] {
  const range = '/$defs/answerRange';
  const whole = { min: '2.2', max: '2.3' };
  return onQuestion(sampleQuestions.numerical, [
    {
      constraints: [`${range}/type`],
      at,
      passes: [whole, undefined],
      fails: '2.2 to 2.3',
      message: 'in braces',
    },
    {
      ...additional(range, at, ''),
      at,
      passes: [],
      fails: { ...whole, mean: '2' },
      message: 'Unknown property "mean"',
      pointer: `${at}/mean`,
    },
    {
      ...required(range, at, 'min', ''),
      at,
      passes: [],
      fails: { max: '2.3' },
      message: 'The property "min" is missing.',
    },
    {
      ...required(range, at, 'max', ''),
      at,
      passes: [],
      fails: { min: '2.2' },
      message: 'The property "max" is missing.',
    },
    {
      constraints: ['/$defs/decimal/type'],
      at,
      passes: [],
      fails: { ...whole, min: 2.2 },
      message: 'quotation marks',
      pointer: `${at}/min`,
    },
    {
      constraints: ['/$defs/decimal/pattern'],
      at,
      passes: [],
      fails: { ...whole, min: '2,2' },
      message: 'has the wrong format',
      pointer: `${at}/min`,
    },
  ]);
}

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
    required(`${option}/else`, second, 'value', 'second'),
    additional(option, second, 'key, label, value, diagram'),
    ...onQuestion(
      labelled,
      plainTextRows(`${option}/properties/label`, `${second}/label`, '(2)', 20, 'What the paper prints'),
    ),
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
