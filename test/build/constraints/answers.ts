import { sampleQuestions } from '../bank-folder.ts';
import { type ConstraintRow, onQuestion, rejectedValues } from './constraint-row.ts';

const question = '/$defs/question/properties';
const first = '/questions/0';
const { mcq, msq, numerical } = sampleQuestions;

interface AnswerForm {
  /** The definition in the schema of the format of an answer. */
  readonly form: string;
  readonly inWords: string;
  readonly passes: readonly string[];
  readonly fails: readonly string[];
  /** Two valid accepted answers. */
  readonly accepted: readonly [string, string];
}

/** Rows on the format of the answer and the accepted answers of one type. */
function answerRows({ form, inWords, passes, fails, accepted }: AnswerForm): ConstraintRow[] {
  const wrongForm = `has the wrong format. ${inWords}`;
  return [
    {
      constraints: [`${question}/answer/type`, `${form}/type`],
      at: `${first}/answer`,
      passes,
      fails: 3,
      message: 'in quotation marks',
    },
    ...rejectedValues(fails, { constraints: [`${form}/pattern`], at: `${first}/answer`, passes }, wrongForm),
    {
      constraints: [`${question}/accepted/items/type`, `${form}/type`],
      at: `${first}/accepted`,
      passes: [accepted],
      fails: [accepted[0], 3],
      message: 'in quotation marks',
      pointer: `${first}/accepted/1`,
    },
    ...rejectedValues(
      fails.map((invalid) => [accepted[0], invalid]),
      {
        constraints: [`${form}/pattern`],
        at: `${first}/accepted`,
        passes: [accepted],
        pointer: `${first}/accepted/1`,
      },
      wrongForm,
    ),
  ];
}

function atLeastTwoOptions(type: 'mcq' | 'msq'): ConstraintRow {
  return {
    constraints: [`/$defs/${type}/properties/options/minItems`],
    at: `${first}/options`,
    passes: [sampleQuestions[type].options],
    fails: sampleQuestions[type].options.slice(0, 1),
    message: 'A multiple-choice question needs at least two options.',
  };
}

/** At least one row for every constraint on options and answers that depends on the type. */
export const typedAnswerRows: readonly ConstraintRow[] = [
  ...onQuestion(mcq, [
    atLeastTwoOptions('mcq'),
    ...answerRows({
      form: '/$defs/oneKey',
      inWords: 'The key of one option: a capital letter.',
      passes: ['A', 'B'],
      fails: ['a', 'A,B', 'metre', '1', '', ' A', 'A\n'],
      accepted: ['A', 'B'],
    }),
  ]),
  ...onQuestion(msq, [
    atLeastTwoOptions('msq'),
    ...answerRows({
      form: '/$defs/keys',
      inWords: 'The keys of one or more options, in order, joined by commas: `A,C`.',
      passes: ['A', 'A,C', 'A,B,C'],
      fails: ['a', 'A, C', 'AC', 'A,', ',A', 'A;C', '', 'A,C\n'],
      accepted: ['A,C', 'C'],
    }),
  ]),
  ...onQuestion(numerical, [
    {
      constraints: ['/$defs/numerical/properties/options/maxItems'],
      at: `${first}/options`,
      passes: [[]],
      fails: [{ key: 'A', value: '2.25' }],
      message: 'A numerical question has no options: write [].',
    },
    ...answerRows({
      form: '/$defs/decimal',
      inWords: 'A decimal number: `12`, `-0.5`.',
      passes: ['0', '12', '-0.5', '2.50', '0.05', '-120'],
      fails: ['', 'A', '+1', '.5', '1.', '01', '1e3', '1,5', '1 000', '½', '−1', '٣', '1\n'],
      accepted: ['2.25', '2.3'],
    }),
  ]),
];
