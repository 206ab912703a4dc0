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
import { answerOf, type Solutions } from './answers/solution.ts';
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
