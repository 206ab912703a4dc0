import type { QuestionPair } from './match.ts';
import type { ComparedQuestion } from './paper.ts';
import { similarity, wordPairs } from './similarity.ts';

/** A pair of words that more questions have than this tells none from another, and would cost time. */
const commonPair = 100;
/** So many questions that share the most pairs of words are looked at closely. */
const candidates = 5;

/**
 * The questions before and after whose texts are the most alike: each stands in one pair at most.
 *
 * @param least the similarity, from 0 to 1, that makes a pair
 */
export function nearestPairs(
  before: readonly ComparedQuestion[],
  after: readonly ComparedQuestion[],
  least: number,
): QuestionPair[] {
  if (before.length === 0 || after.length === 0) return [];
  const index = new WordIndex(before);
  const found = after.flatMap((question) => index.nearest(question, least));
  // The sort is stable: of pairs alike, the first in the order of the papers is taken.
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

/** Which questions have a pair of words: without it, every question would be held against every other. */
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
