import type { Question } from '../../../build/content/types.ts';
import { examPath, type Files, paperOf, paperPath, sampleExam, sampleQuestions } from '../bank-folder.ts';
import type { Found, RuleCase } from './rule-case.ts';

const { mcq, msq, numerical } = sampleQuestions;

/** A bank with one paper of this question, and other files. */
function bankOf(question: Question, files: Files = {}): Files {
  return { [examPath]: sampleExam, [paperPath]: paperOf(question), ...files };
}

function withOptions(...options: readonly [string, string][]): Question {
  return { ...mcq, options: options.map(([key, value]) => ({ key, value })) };
}

function validCase(rule: string, title: string, question: Question, files: Files = {}): RuleCase {
  return { rule, title, files: bankOf(question, files), found: [] };
}

function invalidCase(
  rule: string,
  title: string,
  question: Question,
  ...found: readonly Omit<Found, 'file'>[]
): RuleCase {
  return { rule, title, files: bankOf(question), found: found.map((each) => ({ ...each, file: paperPath })) };
}

const twoKeys = (key: string) => `Two options have the key "${key}". Give each option its own key.`;
const givenFirst = (at: string) => [{ message: 'First occurrence.', file: paperPath, at }];
const same = (one: string, other: string) =>
  `Options ${one} and ${other} have the same text. Correct one of them.`;
const isOption = (key: string, at: string) => [{ message: `This is option ${key}.`, file: paperPath, at }];

const optionCases: readonly RuleCase[] = [
  validCase('option-keys', 'accepts keys from A on', withOptions(['A', '1'], ['B', '2'], ['C', '3'])),
  validCase('option-keys', 'accepts the keys P and Q', {
    ...withOptions(['P', '1'], ['Q', '2']),
    answer: 'P',
  }),
  invalidCase('option-keys', 'rejects keys with a gap', withOptions(['A', '1'], ['B', '2'], ['D', '3']), {
    message: 'Option "C" is missing before "D". Add the missing options, or correct the keys.',
    pointer: '/questions/0/options/2/key',
    at: '18:18-18:21',
  }),
  invalidCase('option-keys', 'rejects a gap of several keys', withOptions(['A', '1'], ['E', '2']), {
    message: 'Options "B" to "D" are missing before "E". Add the missing options, or correct the keys.',
    pointer: '/questions/0/options/1/key',
    at: '14:18-14:21',
  }),
  invalidCase(
    'option-keys',
    'rejects a repeated key, with a suggestion',
    withOptions(['A', '1'], ['B', '2'], ['B', '3']),
    {
      message: twoKeys('B'),
      pointer: '/questions/0/options/2/key',
      at: '18:18-18:21',
      suggestion: 'C',
      related: givenFirst('14:18-14:21'),
    },
  ),
  invalidCase(
    'option-keys',
    'rejects a repeated key after another one',
    withOptions(['A', '1'], ['C', '2'], ['A', '3']),
    {
      message: twoKeys('A'),
      pointer: '/questions/0/options/2/key',
      at: '18:18-18:21',
      related: givenFirst('10:18-10:21'),
    },
  ),
  invalidCase('option-keys', 'rejects keys in the wrong order', withOptions(['B', '1'], ['A', '2']), {
    message: 'Option "A" comes after "B". Sort the options by key.',
    pointer: '/questions/0/options/1/key',
    at: '14:18-14:21',
  }),
  invalidCase(
    'option-keys',
    'reports the wrong order once',
    withOptions(['C', '1'], ['B', '2'], ['A', '3']),
    {
      message: 'Option "B" comes after "C". Sort the options by key.',
      pointer: '/questions/0/options/1/key',
      at: '14:18-14:21',
    },
  ),

  validCase('option-texts', 'accepts texts that differ in case', withOptions(['A', 'M'], ['B', 'm'])),
  validCase(
    'option-texts',
    'accepts texts that differ in a space within',
    withOptions(['A', '1 0'], ['B', '10']),
  ),
  validCase(
    'option-texts',
    'accepts a text that is a prefix of another',
    withOptions(['A', '1 '], ['B', '1 2']),
  ),
  validCase('option-texts', 'accepts a numerical question, which has no options', numerical),
  invalidCase(
    'option-texts',
    'rejects two options with the same text',
    withOptions(['A', 'm'], ['B', 's'], ['C', 'm']),
    {
      message: same('A', 'C'),
      pointer: '/questions/0/options/2/value',
      at: '19:20-19:23',
      related: isOption('A', '11:20-11:23'),
    },
  ),
  invalidCase('option-texts', 'ignores space around the first text', withOptions(['A', ' m '], ['B', 'm']), {
    message: same('A', 'B'),
    pointer: '/questions/0/options/1/value',
    at: '15:20-15:23',
    related: isOption('A', '11:20-11:25'),
  }),
  invalidCase(
    'option-texts',
    'ignores space around the second text',
    withOptions(['A', 'm'], ['B', ' m\n']),
    {
      message: same('A', 'B'),
      pointer: '/questions/0/options/1/value',
      at: '15:20-15:26',
      related: isOption('A', '11:20-11:23'),
    },
  ),
  invalidCase(
    'option-texts',
    'ignores the amount of space within a text',
    withOptions(['A', '2 m'], ['B', '2 \n m']),
    {
      message: same('A', 'B'),
      pointer: '/questions/0/options/1/value',
      at: '15:20-15:28',
      related: isOption('A', '11:20-11:25'),
    },
  ),
];

