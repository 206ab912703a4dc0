import { groupBy } from '../content/groups.ts';
import type { PlacedQuestion } from './sides.ts';

/** The same question before and after a change. */
export interface QuestionPair {
  readonly before: PlacedQuestion;
  readonly after: PlacedQuestion;
}

/** Least similarity to match a question under the same id before others are tried. */
const sameIdSimilarity = 0.5;
/** Least similarity to match a question under another id. */
const otherIdSimilarity = 0.8;
/** Above this number of unmatched questions, similar texts are searched in the same paper only: more take too long. */
const mostAcrossPapers = 5000;

/** Word pairs in more questions than this distinguish nothing, and cost time. */
const commonPair = 100;
/** Number of questions with the most shared word pairs that are compared in full. */
const candidates = 5;

/**
 * Matches the questions before with those after. The text decides before the id does, so that two questions that
 * swapped ids do not count as rewritten. The order is: unchanged under its id, unchanged under another id, changed under
 * its id, nearly unchanged under another id, rewritten.
 */
export function matchQuestions(
  before: readonly PlacedQuestion[],
  after: readonly PlacedQuestion[],
) {
  const removed = new Set(before);
  const added = new Set(after);
  const pairs: QuestionPair[] = [];
  const take = (found: readonly QuestionPair[]) => {
    for (const pair of found) {
      removed.delete(pair.before);
      added.delete(pair.after);
      pairs.push(pair);
    }
  };
  const unchanged = [
    [path, id, stem],
    [id, stem],
    [path, stem, rest],
    [path, stem],
    [stem, rest],
    [stem],
  ];
  for (const keys of unchanged) take(agreeing(removed, added, keys));
  for (const keys of [[path, id], [id]]) take(agreeing(removed, added, keys).filter(isSimilar));
  const papers = groupBy(added, path);
  for (const [paper, questions] of groupBy(removed, path))
    take(nearestPairs(questions, papers.get(paper) ?? []));
  if (Math.max(removed.size, added.size) <= mostAcrossPapers)
    take(nearestPairs([...removed], [...added]));
  for (const keys of [[path, id], [id]]) take(agreeing(removed, added, keys));
  return { pairs, removed: [...removed], added: [...added] };
}

type Key = (placed: PlacedQuestion) => string;

const id: Key = ({ question }) => question.id;
const path: Key = (placed) => placed.path;

/** The text of a question and its options in any order. */
function stem({ question: { question, options } }: PlacedQuestion): string {
  return JSON.stringify([question, ...options.map(({ value }) => value).sort()]);
}

function rest({ question }: PlacedQuestion): string {
  return JSON.stringify(withoutId(question));
}

/** A question without its id, which the names of its diagrams contain: a new id changes nothing else. */
export function withoutId<Question extends { readonly id: string }>({
  id,
  ...question
}: Question): Omit<Question, 'id'> {
  return JSON.parse(JSON.stringify(question), (name, value) =>
    name === 'file' ? String(value).replace(id, () => '') : value,
  );
}

/** Pairs the questions that agree in all keys. */
function agreeing(
  before: Iterable<PlacedQuestion>,
  after: Iterable<PlacedQuestion>,
  keys: readonly Key[],
): QuestionPair[] {
  const joined = (question: PlacedQuestion) => JSON.stringify(keys.map((key) => key(question)));
  const waiting = groupBy(before, joined);
  for (const same of waiting.values()) same.reverse();
  return [...groupBy(after, joined)].flatMap(([key, same]) =>
    same.flatMap((question) => {
      const found = waiting.get(key)?.pop();
      return found ? [{ before: found, after: question }] : [];
    }),
  );
}

/** Pairs each question with the most similar one, if any. */
function nearestPairs(
  before: readonly PlacedQuestion[],
  after: readonly PlacedQuestion[],
): QuestionPair[] {
  if (before.length === 0 || after.length === 0) return [];
  const wordsBefore = new Map(before.map((question) => [question, wordPairs(question)]));
  // An index by word pairs, so that not every question is compared with every other.
  const held = [...wordsBefore].flatMap(([question, words]) =>
    Array.from(words, (pair) => ({ pair, question })),
  );
  const holders = groupBy(held, ({ pair }) => pair);
  const found = after.flatMap((question) => {
    const words = wordPairs(question);
    return sharing(words, holders).map((candidate) => ({
      before: candidate,
      after: question,
      likeness: similarity(words, wordsBefore.get(candidate) ?? new Set()),
    }));
  });
  const taken = new Set<PlacedQuestion>();
  // The sort is stable: of equal pairs, the first in paper order wins.
  return found
    .filter(({ likeness }) => likeness >= otherIdSimilarity)
    .sort((a, b) => b.likeness - a.likeness)
    .filter((pair) => {
      if (taken.has(pair.before) || taken.has(pair.after)) return false;
      taken.add(pair.before).add(pair.after);
      return true;
    });
}

/** The questions that share the most word pairs. @param holders the questions that have each word pair */
function sharing(
  words: ReadonlySet<string>,
  holders: ReadonlyMap<string, readonly { readonly question: PlacedQuestion }[]>,
): PlacedQuestion[] {
  const shared = new Map<PlacedQuestion, number>();
  for (const pair of words) {
    const held = holders.get(pair) ?? [];
    if (held.length > commonPair) continue;
    for (const { question } of held) shared.set(question, (shared.get(question) ?? 0) + 1);
  }
  return [...shared]
    .sort(([, a], [, b]) => b - a)
    .slice(0, candidates)
    .map(([question]) => question);
}

function isSimilar({ before, after }: QuestionPair): boolean {
  return similarity(wordPairs(before), wordPairs(after)) >= sameIdSimilarity;
}

/** UTF-16 units of a text that are compared. */
const longestText = 10_000;

/** Returns the pairs of neighbouring words and signs in the texts of a question and its options. */
function wordPairs({ question: { question, options } }: PlacedQuestion): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (const text of [question, ...options.map(({ value }) => value)]) {
    const words =
      text.slice(0, longestText).match(/[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]/gu) ?? [];
    // The start counts as a word, so that a text of one word has a pair too.
    for (const [index, word] of words.entries()) pairs.add(`${words[index - 1] ?? ''} ${word}`);
  }
  return pairs;
}

/** Dice's coefficient of two sets: from 0, nothing in common, to 1. */
function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  let common = 0;
  for (const item of small) if (large.has(item)) common += 1;
  return small.size === 0 ? 0 : (2 * common) / (small.size + large.size);
}
