/** Selection of questions: the same in every language. */
import { sha256Of } from './checksums.ts';

/** One value, or several of which each is accepted. */
type OneOf = string | readonly string[];

/** Which questions to select. What is left out does not matter. */
export interface Filter {
  readonly topic?: OneOf | undefined;
  readonly difficulty?: OneOf | undefined;
  readonly type?: OneOf | undefined;
  /** At most so many, drawn at random. */
  readonly count?: number | undefined;
  /** The same seed draws the same questions, in the same order. Without one, each draw differs. */
  readonly seed?: string | number | undefined;
  /** Questions or ids that are left out, such as those that a student has seen. */
  readonly except?: Iterable<string | { readonly id: string }> | undefined;
}

/** What a question is selected by. */
interface Selectable {
  readonly id: string;
  readonly topic: string;
  readonly difficulty: string;
  readonly type?: string;
  readonly dropped?: boolean | undefined;
}

/**
 * The questions that a filter accepts, all of them: in the order of the papers, or drawn if there is a seed or a count.
 * Drawn questions are in the order of the hex SHA-256 of `SEED:ID`, so each is equally likely, and whoever has the same
 * questions and the same seed draws the same.
 */
export function drawnOrder<Question extends Selectable>(
  questions: readonly Question[],
  { topic, difficulty, type, count, seed, except = [] }: Filter,
): Question[] {
  const isOneOf = (value: string | undefined, wanted: OneOf | undefined) =>
    wanted === undefined || (value !== undefined && [wanted].flat().includes(value));
  const omitted = new Set(Array.from(except, (one) => (typeof one === 'string' ? one : one.id)));
  const found = questions.filter(
    (one) =>
      !one.dropped &&
      !omitted.has(one.id) &&
      isOneOf(one.topic, topic) &&
      isOneOf(one.difficulty, difficulty) &&
      isOneOf(one.type, type),
  );
  if (count === undefined && seed === undefined) return found;
  const start = seed ?? Math.random();
  return found
    .map((question) => ({ question, order: sha256Of(`${start}:${question.id}`) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .map(({ question }) => question);
}

/** Selects questions of one or several papers. Dropped questions are left out. */
export function selectQuestions<Question extends Selectable>(
  questions: readonly Question[],
  filter: Filter,
): Question[] {
  return drawnOrder(questions, filter).slice(0, filter.count);
}