const noKey = (key: string, keys: string) => `"${key}" is not the key of an option. The options are ${keys}.`;
const inOrder = (answer: string) => `Name each key once, in order: "${answer}".`;
const theOptions = (at: string) => [{ message: 'The options are here.', file: paperPath, at }];
const twoOptions = theOptions('8:18-17:8');
const threeOptions = theOptions('8:18-21:8');

const answerCases: readonly RuleCase[] = [
  validCase('answer-among-options', 'accepts the key of an option for an mcq', { ...mcq, answer: 'B' }),
  validCase('answer-among-options', 'accepts all keys for an msq', { ...msq, answer: 'A,B,C' }),
  validCase('answer-among-options', 'accepts a number for a numerical question', numerical),
  invalidCase(
    'answer-among-options',
    'rejects a key that no option of an mcq has',
    { ...mcq, answer: 'C' },
    { message: noKey('C', 'A, B'), pointer: '/questions/0/answer', at: '18:17-18:20', related: twoOptions },
  ),
  invalidCase(
    'answer-among-options',
    'rejects a key that no option of an msq has',
    { ...msq, answer: 'A,D' },
    {
      message: noKey('D', 'A, B, C'),
      pointer: '/questions/0/answer',
      at: '22:20-22:21',
      related: threeOptions,
    },
  ),
  invalidCase(
    'answer-among-options',
    'rejects keys in the wrong order, with a suggestion',
    { ...msq, answer: 'C,A' },
    {
      message: inOrder('A,C'),
      pointer: '/questions/0/answer',
      at: '22:17-22:22',
      suggestion: 'A,C',
      related: threeOptions,
    },
  ),
  invalidCase(
    'answer-among-options',
    'rejects a repeated key, with a suggestion',
    { ...msq, answer: 'A,A,C' },
    {
      message: inOrder('A,C'),
      pointer: '/questions/0/answer',
      at: '22:17-22:24',
      suggestion: 'A,C',
      related: threeOptions,
    },
  ),
  invalidCase(
    'answer-among-options',
    'checks accepted answers too',
    { ...msq, accepted: ['A,C', 'B,A', 'D'] },
    {
      message: inOrder('A,B'),
      pointer: '/questions/0/accepted/1',
      at: '27:9-27:14',
      suggestion: 'A,B',
      related: threeOptions,
    },
    {
      message: noKey('D', 'A, B, C'),
      pointer: '/questions/0/accepted/2',
      at: '28:9-28:12',
      related: threeOptions,
    },
  ),
];

const theAnswer = (at: string) => [{ message: 'The answer is here.', file: paperPath, at }];

