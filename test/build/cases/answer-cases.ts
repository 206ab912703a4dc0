import type { Question } from '../../../build/content/written.ts';
import { paperOf, sampleQuestions } from '../bank-folder.ts';
import { png } from '../image-bytes.ts';
import { accepts, bankOf, type Cases, drawnBank, type FoundPlace, rejects } from './rule-case.ts';

const { mcq, msq, numerical, text } = sampleQuestions;

function keyed(...keys: readonly string[]): Question {
  return {
    ...mcq,
    options: keys.map((key, index) => ({ key, value: `${index}` })),
    answer: keys[0] ?? '',
  };
}

function valued(...values: readonly string[]): Question {
  return { ...mcq, options: values.map((value, index) => ({ key: 'ABC'[index] ?? '', value })) };
}

/** Options with these labels. */
function labelled(...labels: readonly (string | undefined)[]): Question {
  const options = mcq.options.map((option, index) => {
    const label = labels[index];
    return label === undefined ? option : { ...option, label };
  });
  return { ...mcq, options };
}

const key = (index: number) => `/options/${index}/key`;
const value = (index: number) => `/options/${index}/value`;
const first = (pointer: string): FoundPlace => ({ message: 'First occurrence.', pointer });
const theOption = (one: string, pointer: string): FoundPlace => ({
  message: `This is option ${one}.`,
  pointer,
});
const twoKeys = (one: string) => `Two options have the key "${one}". Give each option its own key.`;
const missing = 'Add the missing options, or correct the keys.';
const same = (one: string, other: string, what = 'text') =>
  `Options ${one} and ${other} have the same ${what}. Correct one of them.`;
/** A bank with a question whose options are these diagrams. */
const drawn = (...files: readonly string[]) =>
  drawnBank([], Object.fromEntries(files.map((file) => [file, png(2, 2)])), {
    diagrams: [],
    options: files.map((file, index) => ({
      key: 'ABC'[index] ?? '',
      diagram: { file, alt: 'A ruler.' },
    })),
  });

const related = [{ message: 'The options are here.', pointer: '/options' }];
const noKey = (one: string, keys: string) =>
  `"${one}" is not the key of an option. The options are ${keys}.`;
const inOrder = (answer: string) => ({
  ...{ message: `Name each key once, in order: "${answer}".`, suggestion: answer, related },
});
const theAnswer = [{ message: 'The answer is here.', pointer: '/answer' }];
const accepted = (index: number) => `/accepted/${index}`;
const again = (one: string, other: string) =>
  `"${one}" is already accepted as "${other}". Remove one of them.`;
const tooManyDigits = 'This number has too many digits. Use at most 15.';
const ranged = (min: string, max: string): Question => ({
  ...numerical,
  answerRange: { min, max },
});
const marked = (marking: object, ...questions: readonly Question[]) =>
  bankOf({ ...paperOf(...questions), marking });

