import { groupBy } from '../content/groups.ts';
import type { PlacedQuestion } from './sides.ts';

/** The same question before and after a change. */
export interface QuestionPair {
  readonly before: PlacedQuestion;
  readonly after: PlacedQuestion;
}

/** What the questions of a pair have in common, the most first. */
const keys: readonly (readonly Key[])[] = [
  [path, id, stem],
  [id, stem],
  [path, stem, rest],
  [path, stem],
  [stem, rest],
  [stem],
  [path, id],
  [id],
];

/**
 * Matches the questions before with those after. The text decides before the id does, so that two questions that
 * swapped ids do not count as rewritten. One with another text and another id is another question.
 */
export function matchQuestions(
  before: readonly PlacedQuestion[],
  after: readonly PlacedQuestion[],
) {
  const removed = new Set(before);
  const added = new Set(after);
  const pairs: QuestionPair[] = [];
  for (const same of keys)
    for (const pair of agreeing(removed, added, same)) {
      removed.delete(pair.before);
      added.delete(pair.after);
      pairs.push(pair);
    }
  return { pairs, removed: [...removed], added: [...added] };
}

type Key = (placed: PlacedQuestion) => string;

function id({ question }: PlacedQuestion): string {
  return question.id;
}

function path(placed: PlacedQuestion): string {
  return placed.path;
}

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
