/** Marks, as the exam gives them. */
import type { FormSection, Question } from '../release/resources.ts';
import { acceptsNumber } from './range.ts';

/** What the marks of a response depend on. */
type Scored = Pick<Question, 'type' | 'answer'> & Partial<Question>;

/**
 * The marks that a response to a question gets. Without a marking, a right response gets 1 and any other 0. A question of a
 * type that this function does not know gets 0.
 *
 * @param question as the API serves it
 * @param response in the form of `answer`: a key, several keys in any order joined by commas, a decimal number, or a text,
 * in which case and spaces do not count; empty or undefined without a response
 */
export function score(question: Scored, response: string | undefined): number {
  const { type, answer, accepted = [answer], dropped, marking = { correct: 1 } } = question;
  const { correct, incorrect = 0, unanswered = 0, partial = 0 } = marking;
  if (dropped) return 0;
  const given = (response ?? '').trim();
  if (given === '') return unanswered;
  if (type === 'numerical') {
    const number = /^[+-]?(\d+\.?\d*|\.\d+)$/.test(given) ? Number(given) : Number.NaN;
    return acceptsNumber(question, number) ? correct : incorrect;
  }
  if (type === 'text') {
    const isSame = accepted.some((each) => comparable(each) === comparable(given));
    return isSame ? correct : incorrect;
  }
  if (type !== 'mcq' && type !== 'msq') return 0;
  const chosen = keysOf(given);
  const right = accepted.map(keysOf).filter((keys) => chosen.every((key) => keys.includes(key)));
  if (right.some((keys) => keys.length === chosen.length)) return correct;
  if (type === 'msq' && partial > 0 && right.length > 0) return partial * chosen.length;
  return incorrect;
}

function comparable(text: string): string {
  return text.normalize().toLowerCase().replace(/\s+/g, '');
}

function keysOf(text: string): string[] {
  return [...new Set(text.split(',').map((key) => key.trim()))];
}

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
  questions: readonly (Scored & Pick<Question, 'id' | 'section'>)[],
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
