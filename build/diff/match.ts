import { nearestPairs } from './nearest.ts';
import type { ComparedQuestion } from './paper.ts';
import { similarity, wordPairs } from './similarity.ts';

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

/** Under the same id, a question is still itself with so much of its text; less, if no other looks like it. */
const stillItself = 0.5;
/** Under another id, a question has so much of the text. */
const nearlySame = 0.8;
/** So many questions are looked for in other papers too, where their texts are nearly the same; more take too long. */
const mostAcrossPapers = 5000;

/**
 * Finds out which question before is which after. What a question says decides before what its id is, so
 * that two that swapped their ids are not taken for two that were rewritten. The order is: unchanged under
 * its id, unchanged under another id, changed under its id, nearly unchanged under another id, rewritten.
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

/** What a question asks, in whatever order it offers the options; a question without a text asks nothing. */
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

  /** Pairs the questions that agree in all keys, one by one where several do. */
  pairBy(...keysOf: readonly Key[]): void {
    for (const pair of this.#agreeing(keysOf)) this.#pair(pair);
  }

  /** Like `pairBy`, where also the text is still similar. */
  pairSimilarBy(...keysOf: readonly Key[]): void {
    for (const pair of this.#agreeing(keysOf)) {
      if (similarity(wordPairs(pair.before), wordPairs(pair.after)) >= stillItself) this.#pair(pair);
    }
  }

  /** Pairs the questions whose texts are nearly the same, the nearest first: in their paper, then in all. */
  pairNearest(): void {
    const after = byPath(this.#after);
    for (const [path, before] of byPath(this.#before)) this.#pairNearest(before, after.get(path) ?? []);
    if (Math.max(this.#before.size, this.#after.size) <= mostAcrossPapers)
      this.#pairNearest([...this.#before], [...this.#after]);
  }

  #pairNearest(before: readonly ComparedQuestion[], after: readonly ComparedQuestion[]): void {
    for (const pair of nearestPairs(before, after, nearlySame)) this.#pair(pair);
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
