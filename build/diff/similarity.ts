import type { ComparedQuestion } from './paper.ts';

/** Of a text, so many UTF-16 units are looked at. */
const longestText = 10_000;

/** The pairs of neighbouring words and signs in a question's text and in its options' texts. */
export function wordPairs({ question, options }: ComparedQuestion): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (const text of [question, ...options.map(({ value }) => value)]) {
    const words = text.slice(0, longestText).match(/[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]/gu) ?? [];
    // The beginning counts as a word, so that a text of one word has a pair too.
    for (const [index, word] of words.entries()) pairs.add(`${words[index - 1] ?? ''} ${word}`);
  }
  return pairs;
}

/** How much two sets have in common, by Dice's coefficient: from 0, nothing, to 1, all. */
export function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  let common = 0;
  for (const item of small) if (large.has(item)) common += 1;
  return small.size === 0 ? 0 : (2 * common) / (small.size + large.size);
}
