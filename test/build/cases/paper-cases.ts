import type { Question } from '../../../build/read/content.ts';
import {
  examPath,
  type Files,
  paperOf,
  paperPath,
  sampleExam,
  sampleQuestions,
  shiftPath,
} from '../bank-folder.ts';
import { png } from '../image-bytes.ts';
import type { Found, RuleCase } from './rule-case.ts';

const { mcq, msq, numerical } = sampleQuestions;
const drawn: Question = { ...mcq, diagrams: [{ file: 'q1.png', alt: 'A ruler.' }] };

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

const characterCases: readonly RuleCase[] = [
  kept('characters', 'texts may have several lines', { ...mcq, question: 'First.\nSecond.' }),
  broken(
    'characters',
    'a backslash of LaTeX is written twice',
    { ...mcq, question: '$\frac{1}{2}$' },
    {
      message:
        'The text holds the control character U+000C. A command of LaTeX is written with two backslashes: \\\\f...',
      pointer: '/questions/0/question',
      at: '7:19-7:34',
    },
  ),
  broken(
    'characters',
    'a topic has no half of a character',
    { ...mcq, topic: 'Half \ud800' },
    {
      message: 'The text holds half a character (a lone surrogate). Write it anew.',
      pointer: '/questions/0/topic',
      at: '19:16-19:29',
    },
  ),
];

const optionCases: readonly RuleCase[] = [
  kept('option-keys', 'keys may leave letters out', withOptions(['A', '1'], ['C', '2'], ['Z', '3'])),
  broken('option-keys', 'a key may not be given twice', withOptions(['A', '1'], ['B', '2'], ['B', '3']), {
    message: 'Two options have the key "B".',
    pointer: '/questions/0/options/2/key',
    at: '18:18-18:21',
  }),
  broken('option-keys', 'keys are in alphabetical order', withOptions(['B', '1'], ['A', '2']), {
    message: 'The option "A" stands after "B".',
    pointer: '/questions/0/options/1/key',
    at: '14:18-14:21',
  }),

  kept('option-texts', 'texts that differ in case are different', withOptions(['A', 'M'], ['B', 'm'])),
  kept('option-texts', 'a numerical question has no options that could agree', numerical),
  broken('option-texts', 'no two options say the same', withOptions(['A', 'm'], ['B', 's'], ['C', 'm']), {
    message: 'The options A and C say the same.',
    pointer: '/questions/0/options/2/value',
    at: '19:20-19:23',
  }),
  broken(
    'option-texts',
    'space around an earlier text is none either',
    withOptions(['A', ' m '], ['B', 'm']),
    {
      message: 'The options A and B say the same.',
      pointer: '/questions/0/options/1/value',
      at: '15:20-15:23',
    },
  ),
  broken('option-texts', 'space around a text is no difference', withOptions(['A', 'm'], ['B', ' m\n']), {
    message: 'The options A and B say the same.',
    pointer: '/questions/0/options/1/value',
    at: '15:20-15:26',
  }),
];

const answerCases: readonly RuleCase[] = [
  kept('answer-among-options', 'the answer of an mcq is the key of an option', { ...mcq, answer: 'B' }),
  kept('answer-among-options', 'the answer of an msq may be every option', { ...msq, answer: 'A,B,C' }),
  kept('answer-among-options', 'the answer of a numerical question is no key', numerical),
  broken(
    'answer-among-options',
    'an mcq may not be answered with no option',
    { ...mcq, answer: 'C' },
    {
      message: '"C" is the key of no option: the options are A, B.',
      pointer: '/questions/0/answer',
      at: '18:17-18:20',
    },
  ),
  broken(
    'answer-among-options',
    'an msq may not be answered with no option',
    { ...msq, answer: 'A,D' },
    {
      message: '"D" is the key of no option: the options are A, B, C.',
      pointer: '/questions/0/answer',
      at: '22:17-22:22',
    },
  ),
  broken(
    'answer-among-options',
    'keys are in order',
    { ...msq, answer: 'C,A' },
    {
      message: 'The keys are named once each, in order: write "A,C".',
      pointer: '/questions/0/answer',
      at: '22:17-22:22',
    },
  ),
  broken(
    'answer-among-options',
    'keys are named once',
    { ...msq, answer: 'A,A,C' },
    {
      message: 'The keys are named once each, in order: write "A,C".',
      pointer: '/questions/0/answer',
      at: '22:17-22:24',
    },
  ),
  broken(
    'answer-among-options',
    'accepted answers are held to it too',
    { ...msq, accepted: ['A,C', 'B,A', 'D'] },
    {
      message: 'The keys are named once each, in order: write "A,B".',
      pointer: '/questions/0/accepted/1',
      at: '27:9-27:14',
    },
    {
      message: '"D" is the key of no option: the options are A, B, C.',
      pointer: '/questions/0/accepted/2',
      at: '28:9-28:12',
    },
  ),

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
      related: [{ message: 'The answer stands here.', file: paperPath, at: '9:17' }],
    },
  ),
  broken(
    'accepted-answer',
    'an answer that looks different is different',
    { ...numerical, accepted: ['2.250', '2.3'] },
    {
      message: 'The answer "2.25" is not among the accepted ones (2.250; 2.3).',
      pointer: '/questions/0/accepted',
      at: '12:19-15:8',
      related: [{ message: 'The answer stands here.', file: paperPath, at: '9:17' }],
    },
  ),
];

const file = { pointer: '/questions/0/diagrams/0/file', at: '23:19-23:27', file: paperPath };

const diagramCases: readonly RuleCase[] = [
  kept('diagram-files', 'a diagram that a question names is in its shift', drawn, {
    [`${shiftPath}/diagrams/q1.png`]: png(2, 2),
  }),
  {
    rule: 'diagram-files',
    shows: 'a diagram of another shift does not count',
    files: bankOf(drawn, {
      'neet/2024/2024-05-05-s2/physics.json': paperOf({ ...drawn, id: 'q' }),
      'neet/2024/2024-05-05-s2/diagrams/q1.png': png(2, 2),
    }),
    found: [{ ...file, message: "The shift's folder has no diagrams/q1.png." }],
  },
  {
    rule: 'diagram-files',
    shows: "a diagram's name contains the id of its question",
    files: bankOf({ ...drawn, id: 'q2' }, { [`${shiftPath}/diagrams/q1.png`]: png(2, 2) }),
    found: [{ ...file, message: "The name of the diagram does not contain the question's id, q2." }],
  },
  {
    rule: 'diagram-files',
    shows: 'a diagram is an image',
    files: bankOf(drawn, { [`${shiftPath}/diagrams/q1.png`]: 'To be drawn' }),
    found: [
      {
        ...file,
        message:
          'The file q1.png is no image that can be read: it is empty, cut short, or not PNG, JPEG, WebP, GIF, AVIF or SVG.',
      },
    ],
  },
  broken(
    'diagram-files',
    'each wrong diagram of a question is told',
    {
      ...mcq,
      diagrams: [
        { file: 'q1-a.png', alt: 'A.' },
        { file: 'q2.png', alt: 'B.' },
      ],
    },
    {
      message: "The shift's folder has no diagrams/q1-a.png.",
      pointer: '/questions/0/diagrams/0/file',
      at: '23:19-23:29',
    },
    {
      message: "The name of the diagram does not contain the question's id, q1.",
      pointer: '/questions/0/diagrams/1/file',
      at: '27:19-27:27',
    },
  ),
];

/** Cases of the rules on one paper. */
export const paperCases: readonly RuleCase[] = [
  ...characterCases,
  ...optionCases,
  ...answerCases,
  ...diagramCases,
];
