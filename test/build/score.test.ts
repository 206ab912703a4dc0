import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { score, scoreSection, selectQuestions } from '../../build/index.ts';

const advanced = { correct: 4, incorrect: -2, unanswered: 0, partial: 1 };
const keys = ['A', 'B', 'C', 'D'];
const someKeys = fc.subarray(keys, { minLength: 1 });
const loss = fc.integer({ min: -10, max: 0 });
const marksOf = { correct: fc.integer({ min: 1, max: 10 }), incorrect: loss, unanswered: loss };
const marks = fc.record(marksOf, { requiredKeys: ['correct'] });

describe('score', () => {
  it('takes numbers in any spelling, and those in the range', () => {
    const question = {
      type: 'numerical',
      answer: '2.5',
      marking: { correct: 4, incorrect: -1 },
    } as const;
    const ranged = { ...question, answerRange: { min: '2.4', max: '2.6' } };
    for (const response of ['2.5', '2.50', '+2.5', '02.5', ' 2.5 '])
      assert.equal(score(question, response), 4);
    for (const response of ['2.4', 'x', '2,5', '1e0']) assert.equal(score(question, response), -1);
    for (const response of ['2.4', '2.6', '2.45']) assert.equal(score(ranged, response), 4);
    assert.equal(score(ranged, '2.61'), -1);
  });

  it('takes numbers within the tolerance, whatever binary fractions do to them', () => {
    const question = { type: 'numerical', answer: '2.5', tolerance: '0.1' } as const;
    for (const response of ['2.4', '2.6', '2.55'])
      assert.equal(score(question, response), 1, response);
    for (const response of ['2.39', '2.6001']) assert.equal(score(question, response), 0, response);
  });

  it('takes the accepted forms of a text, whatever their case and spaces', () => {
    const question = {
      type: 'text',
      answer: '3/4',
      accepted: ['3/4', '0.75', 'New Delhi; 2'],
    } as const;
    for (const response of ['3 / 4', '0.75', 'new  delhi;2'])
      assert.equal(score(question, response), 1, response);
    assert.equal(score(question, '4/3'), 0);
  });

  it('gives 0 for a dropped question and for an unknown type, and 1 or 0 without a marking', () => {
    assert.equal(score({ type: 'essay' as 'text', answer: 'A', marking: advanced }, 'B'), 0);
    assert.equal(score({ type: 'mcq', answer: '', dropped: true, marking: advanced }, 'A'), 0);
    assert.equal(score({ type: 'mcq', answer: 'B' }, 'B'), 1);
    assert.equal(score({ type: 'mcq', answer: 'B' }, 'A'), 0);
    assert.equal(score({ type: 'mcq', answer: 'B' }, undefined), 0);
  });

  it('gives every accepted answer full marks, and no response more', () => {
    fc.assert(
      fc.property(
        fc.array(someKeys, { minLength: 1, maxLength: 3 }),
        someKeys,
        marks,
        (right, chosen, marking) => {
          const accepted = right.map((one) => one.join());
          const question = { type: 'msq', answer: accepted[0] ?? '', accepted, marking } as const;
          for (const one of accepted) assert.equal(score(question, one), marking.correct);
          assert.ok(score(question, chosen.join()) <= marking.correct);
          assert.equal(score(question, ''), marking.unanswered ?? 0);
        },
      ),
    );
  });

  it('gives partial marks for each right option, and the marks of a wrong response with one wrong option, in any order', () => {
    fc.assert(
      fc.property(someKeys, fc.shuffledSubarray(keys, { minLength: 1 }), (right, chosen) => {
        const points = score(
          { type: 'msq', answer: right.join(), marking: advanced },
          chosen.join(),
        );
        if (chosen.some((key) => !right.includes(key))) assert.equal(points, -2);
        else assert.equal(points, chosen.length === right.length ? 4 : chosen.length);
      }),
    );
  });
});

it('scoreSection counts the first answered questions of a section, in the order of the paper', () => {
  const section = {
    name: 'B',
    attempt: 2,
    marking: { correct: 4, incorrect: -1, unanswered: -0.5 },
  };
  const question = { type: 'mcq', answer: 'A', section: 'B' } as const;
  const questions = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, ...question }));
  const scoreOf = (responses: object, changed = {}) =>
    scoreSection({ ...section, ...changed }, questions, responses as Record<string, string>);
  assert.equal(scoreOf({ b: 'A', c: 'B', e: 'A' }), 3);
  assert.equal(scoreOf({ e: 'A', b: ' ' }), 3.5);
  assert.equal(scoreOf({}), -1);
  assert.equal(scoreOf({ b: 'A', c: 'B', e: 'A' }, { attempt: 5 }), 6);
  assert.equal(scoreOf({ b: 'A' }, { marking: undefined }), 1);
  assert.equal(scoreOf({ b: 'A' }, { name: 'A' }), 0);
  const own = { ...question, id: 'own', marking: { correct: 2 } };
  const dropped = { ...question, id: 'dropped', dropped: true } as const;
  const unprinted = { ...question, id: 'unprinted', section: undefined };
  const responses = { own: 'A', dropped: 'A', unprinted: 'A', a: 'A' };
  assert.equal(scoreSection(section, [dropped, own, unprinted, ...questions], responses), 6);
});

it('selectQuestions selects by topic, difficulty and type without dropped questions, and draws by a seed', () => {
  const questions = Array.from({ length: 10 }, (_, id) => {
    return {
      id: String(id),
      type: id === 9 ? 'numerical' : 'mcq',
      topic: id < 6 ? 'Optics' : 'Waves',
      difficulty: id % 2 ? 'easy' : 'hard',
    };
  });
  const pick = (selection: Parameters<typeof selectQuestions>[1]) =>
    selectQuestions(questions, selection)
      .map(({ id }) => id)
      .join('');
  assert.equal(pick({ topic: 'Optics', difficulty: ['easy'] }), '135');
  assert.equal(pick({ topic: ['Waves', 'Heat'], type: 'mcq', except: ['7'] }), '68');
  assert.deepEqual(
    selectQuestions([{ id: 'a', topic: 'Optics', difficulty: 'easy', dropped: true }], {}),
    [],
  );
  // The same in every language, for ever.
  assert.equal(pick({ seed: 7 }), selectedBySeed7);
  assert.equal(pick({ seed: '7', count: 3 }), selectedBySeed7.slice(0, 3));
});

/** The ids 0 to 9 in the order of the hex SHA-256 of `7:ID`. */
const selectedBySeed7 = '4738291560';