const acceptedCases: readonly RuleCase[] = [
  validCase('accepted-answer', 'accepts accepted answers that include the answer', {
    ...mcq,
    accepted: ['A', 'B'],
  }),
  validCase('accepted-answer', 'accepts accepted numbers that include the answer', {
    ...numerical,
    accepted: ['2.2', '2.25'],
  }),
  invalidCase(
    'accepted-answer',
    'rejects accepted answers without the answer',
    { ...numerical, accepted: ['2.2', '2.3'] },
    {
      message: 'The answer "2.25" is not one of the accepted answers (2.2; 2.3). Add it to them.',
      pointer: '/questions/0/accepted',
      at: '12:19-15:8',
      related: theAnswer('9:17-9:23'),
    },
  ),
  invalidCase(
    'accepted-answer',
    'rejects the answer in another spelling',
    { ...numerical, accepted: ['2.250', '2.3'] },
    {
      message: 'This is the answer "2.25", written differently. Write it in the same way.',
      pointer: '/questions/0/accepted/0',
      at: '13:9-13:16',
      suggestion: '2.25',
      related: theAnswer('9:17-9:23'),
    },
  ),
  invalidCase(
    'accepted-answer',
    'rejects the same number with more decimals',
    { ...numerical, accepted: ['2.25', '2.250'] },
    {
      message: '"2.250" is already accepted as "2.25". Remove one of them.',
      pointer: '/questions/0/accepted/1',
      at: '14:9-14:16',
      related: [{ message: 'First occurrence.', file: paperPath, at: '13:9-13:15' }],
    },
  ),
  invalidCase(
    'accepted-answer',
    'rejects the same whole number with decimals',
    { ...numerical, answer: '10', accepted: ['10', '100', '10.0'] },
    {
      message: '"10.0" is already accepted as "10". Remove one of them.',
      pointer: '/questions/0/accepted/2',
      at: '15:9-15:15',
      related: [{ message: 'First occurrence.', file: paperPath, at: '13:9-13:13' }],
    },
  ),

  validCase('dropped-question', 'accepts a dropped question', { ...mcq, dropped: true }),
  validCase('dropped-question', 'accepts a question with several accepted answers', {
    ...mcq,
    accepted: ['A', 'B'],
  }),
  invalidCase(
    'dropped-question',
    'rejects accepted answers of a dropped question',
    { ...mcq, accepted: ['A', 'B'], dropped: true },
    {
      message:
        'A dropped question has no accepted answers. Remove "accepted", or "dropped" if the question is scored.',
      pointer: '/questions/0/accepted',
      at: '21:19-24:8',
      related: [{ message: 'The question is dropped here.', file: paperPath, at: '25:18-25:22' }],
    },
  ),
];

const numberCases: readonly RuleCase[] = [
  validCase('numerical-answer', 'accepts a negative number with trailing zeros', {
    ...numerical,
    answer: '-2.50',
  }),
  validCase('numerical-answer', 'accepts a large number', {
    ...numerical,
    answer: '602214076000000000000000',
  }),
  validCase('numerical-answer', 'accepts zero with decimals', { ...numerical, answer: '0.00' }),
  ...(
    [
      ['-0', 'Write zero without a sign.', '0', '9:17-9:21'],
      ['-0.00', 'Write zero without a sign.', '0.00', '9:17-9:24'],
    ] as const
  ).map(([answer, message, suggestion, at]) =>
    invalidCase(
      'numerical-answer',
      `rejects ${answer}, with a suggestion`,
      { ...numerical, answer },
      {
        message,
        pointer: '/questions/0/answer',
        at,
        suggestion,
      },
    ),
  ),
  invalidCase(
    'numerical-answer',
    'rejects more than 15 digits, also in accepted answers',
    { ...numerical, accepted: ['2.25', '2.2499999999999999'] },
    {
      message: 'This number has too many digits. Use at most 15.',
      pointer: '/questions/0/accepted/1',
      at: '14:9-14:29',
    },
  ),
];

const updatedCases: readonly RuleCase[] = [
  {
    rule: 'updated',
    title: 'accepts a time five minutes in the future',
    files: bankOf(mcq, { [paperPath]: { ...paperOf(mcq), lastUpdated: '2026-02-01T00:05:00Z' } }),
    found: [],
  },
  {
    rule: 'updated',
    title: 'rejects a time more than five minutes in the future',
    files: bankOf(mcq, { [paperPath]: { ...paperOf(mcq), lastUpdated: '2026-02-01T00:05:01Z' } }),
    found: [
      {
        message: 'This time is in the future. It is now 2026-02-01T00:00Z.',
        file: paperPath,
        pointer: '/lastUpdated',
        at: '2:18-2:40',
      },
    ],
  },
];

/** Cases of the rules on one paper. */
export const paperCases: readonly RuleCase[] = [
  ...optionCases,
  ...answerCases,
  ...acceptedCases,
  ...numberCases,
  ...updatedCases,
];
