import { paperOf, sampleQuestions } from '../bank-folder.ts';
import { accepts, bankOf, type Cases, rejects } from './rule-case.ts';

const { mcq, msq } = sampleQuestions;
const passages = [{ id: 'p1', text: 'A train leaves at noon.' }];
const second = { ...msq, id: 'q2' };
const updatedAt = (lastUpdated: string) => bankOf({ ...paperOf(mcq), lastUpdated });
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
      { message: 'This file has no passage "train". Its passages are p1.', pointer: '/questions/1/passage' },
    ),
    rejects(
      'a misspelt passage, which is not reported as unused',
      bankOf({ ...paperOf({ ...mcq, passage: 'P1' }), passages }),
      {
        message: 'This file has no passage "P1". Its passages are p1.',
        ...{ pointer: '/questions/0/passage', suggestion: 'p1' },
      },
    ),
    rejects(
      'two passages with one id',
      bankOf({ ...paperOf({ ...mcq, passage: 'p1' }), passages: [...passages, { id: 'p1', text: 'It is late.' }] }),
      {
        message: 'Two passages have the id "p1". Give every passage its own id.',
        ...{ pointer: '/passages/1/id', related: first('/passages/0/id') },
      },
    ),
  ],
  'unused-passage': [
    accepts('passages that questions name', bankOf({ ...paperOf({ ...mcq, passage: 'p1' }), passages })),
    rejects('a passage that no question names', bankOf({ ...paperOf(mcq), passages }), {
      message: 'No question of this file uses this passage. Add it to a question, or remove it.',
      pointer: '/passages/0',
    }),
  ],
  'printed-number': [
    accepts(
      'the same number in two sections',
      bankOf(paperOf({ ...mcq, number: '1', section: 'A' }, { ...second, number: '1', section: 'B' })),
    ),
    ...[undefined, 'A'].map((name) => {
      const section = name && { section: name };
      return rejects(
        `a number that two questions of ${name ? 'a section' : 'a paper'} have`,
        bankOf(paperOf({ ...mcq, number: '1', ...section }, { ...second, number: '1', ...section })),
        {
          message: `Two questions of ${name ? 'the section "A"' : 'this paper'} have the number 1. Correct one of them.`,
          ...{ pointer: '/questions/1/number', related: first('/questions/0/number') },
        },
      );
    }),
  ],
};
