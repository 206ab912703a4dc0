/** What programs can import, browsers included: the types of responses, and functions that score and select questions. */
import type { FormSection, ServedQuestion } from './release/resources.ts';
// A guide shows it.
import { score as scoreOf } from './site/guides/samples/score.mjs';

export type * from './release/resources.ts';

/** What the marks of a response depend on. */
type Scored = Pick<ServedQuestion, 'type' | 'answer'> & Partial<ServedQuestion>;

/**
 * Selects questions of one or several papers by topic and difficulty. Dropped questions are left out.
 *
 * @param count so many of them at most, picked at random
 * @param random returns numbers from 0 up to, but not including, 1
 * @returns in the order of the papers; with a count, in random order
 */
export function selectQuestions<
  Question extends Pick<ServedQuestion, 'topic' | 'difficulty' | 'dropped'>,
>(
  questions: readonly Question[],
  {
    topic,
    difficulty,
    count,
  }: { [Field in 'topic' | 'difficulty']?: string | readonly string[] } & { count?: number },
  random: () => number = Math.random,
): Question[] {
  const isOneOf = (value: string, wanted: string | readonly string[] = value) =>
    [wanted].flat().includes(value);
  const found = questions.filter((one) => {
    return !one.dropped && isOneOf(one.topic, topic) && isOneOf(one.difficulty, difficulty);
  });
  if (count === undefined) return found;
  const drawn = found
    .map((question) => ({ question, order: random() }))
    .sort((a, b) => a.order - b.order);
  return drawn.slice(0, count).map(({ question }) => question);
}

/**
 * The marks that a response to a question gets. Without a marking, a right response gets 1 and any other 0. A question of a
 * type that this function does not know gets 0.
 *
 * @param question as the API serves it
 * @param response in the form of `answer`: a key, several keys in any order joined by commas, a decimal number, or a text,
 * in which case and spaces do not count; empty or undefined without a response
 */
export const score: (question: Scored, response: string | undefined) => number = scoreOf;

/**
 * The marks that the responses to a section of the exam get. If a section offers more questions than are to be attempted,
 * the first answered ones count, in the order of the paper; unanswered ones only if too few are answered. Dropped questions
 * give no marks, and are not among those that count.
 *
 * @param section of the form of the shift
 * @param questions of the file of its subject, in its order: those that print another section are left out
 * @param responses by the ids of questions, each as in `score`
 */
export function scoreSection(
  { name, attempt, marking: ofSection }: Pick<FormSection, 'name' | 'attempt' | 'marking'>,
  questions: readonly (Scored & Pick<ServedQuestion, 'id' | 'section'>)[],
  responses: Readonly<Record<string, string | undefined>>,
): number {
  const offered = questions.filter(({ section = name, dropped }) => section === name && !dropped);
  const isAnswered = ({ id }: (typeof offered)[number]) => (responses[id] ?? '').trim() !== '';
  const counted = [
    ...offered.filter(isAnswered),
    ...offered.filter((one) => !isAnswered(one)),
  ].slice(0, attempt);
  const marks = counted.map(({ marking = ofSection, ...question }) => {
    return score(marking ? { ...question, marking } : question, responses[question.id]);
  });
  return marks.reduce((sum, one) => sum + one, 0);
}
