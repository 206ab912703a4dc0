import type { ServedQuestion } from './resources.ts';

/** What the marks of a response depend on. */
type Scored = Pick<ServedQuestion, 'type' | 'answer'> &
  Partial<Pick<ServedQuestion, 'accepted' | 'dropped' | 'answerRange' | 'tolerance' | 'marking'>>;

/**
 * The marks that a response to a question gets. Without a marking, a right response gets 1 and any other 0. A question of a
 * type that this function does not know gets 0.
 *
 * @param question as the API serves it
 * @param response in the form of `answer`: a key, several keys in any order joined by commas, a decimal number, or a text,
 * in which case and spaces do not count; empty or undefined without a response
 */
export function score(question: Scored, response: string | undefined): number {
  const {
    type,
    answer,
    accepted = [answer],
    dropped,
    answerRange,
    tolerance = '0',
    marking = { correct: 1 },
  } = question;
  const { correct, incorrect = 0, unanswered = 0, partial = 0 } = marking;
  if (dropped) return 0;
  const given = response?.trim() ?? '';
  if (given === '') return unanswered;
  if (type === 'numerical') {
    const number = decimal.test(given) ? Number(given) : Number.NaN;
    const isInRange = answerRange && number >= Number(answerRange.min) && number <= Number(answerRange.max);
    // Decimal numbers have no exact difference: 2.6 - 2.5 is more than 0.1.
    const most = Number(tolerance) * (1 + 1e-9);
    const isNear = accepted.some((one) => Number(one) === number || Math.abs(Number(one) - number) <= most);
    return isInRange || isNear ? correct : incorrect;
  }
  if (type === 'text') return accepted.some((one) => comparable(one) === comparable(given)) ? correct : incorrect;
  if (type !== 'mcq' && type !== 'msq') return 0;
  const chosen = keysOf(given);
  const right = accepted.map(keysOf);
  const isWithin = (keys: ReadonlySet<string>) => [...chosen].every((key) => keys.has(key));
  if (right.some((keys) => keys.size === chosen.size && isWithin(keys))) return correct;
  return type === 'msq' && partial > 0 && right.some(isWithin) ? partial * chosen.size : incorrect;
}

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;

function comparable(text: string): string {
  return text.normalize().toLowerCase().replace(/\s+/g, '');
}

function keysOf(answer: string): ReadonlySet<string> {
  return new Set(answer.split(',').map((key) => key.trim()));
}
