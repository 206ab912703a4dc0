import { sampleQuestions } from '../bank-folder.ts';
import { type ConstraintRow, onQuestion, refusing } from './row.ts';

const question = '/$defs/question/properties';
const first = '/questions/0';
const { mcq, msq, numerical } = sampleQuestions;

interface AnswerForm {
  /** The definition in the schema that says how an answer looks. */
  readonly form: string;
  readonly inWords: string;
  readonly passes: readonly string[];
  readonly fails: readonly string[];
  /** Two answers to be accepted, each good. */
  readonly accepted: readonly [string, string];
}

/** What answers of one type look like: the one answer, and those accepted beside it. */
function answerRows({ form, inWords, passes, fails, accepted }: AnswerForm): ConstraintRow[] {
  const wrongForm = `has the wrong format. ${inWords}`;
  return [
    {
      constraints: [`${question}/answer/type`, `${form}/type`],
      at: `${first}/answer`,
      passes,
      fails: 3,
      says: 'Expected text',
    },
    ...refusing(fails, { constraints: [`${form}/pattern`], at: `${first}/answer`, passes }, wrongForm),
    {
      constraints: [`${question}/accepted/items/type`, `${form}/type`],
      at: `${first}/accepted`,
      passes: [accepted],
      fails: [accepted[0], 3],
      says: 'Expected text',
      pointer: `${first}/accepted/1`,
    },
    ...refusing(
      fails.map((fault) => [accepted[0], fault]),
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
    says: 'At least 2 items are required.',
  };
}

/** One row or more for every constraint that the type of a question puts on its options and answers. */
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
      says: 'A numerical question has no options: write [].',
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