export const answerCases: Cases = {
  'option-keys': [
    accepts('keys from A on', keyed('A', 'B', 'C')),
    accepts('keys from E on', keyed('E', 'F')),
    rejects('keys with a gap', keyed('A', 'B', 'D'), {
      ...{ message: `Option "C" is missing before "D". ${missing}`, pointer: key(2) },
    }),
    rejects('keys without the first three', keyed('D', 'E'), {
      ...{ message: `Options "A" to "C" are missing before "D". ${missing}`, pointer: key(0) },
    }),
    rejects('a repeated key', keyed('A', 'B', 'B'), {
      ...{ message: twoKeys('B'), pointer: key(2), related: [first(key(1))] },
    }),
    rejects('several keys in the wrong order, which it reports once', keyed('C', 'B', 'A'), {
      ...{ message: 'Option "B" comes after "C". Sort the options by key.', pointer: key(1) },
    }),
  ],
  'option-labels': [
    accepts('labels of all options', labelled('(1)', '(2)')),
    rejects('the same label twice', labelled('(1)', '(1)'), {
      ...{
        message: 'Options A and B have the same label. Correct one of them.',
        pointer: '/options/1/label',
      },
      related: [first('/options/0/label')],
    }),
    rejects('an option without a label among others', labelled('(1)'), {
      message: 'Option B has no label, but other options have one. Label all options, or none.',
      pointer: '/options/1',
      related: [{ message: 'This option has a label.', pointer: '/options/0/label' }],
    }),
  ],
  'option-texts': [
    accepts('texts that differ in case', valued('M', 'm')),
    accepts('a text that is a prefix of another', valued('1 ', '1 2')),
    accepts('different diagrams', drawn('q1-a.png', 'q1-b.png')),
    rejects('the same diagram twice', drawn('q1-a.png', 'q1-a.png'), {
      ...{ message: same('A', 'B', 'diagram'), pointer: '/questions/0/options/1/diagram' },
      related: [theOption('A', '/questions/0/options/0/diagram')],
    }),
    rejects('two options with the same text', valued('m', 's', 'm'), {
      ...{ message: same('A', 'C'), pointer: value(2), related: [theOption('A', value(0))] },
    }),
    ...[
      [' m ', 'm'],
      ['1 A', '1\u00a0 A '],
    ].map((values) =>
      rejects(
        `texts that differ in the space around or within: ${JSON.stringify(values)}`,
        valued(...values),
        {
          ...{ message: same('A', 'B'), pointer: value(1), related: [theOption('A', value(0))] },
        },
      ),
    ),
  ],
  'answer-among-options': [
    accepts('the key of an option for an mcq', { ...mcq, answer: 'B' }),
    accepts('a number for a numerical question', numerical),
    rejects(
      'a key that no option of an mcq has',
      { ...mcq, answer: 'C' },
      { message: noKey('C', 'A, B'), pointer: '/answer', related },
    ),
    rejects(
      'a key that no option of an msq has',
      { ...msq, answer: 'A,⟦D⟧' },
      { message: noKey('D', 'A, B, C'), pointer: '/answer', related },
    ),
    rejects(
      'keys in the wrong order, with a suggestion',
      { ...msq, answer: 'C,A' },
      { ...inOrder('A,C'), pointer: '/answer' },
    ),
    rejects(
      'a repeated key, with a suggestion',
      { ...msq, answer: 'A,A,C' },
      { ...inOrder('A,C'), pointer: '/answer' },
    ),
    rejects(
      'wrong accepted answers',
      { ...msq, accepted: ['A,C', 'B,A', 'D'] },
      { ...inOrder('A,B'), pointer: accepted(1) },
      { message: noKey('D', 'A, B, C'), pointer: accepted(2), related },
    ),
  ],
  'accepted-answer': [
    accepts('several forms of a text', { ...text, accepted: ['3/4', '0.75', 'three quarters'] }),
    rejects(
      'a form of a text twice, with other case and spaces',
      { ...text, accepted: ['3/4', '3 / 4'] },
      {
        message: '"3 / 4" is already accepted as "3/4". Remove one of them.',
        ...{
          pointer: '/accepted/1',
          related: [{ message: 'First occurrence.', pointer: '/accepted/0' }],
        },
      },
    ),
    accepts('accepted answers that include the answer', { ...mcq, accepted: ['A', 'B'] }),
    rejects(
      'accepted answers without the answer',
      { ...numerical, accepted: ['2.2', '2.3'] },
      {
        message: 'The answer "2.25" is not one of the accepted answers (2.2; 2.3). Add it to them.',
        ...{ pointer: '/accepted', related: theAnswer },
      },
    ),
    rejects(
      'the answer in another spelling',
      { ...numerical, accepted: ['2.250', '2.3'] },
      {
        message: 'This is the answer "2.25", written differently. Write it in the same way.',
        ...{ pointer: accepted(0), suggestion: '2.25', related: theAnswer },
      },
    ),
    rejects(
      'the same whole number with decimals',
      { ...numerical, answer: '10', accepted: ['10', '100', '10.0'] },
      { message: again('10.0', '10'), pointer: accepted(2), related: [first(accepted(0))] },
    ),
  ],
  'dropped-question': [
    accepts('a dropped question', { ...mcq, dropped: true }),
    accepts('a question with several accepted answers', { ...mcq, accepted: ['A', 'B'] }),
    rejects(
      'accepted answers of a dropped question',
      { ...mcq, accepted: ['A', 'B'], dropped: true },
      {
        message:
          'A dropped question has no accepted answers. Remove "accepted", or "dropped" if the question is scored.',
        pointer: '/accepted',
        related: [{ message: 'The question is dropped here.', pointer: '/dropped' }],
      },
    ),
  ],
  'numerical-answer': [
    ...['-2.50', '602214076000000000000000', '0.000000000000000123'].map((answer) =>
      accepts(answer, { ...numerical, answer }),
    ),
    rejects(
      'zero with a sign',
      { ...numerical, answer: '-0.00' },
      { message: 'Write zero without a sign.', pointer: '/answer', suggestion: '0.00' },
    ),
    rejects(
      'more than 15 digits in an accepted answer',
      { ...numerical, accepted: ['2.25', '2.2499999999999999'] },
      { message: tooManyDigits, pointer: accepted(1) },
    ),
    rejects(
      'more than 15 digits in a range',
      ranged('2.2499999999999999', '2.2500000000000001'),
      { message: tooManyDigits, pointer: '/answerRange/min' },
      { message: tooManyDigits, pointer: '/answerRange/max' },
    ),
  ],
  'answer-range': [
    accepts('an answer at the end of its range', ranged('2.2', '2.250')),
    accepts('a tolerance', { ...numerical, tolerance: '0.05' }),
    rejects(
      'a tolerance beside a range',
      { ...ranged('2.2', '2.3'), tolerance: '0.05' },
      { message: 'Use "answerRange" or "tolerance", not both.', pointer: '/tolerance' },
    ),
    rejects(
      'a tolerance of a question with options',
      { ...mcq, tolerance: '1' },
      {
        message: 'Only numerical questions can have a tolerance. Remove it.',
        pointer: '/tolerance',
      },
    ),
    rejects('an answer below its range', ranged('2.3', '2.4'), {
      ...{ message: 'The answer 2.25 is outside its range, 2.3 to 2.4.', pointer: '/answer' },
      related: [{ message: 'The range is here.', pointer: '/answerRange' }],
    }),
    rejects('a range that ends before it begins', ranged('2.4', '2.2'), {
      message: 'The maximum of the range (2.2) is less than its minimum (2.4).',
      pointer: '/answerRange',
    }),
    rejects(
      'a range of a question with options',
      { ...mcq, answerRange: { min: '1', max: '2' } },
      {
        message: 'Only numerical questions can have an answer range. Remove it.',
        pointer: '/answerRange',
      },
    ),
  ],
  marking: [
    accepts(
      'the marks of JEE Advanced',
      marked({ correct: 3, incorrect: -1, unanswered: 0 }, mcq, {
        ...{ ...msq, id: 'q2' },
        marking: { correct: 4, incorrect: -2, partial: 1 },
      }),
    ),
    rejects('a wrong response without a minus sign', marked({ correct: 4, incorrect: 1 }, mcq), {
      message: 'A wrong response must score 0 or less. Write the minus sign.',
      ...{ pointer: '/marking/incorrect', suggestion: '-1' },
    }),
    rejects(
      'other impossible marks of a question',
      { ...msq, marking: { correct: 0, unanswered: 1, partial: 0 } },
      { message: 'A correct response must score more than 0.', pointer: '/marking/correct' },
      {
        message: 'An unanswered question must score less than a correct response.',
        pointer: '/marking/unanswered',
      },
      {
        message: 'Partial marks must be more than 0. If there are none, remove "partial".',
        pointer: '/marking/partial',
      },
    ),
    rejects(
      'partial marks without a question of type msq',
      marked({ correct: 4, partial: 1 }, mcq),
      {
        message: 'This paper has no msq questions. Remove "partial".',
        pointer: '/marking/partial',
      },
    ),
    rejects(
      'partial marks of a question with one right option',
      { ...mcq, marking: { correct: 4, partial: 1 } },
      {
        message: 'Only msq questions can have partial marks. Remove "partial".',
        pointer: '/marking/partial',
      },
    ),
    rejects(
      'partial marks that exceed those for all right options',
      marked({ correct: 4, partial: 3 }, { ...msq, answer: 'A,B,C' }),
      {
        message:
          'Choosing 2 of 3 correct options scores 6, but choosing all scores 4. Give the question its own "marking".',
        pointer: '/questions/0/answer',
      },
    ),
  ],
};
