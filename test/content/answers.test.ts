import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { completeBiology } from './answers/complete-biology.ts';
import { completeChemistry } from './answers/complete-chemistry.ts';
import { completeMathematics } from './answers/complete-mathematics.ts';
import { completePhysics } from './answers/complete-physics.ts';
import { jeeAdvancedChemistry } from './answers/jeeadvanced-chemistry.ts';
import { jeeAdvancedMathematics } from './answers/jeeadvanced-mathematics.ts';
import { jeeAdvancedPhysics } from './answers/jeeadvanced-physics.ts';
import { jeemainChemistry } from './answers/jeemain-chemistry.ts';
import { jeemainMathematics, jeemainMathematicsDropped } from './answers/jeemain-mathematics.ts';
import { jeemainPhysics } from './answers/jeemain-physics.ts';
import { neetBiology } from './answers/neet-biology.ts';
import { neetChemistry } from './answers/neet-chemistry.ts';
import { neetPhysics } from './answers/neet-physics.ts';
import {
  answerOf,
  decimal,
  onlyOption,
  optionStating,
  quantity,
  type Solutions,
} from './answers/solution.ts';
import { sampleQuestions } from './sample-bank.ts';

const solutions: Solutions = {
  ...neetPhysics,
  ...neetChemistry,
  ...neetBiology,
  ...jeemainPhysics,
  ...jeemainChemistry,
  ...jeemainMathematics,
  ...completeMathematics,
  ...jeeAdvancedChemistry,
  ...jeeAdvancedMathematics,
  ...jeeAdvancedPhysics,
  ...completePhysics,
  ...completeChemistry,
  ...completeBiology,
};

const questions = new Map((await sampleQuestions()).map(({ question }) => [question.id, question]));

describe('The answer of a sample question is computed from its text', () => {
  for (const [id, solve] of Object.entries(solutions)) {
    it(id, () => {
      const question = questions.get(id);
      assert.ok(question, `the bank has no question ${id}`);
      const { answer: _answer, accepted: _accepted, ...given } = question;
      const unanswered = { ...given, answer: '' };
      assert.equal(answerOf(unanswered, solve(unanswered)), question.answer);
    });
  }
});

describe('A dropped sample question contradicts itself', () => {
  for (const [id, showContradiction] of Object.entries(jeemainMathematicsDropped)) {
    it(id, () => {
      const question = questions.get(id);
      assert.ok(question, `the bank has no question ${id}`);
      assert.equal(question.dropped, true);
      showContradiction(question);
    });
  }

  it('and no other question is dropped', () => {
    const dropped = [...questions.values()]
      .filter((question) => question.dropped)
      .map(({ id }) => id);
    assert.deepEqual(dropped, Object.keys(jeemainMathematicsDropped));
  });
});

it('has a solution for every numerical sample question', () => {
  const unsolved = [...questions.values()].filter(
    ({ id, type }) =>
      type === 'numerical' && !(id in solutions) && !(id in jeemainMathematicsDropped),
  );
  assert.deepEqual(
    unsolved.map(({ id }) => id),
    [],
  );
});

describe('The helpers of the solutions', () => {
  const readings: readonly [string, number][] = [
    ['$2.5\\times10^{-3}\\,\\mathrm{m}$', 0.0025],
    ['$-\\frac{3\\sqrt{3}}{2}$', -2.598076211353316],
    ['$2\\pi$ seconds', 6.283185307179586],
    ['40%', 40],
    ['$1{,}000$', 1000],
  ];
  for (const [text, value] of readings) {
    it(`read ${text} as ${value}`, () => assert.equal(quantity(text), value));
  }

  it('reject a text without a quantity', () => {
    assert.throws(() => quantity('none of these'), /no quantity/);
  });

  it('choose an option only if no other is right', () => {
    const [question] = questions.values();
    assert.ok(question);
    const options = ['1', '2', '2.001', '4'].map((value, index) => ({
      key: 'ABCD'.charAt(index),
      value,
    }));
    assert.equal(optionStating({ ...question, options }, 4), 'D');
    assert.throws(() => optionStating({ ...question, options }, 2), /B, C are right/);
    assert.throws(() => onlyOption({ ...question, options }, () => false), /\(none\)/);
  });

  it('print zero without a sign', () => {
    assert.equal(decimal(-0.001, 1), '0.0');
    assert.equal(decimal(-0.25, 2), '-0.25');
  });
});
