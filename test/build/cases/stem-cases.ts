import {
  examPath,
  type Files,
  paperOf,
  paperPath,
  sampleExam,
  sampleQuestions,
  shiftPath,
} from '../bank-folder.ts';
import type { RuleCase } from './rule-case.ts';

const { mcq } = sampleQuestions;
const biology = `${shiftPath}/biology.json`;
const chemistry = `${shiftPath}/chemistry.json`;
const here = { at: '7:19-7:56' };
const again = { message: 'This question is also in another paper.', pointer: '/questions/0/question' };

/** Papers of twelve days. */
const manyPapers = Array.from({ length: 12 }, (_, day) => `neet/2024/2024-05-${10 + day}-s1/physics.json`);

function bankOf(papers: Files): Files {
  return { [examPath]: sampleExam, ...papers };
}

/** Cases of the rule on repeated question texts. */
export const stemCases: readonly RuleCase[] = [
  {
    rule: 'repeated-stem',
    title: 'accepts the same text twice in one paper',
    files: bankOf({ [paperPath]: paperOf(mcq, { ...mcq, id: 'q2' }) }),
    found: [],
  },
  {
    rule: 'repeated-stem',
    title: 'accepts texts that differ in case',
    files: bankOf({
      [paperPath]: paperOf(mcq),
      [biology]: paperOf({ ...mcq, id: 'q2', question: mcq.question.toUpperCase() }),
    }),
    found: [],
  },
  {
    rule: 'repeated-stem',
    title: 'accepts the same text with other options',
    files: bankOf({
      [paperPath]: paperOf({ ...mcq, question: 'Which of the following is correct?' }),
      [biology]: paperOf({
        ...{ ...mcq, id: 'q2', question: 'Which of the following is correct?' },
        options: [
          { key: 'A', value: 'Cells have walls.' },
          { key: 'B', value: 'Cells have no walls.' },
        ],
      }),
    }),
    found: [],
  },
  {
    rule: 'repeated-stem',
    title: 'reports the second occurrence, with the first as related place',
    files: bankOf({ [biology]: paperOf(mcq), [paperPath]: paperOf({ ...mcq, id: 'q2' }) }),
    found: [
      {
        ...again,
        ...here,
        file: paperPath,
        related: [{ message: 'The same question is here.', file: biology, ...here }],
      },
    ],
  },
  {
    rule: 'repeated-stem',
    title: 'ignores differences in white space',
    files: bankOf({
      [biology]: paperOf(mcq),
      [paperPath]: paperOf({ ...mcq, id: 'q2', question: 'Which of these\nis  a unit of length?' }),
    }),
    found: [
      {
        ...again,
        at: '7:19-7:58',
        file: paperPath,
        related: [{ message: 'The same question is here.', file: biology, ...here }],
      },
    ],
  },
  {
    rule: 'repeated-stem',
    title: 'reports the same options in another order',
    files: bankOf({
      [biology]: paperOf(mcq),
      [paperPath]: paperOf({
        ...{ ...mcq, id: 'q2', answer: 'B' },
        options: [
          { key: 'A', value: 'second' },
          { key: 'B', value: 'metre' },
        ],
      }),
    }),
    found: [
      {
        ...again,
        ...here,
        file: paperPath,
        related: [{ message: 'The same question is here.', file: biology, ...here }],
      },
    ],
  },
  {
    rule: 'repeated-stem',
    title: 'reports a text in three papers once, with all occurrences',
    files: bankOf({
      [biology]: paperOf(mcq),
      [chemistry]: paperOf({ ...mcq, id: 'q2' }),
      [paperPath]: paperOf({ ...mcq, id: 'q3' }),
    }),
    found: [
      {
        message: 'This question is also in 2 other papers.',
        pointer: '/questions/0/question',
        ...here,
        file: chemistry,
        related: [biology, paperPath].map((file) => ({
          message: 'The same question is here.',
          file,
          ...here,
        })),
      },
    ],
  },
  {
    rule: 'repeated-stem',
    title: 'counts each paper once, and lists at most ten',
    files: bankOf(
      Object.fromEntries(
        manyPapers.map((path, index) => {
          const again = { ...mcq, id: `q${index}` };
          return [path, paperOf(again, ...(index > 9 ? [{ ...again, id: `q${index}-2` }] : []))];
        }),
      ),
    ),
    found: [
      {
        message: 'This question is also in 11 other papers.',
        pointer: '/questions/0/question',
        ...here,
        file: manyPapers[1] ?? '',
        related: [0, 2, 3, 4, 5, 6, 7, 8, 9].map((index) => ({
          message: 'The same question is here.',
          file: manyPapers[index] ?? '',
          ...here,
        })),
      },
    ],
  },
];
