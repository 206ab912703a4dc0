/** Whoever knows only the form of the options of a complete sample paper does no better than chance. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Question } from '../../build/content/written.ts';
import { quantity } from './answers/solution.ts';
import { sampleQuestions } from './sample-bank.ts';

/** A guesser chooses the options with the greatest score. It leaves questions out that have an option without one (NaN). */
type Score = (text: string, texts: readonly string[], question: Question) => number;

/** The length as printed, about. */
const length: Score = (text) => text.replace(/\\[a-z]+|[\\${}\s]/gi, '').length;

/** The number of options with a smaller value. */
const rank = (text: string, texts: readonly string[]): number => {
  const number = /^\$?[-+−]?(\\[dt]?frac\{(?!.*\}\{[A-Za-z]))?(\d|\\sqrt\{\d|\\pi)[^;(]*$/;
  return texts.every((one) => number.test(one))
    ? texts.filter((one) => quantity(one) < quantity(text)).length
    : Number.NaN;
};

/** How often the options have the parts of this one, such as "A-II" or "(P) → (3)", or what lists have between commas. */
const shared: Score = (text, texts) => {
  const [own = [], ...others] = [text, ...texts].map((one) => one.split(/[,;]\s*|\s+and\s+/));
  return own.length < 2 ? Number.NaN : others.flat().filter((part) => own.includes(part)).length;
};

/** How many of the statements A, B, ... an option such as "B and D only" lists. */
const listed = (text: string): number =>
  /^\(?[A-F]\)?(,| and| only)/i.test(text) ? text.split(/\b[A-F]\b/i).length - 1 : Number.NaN;

const isMatch = (text: string) => /^\(?[A-Z]\)?[-–→ ]+\(?[IVX\d]+\)?,/i.test(text);
const isAll = (text: string) =>
  /^(all|both)\b/i.test(text) && !/incorrect|false|\bnot\b/.test(text);

const guessers: Record<string, Score> = {
  longest: length,
  shortest: (...given) => -length(...given),
  largest: rank,
  smallest: (text, texts) => -rank(text, texts),
  'middle values': (text, texts) => -Math.abs(rank(text, texts) - 1.5),
  'most frequent pairs': (...given) => (isMatch(given[0]) ? shared(...given) : Number.NaN),
  'most parts of the others': shared,
  'all or both': (text, texts) => (texts.some(isAll) ? Number(isAll(text)) : Number.NaN),
};
for (const place of [0, 1, 2, 3]) {
  guessers[`option ${place + 1} on two statements`] = (text, texts, { question }) =>
    /Statement I\b|Assertion/.test(question) ? Number(texts[place] === text) : Number.NaN;
}
const textsOf = ({ options }: Question) => options.map(({ value = '' }) => value);

/**
 * The guessers that do better than chance. Of several options with the greatest score one is taken at random, so the
 * number of hits has a known distribution. The level of 1 % is divided by the number of guessers: of many guessers one
 * always has luck, and a paper whose form tells nothing has to pass.
 */
function betterThanChance(questions: readonly Question[]): string[] {
  return Object.entries(guessers).flatMap(([name, score]) => {
    let expected = [1];
    let hits = 0;
    for (const question of questions) {
      const texts = textsOf(question);
      const scores = texts.map((text) => score(text, texts, question));
      const best = question.options
        .filter((_, i) => scores[i] === Math.max(...scores))
        .map(({ key }) => key);
      const chance = best.length / texts.length;
      if (best.length === 0) continue;
      hits += Number(best.includes(question.answer ?? ''));
      expected = [...expected, 0].map((p, i) => p * (1 - chance) + (expected[i - 1] ?? 0) * chance);
    }
    const luck = expected.slice(hits).reduce((sum, p) => sum + p, 0);
    return luck < 0.01 / Object.keys(guessers).length
      ? [`${name}: ${hits} of ${expected.length - 1}`]
      : [];
  });
}

/** What the letters, the order of numbers and the numbers of true statements tell. */
function habits(questions: readonly Question[]): string[] {
  const letters = ['A', 'B', 'C', 'D'].map(
    (key) => questions.filter(({ answer }) => answer === key).length,
  );
  const square = letters.reduce(
    (sum, count) => sum + (4 * count ** 2) / questions.length,
    -questions.length,
  );
  const isEven = questions.length >= 60 && Math.max(...letters) - Math.min(...letters) < 2;
  const numeric = questions
    .map(textsOf)
    .filter((texts) => texts.every((text) => rank(text, texts) >= 0));
  const ascending = numeric.filter((texts) =>
    texts.every((text, i) => rank(text, texts) === i),
  ).length;
  const right = questions.flatMap(({ options, answer }) =>
    options.filter(({ key }) => key === answer),
  );
  const counts = right.map(({ value = '' }) => listed(value)).filter((count) => count > 0);
  return [
    isEven || square > 11.34 ? `letters: ${letters}` : [], // Chi-square, 3 degrees of freedom: 1 % of papers have more.
    ascending > Math.max(2, numeric.length / 2)
      ? `ascending values: ${ascending} of ${numeric.length}`
      : [],
    counts.length > 3 && new Set(counts).size === 1 ? `always ${counts[0]} true statements` : [],
  ].flat();
}

const papers = new Map<string, Question[]>();
for (const { exam, shift, subject, question } of await sampleQuestions()) {
  for (const name of [`${exam} ${shift}`, `${exam} ${shift} ${subject}`]) {
    papers.set(name, [...(papers.get(name) ?? []), question]);
  }
}
for (const [name, questions] of papers) {
  if (questions.length < 25) continue; // Extracts of papers have fewer questions.
  it(`${name} tells nothing to a guesser`, () => {
    const choices = questions.filter(({ type }) => type === 'mcq');
    assert.deepEqual([...betterThanChance(choices), ...habits(choices)], []);
  });
}

it('A guesser is found out', () => {
  const paper = [...'ABCDABCDABCD'].map((answer) => {
    const options = [...'ABCD'].map((key) => ({
      key,
      value: key === answer ? 'a long text' : `text ${key}`,
    }));
    return { id: answer, type: 'mcq' as const, question: '', options, answer };
  });
  assert.deepEqual(betterThanChance(paper), ['longest: 12 of 12']);
});
