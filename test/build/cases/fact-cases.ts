import type { Question, SubjectFile } from '../../../build/content/types.ts';
import {
  examPath,
  type Files,
  paperOf,
  paperPath,
  sampleExam,
  sampleQuestions,
  shiftPath,
} from '../bank-folder.ts';
import type { Found, RuleCase } from './rule-case.ts';

const { mcq, msq, numerical } = sampleQuestions;
const hindi = `${shiftPath}/physics.hi.json`;

function bankOf(paper: SubjectFile, files: Files = {}): Files {
  return { [examPath]: sampleExam, [paperPath]: paper, ...files };
}

function valid(rule: string, title: string, paper: SubjectFile, files: Files = {}): RuleCase {
  return { rule, title, files: bankOf(paper, files), found: [] };
}

function invalid(rule: string, title: string, paper: SubjectFile, ...found: Found[]): RuleCase {
  return { rule, title, files: bankOf(paper), found };
}

function inPaper(
  pointer: string,
  at: string,
  message: string,
  related?: [message: string, at: string],
): Found {
  const places = related && [{ message: related[0], file: paperPath, at: related[1] }];
  return { file: paperPath, pointer, at, message, ...(places && { related: places }) };
}

const passages = [{ id: 'p1', text: 'A train leaves at noon.' }];
const labelled = (one: string | undefined, other: string | undefined): Question => ({
  ...mcq,
  options: mcq.options.map((option, index) => {
    const label = index === 0 ? one : other;
    return label === undefined ? option : { ...option, label };
  }),
});
const translated = {
  id: 'q1',
  question: 'लंबाई का मात्रक क्या है?',
  options: [
    { key: 'A', value: 'मीटर' },
    { key: 'B', value: 'सेकंड' },
  ],
};
const translation = (...questions: object[]) => ({ lastUpdated: '2024-06-01T10:00:00Z', questions });

