import type { ComparedQuestion } from './sides.ts';

/** The same question before and after a change. */
export interface QuestionPair {
  readonly before: ComparedQuestion;
  readonly after: ComparedQuestion;
}

export interface Matching {
  readonly pairs: readonly QuestionPair[];
  readonly removed: readonly ComparedQuestion[];
  readonly added: readonly ComparedQuestion[];
}

/** Least similarity to match a question under the same id before others are tried. */
const sameIdSimilarity = 0.5;
/** Least similarity to match a question under another id. */
const otherIdSimilarity = 0.8;
/** Above this number of unmatched questions, similar texts are searched in the same paper only: more take too long. */
const mostAcrossPapers = 5000;

/**
 * Matches the questions before with those after. The text decides before the id does, so that two questions that swapped
 * ids do not count as rewritten. The order is: unchanged under its id, unchanged under another id, changed under its id,
 * nearly unchanged under another id, rewritten.
 */
export function matchQuestions(
  before: readonly ComparedQuestion[],
  after: readonly ComparedQuestion[],
): Matching {
  const matcher = new Matcher(before, after);
  const { id, path } = keys;
  matcher.pairBy(path, id, stem);
  matcher.pairBy(id, stem);
  for (const place of [[path], []]) {
    matcher.pairBy(...place, stem, rest);
    matcher.pairBy(...place, stem);
  }
  matcher.pairSimilarBy(path, id);
  matcher.pairSimilarBy(id);
  matcher.pairNearest();
  matcher.pairBy(path, id);
  matcher.pairBy(id);
  return matcher.result();
}

type Key = (question: ComparedQuestion) => string | undefined;

const keys = {
  id: ({ id }: ComparedQuestion) => id,
  path: ({ path }: ComparedQuestion) => path,
};

/** The text of a question and its options in any order; undefined without a text. */
function stem({ question, options }: ComparedQuestion): string | undefined {
  return question === ''
    ? undefined
    : JSON.stringify([question, ...options.map(({ value }) => value).sort()]);
}

function rest(question: ComparedQuestion): string {
  const { type, answer, accepted, dropped, topic, difficulty, diagrams } = question;
  const alts = diagrams.map(({ alt }) => alt);
  return JSON.stringify([type, answer, accepted, dropped, topic, difficulty, alts]);
}

class Matcher {
  readonly #before: Set<ComparedQuestion>;
  readonly #after: Set<ComparedQuestion>;
  readonly #pairs: QuestionPair[] = [];

  constructor(before: readonly ComparedQuestion[], after: readonly ComparedQuestion[]) {
    this.#before = new Set(before);
    this.#after = new Set(after);
  }

