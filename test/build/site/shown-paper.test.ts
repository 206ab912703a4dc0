import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { shownPaper } from '../../../build/site/paper/shown-paper.ts';
import { paperOf, sampleQuestions } from '../bank-folder.ts';

const { mcq, msq, numerical } = sampleQuestions;

/** The marks of a question's options, in their order. */
function marks(question: object) {
  return shownPaper({ questions: [question] }).questions[0]?.options.map(({ mark }) => mark);
}

describe('A paper is parsed for the preview', () => {
  it('with every field of its questions', () => {
    const diagrams = [{ file: 'q1.svg', alt: 'A line.' }];
    const [question] = shownPaper(
      paperOf({ ...mcq, diagrams, dropped: true, accepted: ['A', 'B'] }),
    ).questions;
    assert.deepEqual(question, {
      id: 'q1',
      number: '',
      section: '',
      passage: '',
      type: 'mcq',
      question: mcq.question,
      topic: 'Units',
      difficulty: 'easy',
      options: [
        { key: 'A', label: '', value: 'metre', diagram: undefined, mark: 'right' },
        { key: 'B', label: '', value: 'second', diagram: undefined, mark: 'accepted' },
      ],
      answer: 'A',
      answerRange: undefined,
      solution: '',
      marking: undefined,
      accepted: ['A', 'B'],
      dropped: true,
      diagrams,
    });
  });

  it('with every right option marked', () => {
    assert.deepEqual(marks(mcq), ['right', undefined]);
    assert.deepEqual(marks(msq), ['right', undefined, 'right']);
    assert.deepEqual(marks(numerical), []);
  });

  it('without a mark for a key that is accepted only with others', () =>
    assert.deepEqual(marks({ ...msq, answer: 'A', accepted: ['A', 'A,B'] }), [
      'right',
      undefined,
      undefined,
    ]));

  it('without a mark for an answer that is not an option', () =>
    assert.deepEqual(marks({ ...mcq, answer: 'E' }), [undefined, undefined]));

  it('with a number in place of a text as text', () =>
    assert.equal(shownPaper({ questions: [{ answer: 2.5 }] }).questions[0]?.answer, '2.5'));

  it('as far as possible, whatever its file contains', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        for (const file of [value, { questions: value }, { questions: [value] }]) {
          for (const question of shownPaper(file).questions) assert.equal(typeof question.dropped, 'boolean');
        }
      }),
    );
    assert.equal(shownPaper({ questions: [null, { options: 1, diagrams: [null] }] }).questions.length, 2);
  });
});