/** Passages, printed facts, marks and translations. */
export const factCases: readonly RuleCase[] = [
  valid('passage', 'accepts a question of a passage', { ...paperOf({ ...mcq, passage: 'p1' }), passages }),
  invalid(
    'passage',
    'rejects a passage that the file does not have',
    { ...paperOf({ ...mcq, passage: 'p1' }, { ...msq, id: 'q2', passage: 'train' }), passages },
    inPaper('/questions/1/passage', '44:18-44:25', 'This file has no passage "train". Its passages are p1.'),
  ),
  valid('unused-passage', 'accepts passages that questions name', {
    ...paperOf({ ...mcq, passage: 'p1' }),
    passages,
  }),
  invalid(
    'unused-passage',
    'reports a passage that no question names',
    { ...paperOf(mcq), passages },
    inPaper(
      '/passages/0',
      '24:5-27:6',
      'No question of this file uses this passage. Add it to a question, or remove it.',
    ),
  ),
  valid(
    'printed-number',
    'accepts the same number in two sections',
    paperOf({ ...mcq, number: '1', section: 'A' }, { ...msq, id: 'q2', number: '1', section: 'B' }),
  ),
  invalid(
    'printed-number',
    'reports a number that two questions have',
    paperOf({ ...mcq, number: '1' }, { ...msq, id: 'q2', number: '1' }),
    inPaper(
      '/questions/1/number',
      '44:17-44:20',
      'Two questions of this paper have the number 1. Correct one of them.',
      ['First occurrence.', '21:17-21:20'],
    ),
  ),
  valid('option-labels', 'accepts labels of all options', paperOf(labelled('(1)', '(2)'))),
  invalid(
    'option-labels',
    'reports the same label twice',
    paperOf(labelled('(1)', '(1)')),
    inPaper(
      '/questions/0/options/1/label',
      '17:20-17:25',
      'Options A and B have the same label. Correct one of them.',
      ['First occurrence.', '12:20-12:25'],
    ),
  ),
  invalid(
    'option-labels',
    'reports an option without a label among others',
    paperOf(labelled('(1)', undefined)),
    inPaper(
      '/questions/0/options/1',
      '14:9-17:10',
      'Option B has no label, but other options have one. Label all options, or none.',
      ['This option has a label.', '12:20-12:25'],
    ),
  ),
  valid(
    'answer-range',
    'accepts an answer at the end of its range',
    paperOf({
      ...numerical,
      answerRange: { min: '2.2', max: '2.250' },
    }),
  ),
  invalid(
    'answer-range',
    'rejects an answer outside its range',
    paperOf({ ...numerical, answerRange: { min: '2.3', max: '2.4' } }),
    inPaper('/questions/0/answer', '9:17-9:23', 'The answer 2.25 is outside its range, 2.3 to 2.4.', [
      'The range is here.',
      '12:22-15:8',
    ]),
  ),
  invalid(
    'answer-range',
    'rejects a range that ends before it begins',
    paperOf({ ...numerical, answerRange: { min: '2.4', max: '2.2' } }),
    inPaper(
      '/questions/0/answerRange',
      '12:22-15:8',
      'The maximum of the range (2.2) is less than its minimum (2.4).',
    ),
  ),
  invalid(
    'answer-range',
    'rejects a range of a question with options',
    paperOf({ ...mcq, answerRange: { min: '1', max: '2' } }),
    inPaper(
      '/questions/0/answerRange',
      '21:22-24:8',
      'Only numerical questions can have an answer range. Remove it.',
    ),
  ),
  valid('marking', 'accepts the marks of JEE Advanced', {
    ...paperOf(mcq, { ...msq, id: 'q2', marking: { correct: 4, incorrect: -2, partial: 1 } }),
    marking: { correct: 3, incorrect: -1, unanswered: 0 },
  }),
  invalid(
    'marking',
    'rejects marks for a wrong response without a minus sign, with a suggestion',
    { ...paperOf(mcq), marking: { correct: 4, incorrect: 1 } },
    {
      ...inPaper(
        '/marking/incorrect',
        '25:18-25:19',
        'A wrong response must score 0 or less. Write the minus sign.',
      ),
      suggestion: '-1',
    },
  ),
  invalid(
    'marking',
    'rejects partial marks without a question of type msq',
    { ...paperOf(mcq), marking: { correct: 4, partial: 1 } },
    inPaper('/marking/partial', '25:16-25:17', 'This paper has no msq questions. Remove "partial".'),
  ),
  invalid(
    'marking',
    'rejects partial marks that exceed those for all right options',
    { ...paperOf({ ...msq, answer: 'A,B,C' }), marking: { correct: 4, partial: 3 } },
    inPaper(
      '/questions/0/answer',
      '22:17-22:24',
      'Choosing 2 of 3 correct options scores 6, but choosing all scores 4. Give the question its own "marking".',
    ),
  ),
  valid('translation-name', 'accepts a language with a script', paperOf(mcq), {
    [`${shiftPath}/physics.ks-Deva.json`]: translation(translated),
  }),
  {
    rule: 'translation-name',
    title: 'rejects what is no language, another spelling, and a translation without an original',
    files: bankOf(paperOf(mcq), {
      [`${shiftPath}/physics.backup.json`]: translation(translated),
      [`${shiftPath}/physics.hin.json`]: translation(translated),
      [`${shiftPath}/phisics.hi.json`]: translation(translated),
    }),
    found: [
      {
        file: `${shiftPath}/phisics.hi.json`,
        pointer: '',
        at: '1:1-19:2',
        message:
          'There is no phisics.json in the folder of this translation. Rename the file, or add the original.',
      },
      {
        file: `${shiftPath}/physics.backup.json`,
        pointer: '',
        at: '1:1-19:2',
        message: '"backup" is not a language. Name the file with a language code, such as hi for Hindi.',
      },
      {
        file: `${shiftPath}/physics.hin.json`,
        pointer: '',
        at: '1:1-19:2',
        message: 'Write the language as hi, not hin.',
      },
    ],
  },
  valid('translation-complete', 'accepts a whole translation', paperOf(mcq), {
    [hindi]: translation(translated),
  }),
  {
    rule: 'translation-complete',
    title: 'rejects missing questions, and options with other keys',
    files: bankOf(paperOf(mcq, { ...msq, id: 'q2' }, { ...numerical, id: 'q3' }), {
      [hindi]: translation({ ...translated, options: translated.options.slice(1) }),
    }),
    found: [
      {
        file: hindi,
        pointer: '/questions',
        at: '3:16-14:4',
        message: '2 questions are not translated: q2, q3.',
      },
      {
        file: hindi,
        pointer: '/questions/0/options',
        at: '7:18-12:8',
        message: 'The options of the original are A, B, in this order.',
      },
    ],
  },
  valid('translation-formulas', 'accepts the same numbers in another order', paperOf(numerical), {
    [hindi]: translation({ id: 'q1', question: '$-1.5$ का वर्ग क्या है?' }),
  }),
  {
    rule: 'translation-formulas',
    title: 'rejects another number in a formula',
    files: bankOf(paperOf(numerical), {
      [hindi]: translation({ id: 'q1', question: '$-2.5$ का वर्ग क्या है?' }),
    }),
    found: [
      {
        file: hindi,
        pointer: '/questions/0/question',
        at: '6:19-6:44',
        message: 'The numbers in the formulas differ. Original: 1.5. Translation: 2.5.',
      },
    ],
  },
];