  /** Pairs the questions that agree in all keys. */
  pairBy(...keysOf: readonly Key[]): void {
    for (const pair of this.#agreeing(keysOf)) this.#pair(pair);
  }

  /** Like `pairBy`, if the texts are similar too. */
  pairSimilarBy(...keysOf: readonly Key[]): void {
    for (const pair of this.#agreeing(keysOf)) {
      if (similarity(wordPairs(pair.before), wordPairs(pair.after)) >= sameIdSimilarity) this.#pair(pair);
    }
  }

  /** Pairs the questions with the most similar texts, first within a paper, then across papers. */
  pairNearest(): void {
    const after = byPath(this.#after);
    for (const [path, before] of byPath(this.#before)) this.#pairNearest(before, after.get(path) ?? []);
    if (Math.max(this.#before.size, this.#after.size) <= mostAcrossPapers)
      this.#pairNearest([...this.#before], [...this.#after]);
  }

  #pairNearest(before: readonly ComparedQuestion[], after: readonly ComparedQuestion[]): void {
    for (const pair of nearestPairs(before, after, otherIdSimilarity)) this.#pair(pair);
  }

  result(): Matching {
    return { pairs: this.#pairs, removed: [...this.#before], added: [...this.#after] };
  }

  #agreeing(keysOf: readonly Key[]): QuestionPair[] {
    const waiting = new Map<string, ComparedQuestion[]>();
    for (const question of this.#before) {
      const key = joined(question, keysOf);
      if (key === undefined) continue;
      const same = waiting.get(key);
      if (same) same.push(question);
      else waiting.set(key, [question]);
    }
    for (const same of waiting.values()) same.reverse();
    const pairs: QuestionPair[] = [];
    for (const after of this.#after) {
      const key = joined(after, keysOf);
      const before = key === undefined ? undefined : waiting.get(key)?.pop();
      if (before) pairs.push({ before, after });
    }
    return pairs;
  }

  #pair(pair: QuestionPair): void {
    this.#before.delete(pair.before);
    this.#after.delete(pair.after);
    this.#pairs.push(pair);
  }
}

function joined(question: ComparedQuestion, keysOf: readonly Key[]): string | undefined {
  const parts = keysOf.map((keyOf) => keyOf(question));
  return parts.includes(undefined) ? undefined : JSON.stringify(parts);
}

function byPath(questions: Iterable<ComparedQuestion>): ReadonlyMap<string, readonly ComparedQuestion[]> {
  const papers = new Map<string, ComparedQuestion[]>();
  for (const question of questions) {
    const paper = papers.get(question.path);
    if (paper) paper.push(question);
    else papers.set(question.path, [question]);
  }
  return papers;
}

/** Word pairs in more questions than this distinguish nothing, and cost time. */
const commonPair = 100;
/** Number of questions with the most shared word pairs that are compared in full. */
const candidates = 5;

/**
 * Pairs each question with the most similar one, if any.
 *
 * @param least similarity of a pair, from 0 to 1
 */
function nearestPairs(
  before: readonly ComparedQuestion[],
  after: readonly ComparedQuestion[],
  least: number,
): QuestionPair[] {
  if (before.length === 0 || after.length === 0) return [];
  const index = new WordIndex(before);
  const found = after.flatMap((question) => index.nearest(question, least));
  // The sort is stable: of equal pairs, the first in paper order wins.
  found.sort((a, b) => b.likeness - a.likeness);
  const taken = new Set<ComparedQuestion>();
  return found.filter((pair) => {
    if (taken.has(pair.before) || taken.has(pair.after)) return false;
    taken.add(pair.before).add(pair.after);
    return true;
  });
}

interface LikePair extends QuestionPair {
  readonly likeness: number;
}

/** Finds questions by word pairs, so that not every question is compared with every other. */
class WordIndex {
  readonly #holders = new Map<string, ComparedQuestion[]>();
  readonly #words = new Map<ComparedQuestion, ReadonlySet<string>>();

  constructor(questions: readonly ComparedQuestion[]) {
    for (const question of questions) {
      const words = wordPairs(question);
      this.#words.set(question, words);
      for (const pair of words) {
        const holders = this.#holders.get(pair);
        if (holders) holders.push(question);
        else this.#holders.set(pair, [question]);
      }
    }
  }

  nearest(after: ComparedQuestion, least: number): LikePair[] {
    const words = wordPairs(after);
    return this.#sharing(words)
      .map((before) => ({ before, after, likeness: similarity(words, this.#words.get(before) ?? new Set()) }))
      .filter(({ likeness }) => likeness >= least);
  }

  #sharing(words: ReadonlySet<string>): ComparedQuestion[] {
    const shared = new Map<ComparedQuestion, number>();
    for (const pair of words) {
      const holders = this.#holders.get(pair) ?? [];
      if (holders.length > commonPair) continue;
      for (const holder of holders) shared.set(holder, (shared.get(holder) ?? 0) + 1);
    }
    return [...shared]
      .sort(([, a], [, b]) => b - a)
      .slice(0, candidates)
      .map(([question]) => question);
  }
}

/** UTF-16 units of a text that are compared. */
const longestText = 10_000;

/** Returns the pairs of neighbouring words and signs in the texts of a question and its options. */
function wordPairs({ question, options }: ComparedQuestion): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (const text of [question, ...options.map(({ value }) => value)]) {
    const words = text.slice(0, longestText).match(/[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]/gu) ?? [];
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
