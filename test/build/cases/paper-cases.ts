import { paperOf, sampleQuestions, shiftPath } from '../bank-folder.ts';
import { accepts, bankOf, type Cases, rejects } from './rule-case.ts';

const { mcq, msq } = sampleQuestions;
const passages = [{ id: 'p1', text: 'A train leaves at noon.' }];
const chemistryPath = `${shiftPath}/chemistry.json`;
const second = { ...msq, id: 'q2' };
const updatedAt = (lastUpdated: string) => bankOf({ ...paperOf(mcq), lastUpdated });
const reversed = mcq.options.map(({ key }, index) => ({ ...mcq.options.at(-1 - index), key }));
const template = {
  ...{ ...mcq, question: 'Write the first question of neet 2024-05-05-s1 physics here.' },
  options: ['A', 'B', 'C', 'D'].map((key) => ({ key, value: `Option ${key}` })),
};
const first = (pointer: string) => [{ message: 'First occurrence.', pointer }];

/** Rules on a paper as a whole. */
export const paperCases: Cases = {
  updated: [
    accepts('a time five minutes in the future', updatedAt('2026-02-01T00:05:00Z')),
    rejects('a time more than five minutes in the future', updatedAt('2026-02-01T00:05:01Z'), {
      message: 'This time is in the future. It is now 2026-02-01T00:00Z.',
      pointer: '/lastUpdated',
    }),
  ],
  passage: [
    accepts('a question of a passage', bankOf({ ...paperOf({ ...mcq, passage: 'p1' }), passages })),
    rejects(
      'a passage that the file does not have',
      bankOf({ ...paperOf({ ...mcq, passage: 'p1' }, { ...second, passage: 'train' }), passages }),
      {
        message: 'This file has no passage "train". Its passages are p1.',
        pointer: '/questions/1/passage',
      },
    ),
    rejects(
      'a misspelt passage, which is not reported as unused',
      bankOf({ ...paperOf({ ...mcq, passage: 'P1' }), passages }),
      {
        message: 'This file has no passage "P1". Its passages are p1.',
        ...{ pointer: '/questions/0/passage', suggestion: 'p1' },
      },
    ),
    accepts(
      'a passage of another paper of the shift, which no question there uses',
      bankOf(paperOf({ ...mcq, passage: 'chemistry/p1' }), {
        [chemistryPath]: { ...paperOf(second), passages },
      }),
    ),
    rejects(
      'a passage that no other paper of the shift has',
      bankOf(
        { ...paperOf({ ...mcq, passage: 'physics/p1' }), passages },
        { [chemistryPath]: paperOf(second) },
      ),
      {
        message:
          'No other paper of this shift has the passage "physics/p1", which names a subject and an id.',
        pointer: '/questions/0/passage',
      },
    ),
    rejects(
      'two passages with one id',
      bankOf({
        ...paperOf({ ...mcq, passage: 'p1' }),
        passages: [...passages, { id: 'p1', text: 'It is late.' }],
      }),
      {
        message: 'Two passages have the id "p1". Give every passage its own id.',
        ...{ pointer: '/passages/1/id', related: first('/passages/0/id') },
      },
    ),
  ],
  'unused-passage': [
    accepts(
      'passages that questions name',
      bankOf({ ...paperOf({ ...mcq, passage: 'p1' }), passages }),
    ),
    rejects('a passage that no question names', bankOf({ ...paperOf(mcq), passages }), {
      message: 'No question uses this passage. Add it to a question, or remove it.',
      pointer: '/passages/0',
    }),
  ],
  'printed-number': [
    accepts(
      'the same number in two sections',
      bankOf(
        paperOf({ ...mcq, number: '1', section: 'A' }, { ...second, number: '1', section: 'B' }),
      ),
    ),
    ...[undefined, 'A'].map((name) => {
      const section = name && { section: name };
      return rejects(
        `a number that two questions of ${name ? 'a section' : 'a paper'} have`,
        bankOf(
          paperOf({ ...mcq, number: '1', ...section }, { ...second, number: '1', ...section }),
        ),
        {
          message: `Two questions of ${name ? 'the section "A"' : 'this paper'} have the number 1. Correct one of them.`,
          ...{ pointer: '/questions/1/number', related: first('/questions/0/number') },
        },
      );
    }),
  ],
  'repeated-question': [
    accepts(
      'questions that differ in an option, a diagram or a passage',
      bankOf({
        ...paperOf(
          ...[
            mcq,
            { ...mcq, options: [...mcq.options, { key: 'C', value: 'mole' }] },
            { ...mcq, passage: 'p1' },
          ].map((question, index) => ({ ...question, id: `q${index}` })),
        ),
        passages,
      }),
    ),
    rejects(
      'a question twice, also with its options in another order',
      bankOf(paperOf(mcq, { ...mcq, id: 'q2', answer: 'B', options: reversed })),
      {
        message: 'This question is already in this paper, with the id "q1". Remove one of them.',
        ...{ pointer: '/questions/1/question', related: first('/questions/0/question') },
      },
    ),
  ],
  placeholder: [
    accepts('options with other words', {
      ...mcq,
      options: mcq.options.map((option) => ({ ...option, value: `Option ${option.key}.` })),
    }),
    rejects(
      'a paper from the template, and one with only a new question',
      bankOf(paperOf(template, { ...template, id: 'q2', question: 'Which is it?' })),
      {
        message: 'Write the question: this is the text of a new paper.',
        pointer: '/questions/0/question',
      },
      {
        message: 'Write the options: these are the texts of a new paper.',
        pointer: '/questions/1/options',
      },
    ),
  ],
};
