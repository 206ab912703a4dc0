import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { calculations } from './numerical-answers.ts';
import { quantity } from './quantity.ts';
import { sampleQuestions } from './sample-bank.ts';

const questions = (await sampleQuestions()).map(({ question }) => question);

describe('The answer of a numerical sample question is that of a calculation', () => {
  for (const question of questions.filter(({ type }) => type === 'numerical')) {
    const [, paper = '', number = ''] = /^(.+)-(\d+)$/.exec(question.id) ?? [];
    it(question.id, () => {
      const calculate = calculations[paper]?.[number] ?? assert.fail('Add a calculation.');
      const { answer = '', ...given } = question;
      const digits = answer.split('.')[1]?.length ?? 0;
      assert.equal(calculate(given).toFixed(digits), answer);
    });
  }
});

it('The only dropped sample question contradicts itself', () => {
  const [dropped, ...others] = questions.filter((question) => question.dropped);
  assert.deepEqual([dropped?.id, others], ['jeemain-2024-01-01-s1-mathematics-04', []]);
  // The circle touches the y-axis, so its centre is (r, k), and both points ask for k² = r² - (x - r)².
  const text = dropped?.question ?? '';
  const radius = Number(/radius \$(\d+)\$/.exec(text)?.[1]);
  const squares = Array.from(
    text.matchAll(/\$\((\d+),0\)\$/g),
    ([, x]) => radius ** 2 - (Number(x) - radius) ** 2,
  );
  assert.equal(new Set(squares).size, 2);
});

it('A quantity in the text of an option is read as a number', () => {
  const readings = {
    '$2.5\\times10^{-3}\\,\\mathrm{m}$': 0.0025,
    '$-\\frac{3\\sqrt{3}}{2}$': -2.598076211353316,
    '$2\\pi$ seconds': 6.283185307179586,
    '40%': 40,
    '$1{,}000$': 1000,
  };
  for (const [text, value] of Object.entries(readings)) assert.equal(quantity(text), value);
  assert.throws(() => quantity('none of these'), /no quantity/);
});
