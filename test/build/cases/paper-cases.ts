import type { Question } from '../../../build/content/types.ts';
import { examPath, type Files, paperOf, paperPath, sampleExam, sampleQuestions } from '../bank-folder.ts';
import type { Found, RuleCase } from './rule-case.ts';

const { mcq, msq, numerical } = sampleQuestions;

/** A bank of one paper with this question, and beside it other files. */
function bankOf(question: Question, files: Files = {}): Files {
  return { [examPath]: sampleExam, [paperPath]: paperOf(question), ...files };
}

function withOptions(...options: readonly [string, string][]): Question {
  return { ...mcq, options: options.map(([key, value]) => ({ key, value })) };
}

function kept(rule: string, shows: string, question: Question, files: Files = {}): RuleCase {
  return { rule, shows, files: bankOf(question, files), found: [] };
}

function broken(
  rule: string,
  shows: string,
  question: Question,
  ...found: readonly Omit<Found, 'file'>[]
): RuleCase {
  return { rule, shows, files: bankOf(question), found: found.map((each) => ({ ...each, file: paperPath })) };
}

const twoKeys = (key: string) => `Two options have the key "${key}".`;
const givenFirst = (at: string) => [{ message: 'The first one is here.', file: paperPath, at }];
const same = (one: string, other: string) => `The options ${one} and ${other} say the same.`;
const isOption = (key: string, at: string) => [{ message: `This is option ${key}.`, file: paperPath, at }];

const optionCases: readonly RuleCase[] = [
  kept('option-keys', 'keys may leave letters out', withOptions(['A', '1'], ['C', '2'], ['Z', '3'])),
  broken('option-keys', 'a key may not be given twice', withOptions(['A', '1'], ['B', '2'], ['B', '3']), {
    message: twoKeys('B'),
    pointer: '/questions/0/options/2/key',
    at: '18:18-18:21',
    suggestion: 'C',
    related: givenFirst('14:18-14:21'),
  }),
  broken('option-keys', 'nor with another between', withOptions(['A', '1'], ['C', '2'], ['A', '3']), {
    message: twoKeys('A'),
    pointer: '/questions/0/options/2/key',
    at: '18:18-18:21',
    related: givenFirst('10:18-10:21'),
  }),
  broken('option-keys', 'keys are in alphabetical order', withOptions(['B', '1'], ['A', '2']), {
    message: 'The option "A" comes after "B". Sort the options by key.',
    pointer: '/questions/0/options/1/key',
    at: '14:18-14:21',
  }),
  broken('option-keys', 'which is told once', withOptions(['C', '1'], ['B', '2'], ['A', '3']), {
    message: 'The option "B" comes after "C". Sort the options by key.',
    pointer: '/questions/0/options/1/key',
    at: '14:18-14:21',
  }),

  kept('option-texts', 'texts that differ in case are different', withOptions(['A', 'M'], ['B', 'm'])),
  kept(
    'option-texts',
    'space where the other has none is a difference',
    withOptions(['A', '1 0'], ['B', '10']),
  ),
  kept('option-texts', 'a text is not the same as its beginning', withOptions(['A', '1 '], ['B', '1 2'])),
  kept('option-texts', 'a numerical question has no options that could agree', numerical),
  broken('option-texts', 'no two options say the same', withOptions(['A', 'm'], ['B', 's'], ['C', 'm']), {
    message: same('A', 'C'),
    pointer: '/questions/0/options/2/value',
    at: '19:20-19:23',
    related: isOption('A', '11:20-11:23'),
  }),
  broken(
    'option-texts',
    'space around an earlier text is none either',
    withOptions(['A', ' m '], ['B', 'm']),
    {
      message: same('A', 'B'),
      pointer: '/questions/0/options/1/value',
      at: '15:20-15:23',
      related: isOption('A', '11:20-11:25'),
    },
  ),
  broken('option-texts', 'space around a text is no difference', withOptions(['A', 'm'], ['B', ' m\n']), {
    message: same('A', 'B'),
    pointer: '/questions/0/options/1/value',
    at: '15:20-15:26',
    related: isOption('A', '11:20-11:23'),
  }),
  broken('option-texts', 'nor is more space within', withOptions(['A', '2 m'], ['B', '2 \n m']), {
    message: same('A', 'B'),
    pointer: '/questions/0/options/1/value',
    at: '15:20-15:28',
    related: isOption('A', '11:20-11:25'),
  }),
];

const noKey = (key: string, keys: string) => `"${key}" is not the key of an option. The options are ${keys}.`;
const inOrder = (answer: string) => `Name each key once, in order: "${answer}".`;
const theOptions = (at: string) => [{ message: 'The options are here.', file: paperPath, at }];
const twoOptions = theOptions('8:18-17:8');
const threeOptions = theOptions('8:18-21:8');

const answerCases: readonly RuleCase[] = [
  kept('answer-among-options', 'the answer of an mcq is the key of an option', { ...mcq, answer: 'B' }),
  kept('answer-among-options', 'the answer of an msq may be every option', { ...msq, answer: 'A,B,C' }),
  kept('answer-among-options', 'the answer of a numerical question is no key', numerical),
  broken(
    'answer-among-options',
    'an mcq may not be answered with no option',
    { ...mcq, answer: 'C' },
    { message: noKey('C', 'A, B'), pointer: '/questions/0/answer', at: '18:17-18:20', related: twoOptions },
  ),
  broken(
    'answer-among-options',
    'an msq may not be answered with no option',
    { ...msq, answer: 'A,D' },
    {
      message: noKey('D', 'A, B, C'),
      pointer: '/questions/0/answer',
      at: '22:20-22:21',
      related: threeOptions,
    },
  ),
  broken(
    'answer-among-options',
    'keys are in order',
    { ...msq, answer: 'C,A' },
    {
      message: inOrder('A,C'),
      pointer: '/questions/0/answer',
      at: '22:17-22:22',
      suggestion: 'A,C',
      related: threeOptions,
    },
  ),
  broken(
    'answer-among-options',
    'keys are named once',
    { ...msq, answer: 'A,A,C' },
    {
      message: inOrder('A,C'),
      pointer: '/questions/0/answer',
      at: '22:17-22:24',
      suggestion: 'A,C',
      related: threeOptions,
    },
  ),
  broken(
    'answer-among-options',
    'accepted answers are held to it too',
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
  kept('accepted-answer', 'the answer is one of the accepted ones', { ...mcq, accepted: ['A', 'B'] }),
  kept('accepted-answer', 'a numerical answer is too', { ...numerical, accepted: ['2.2', '2.25'] }),
  broken(
    'accepted-answer',
    'another answer may not be the answer',
    { ...numerical, accepted: ['2.2', '2.3'] },
    {
      message: 'The answer "2.25" is not among the accepted ones (2.2; 2.3).',
      pointer: '/questions/0/accepted',
      at: '12:19-15:8',
      related: theAnswer('9:17-9:23'),
    },
  ),
  broken(
    'accepted-answer',
    'an answer that looks different is different',
    { ...numerical, accepted: ['2.250', '2.3'] },
    {
      message: 'This is the answer "2.25" in another spelling. Use the same spelling.',
      pointer: '/questions/0/accepted/0',
      at: '13:9-13:16',
      suggestion: '2.25',
      related: theAnswer('9:17-9:23'),
    },
  ),
  broken(
    'accepted-answer',
    'no answer is accepted twice in another spelling',
    { ...numerical, accepted: ['2.25', '2.250'] },
    {
      message: '"2.250" is already accepted as "2.25".',
      pointer: '/questions/0/accepted/1',
      at: '14:9-14:16',
      related: [{ message: 'The first one is here.', file: paperPath, at: '13:9-13:15' }],
    },
  ),
  broken(
    'accepted-answer',
    'nor is a whole number with decimals another one',
    { ...numerical, answer: '10', accepted: ['10', '100', '10.0'] },
    {
      message: '"10.0" is already accepted as "10".',
      pointer: '/questions/0/accepted/2',
      at: '15:9-15:15',
      related: [{ message: 'The first one is here.', file: paperPath, at: '13:9-13:13' }],
    },
  ),

  kept('dropped-question', 'a question may be dropped', { ...mcq, dropped: true }),
  kept('dropped-question', 'a question may have several answers that score', {
    ...mcq,
    accepted: ['A', 'B'],
  }),
  broken(
    'dropped-question',
    'of one that was dropped, no answer scores',
    { ...mcq, accepted: ['A', 'B'], dropped: true },
    {
      message: 'A dropped question has no accepted answers. Remove one of the two properties.',
      pointer: '/questions/0/accepted',
      at: '21:19-24:8',
      related: [{ message: 'The question is dropped here.', file: paperPath, at: '25:18-25:22' }],
    },
  ),
];

const numberCases: readonly RuleCase[] = [
  kept('numerical-answer', 'a number may be negative, and end in zeros', { ...numerical, answer: '-2.50' }),
  kept('numerical-answer', 'a number may be large', { ...numerical, answer: '602214076000000000000000' }),
  kept('numerical-answer', 'zero may have decimals', { ...numerical, answer: '0.00' }),
  ...(
    [
      ['-0', 'Write zero without a sign.', '0', '9:17-9:21'],
      ['-0.00', 'Write zero without a sign.', '0.00', '9:17-9:24'],
    ] as const
  ).map(([answer, message, suggestion, at]) =>
    broken(
      'numerical-answer',
      `${answer} is no number of its own`,
      { ...numerical, answer },
      {
        message,
        pointer: '/questions/0/answer',
        at,
        suggestion,
      },
    ),
  ),
  broken(
    'numerical-answer',
    'more digits than programs hold are too many, in accepted answers too',
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
    shows: 'a clock may be five minutes fast',
    files: bankOf(mcq, { [paperPath]: { ...paperOf(mcq), lastUpdated: '2026-01-01T00:05:00Z' } }),
    found: [],
  },
  {
    rule: 'updated',
    shows: 'no file was updated in the future',
    files: bankOf(mcq, { [paperPath]: { ...paperOf(mcq), lastUpdated: '2026-01-01T00:05:01Z' } }),
    found: [
      {
        message: 'This time is in the future. It is now 2026-01-01T00:00Z.',
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
