/** The numbers that a numerical question accepts, in one shape, whichever fields say it. */
import type { Question } from '../release/resources.ts';

/** The fields that say which responses are right. */
export const answerFields = ['answer', 'accepted', 'answerRange', 'tolerance'] as const;

/** The field that says how far a response may be from an answer. */
export const marginField = 'tolerance';

type Answers = Pick<Question, 'answer'> &
  Partial<Pick<Question, Exclude<(typeof answerFields)[number], 'answer'>>>;

/** A correct number, and how far a response may be below and above it. */
export interface AcceptedNumber {
  readonly value: string;
  readonly below: number;
  readonly above: number;
}

/** The correct numbers of a question, its answer first. */
export function acceptedNumbers(question: Answers): readonly AcceptedNumber[] {
  const { answer, accepted = [], answerRange, tolerance = '0' } = question;
  const most = Number(tolerance);
  const numbers = [answer, ...accepted.filter((one) => one !== answer)].map((value) => ({
    value,
    below: most,
    above: most,
  }));
  if (!answerRange) return numbers;
  const below = Number(answer) - Number(answerRange.min);
  const above = Number(answerRange.max) - Number(answer);
  return [{ value: answer, below, above }, ...numbers.slice(1)];
}

/** Whether a number is a correct response. */
export function acceptsNumber(question: Answers, number: number): boolean {
  const { answer, accepted = [answer], answerRange, tolerance = '0' } = question;
  // Decimal numbers have no exact difference: 2.6 - 2.5 is more than 0.1.
  const most = Number(tolerance) * (1 + 1e-9);
  if (accepted.some((each) => Math.abs(Number(each) - number) <= most)) return true;
  const { min, max } = answerRange ?? { min: Number.NaN, max: Number.NaN };
  return number >= Number(min) && number <= Number(max);
}

/** The fields of a question that accepts some more numbers than its answer. @param decimal writes a number */
export function marginFields(
  { value, below, above }: AcceptedNumber,
  decimal: (number: number) => string,
): Pick<Answers, 'answerRange' | 'tolerance'> {
  if (below + above === 0) return {};
  if (below === above) return { tolerance: decimal(above) };
  const shifted = (by: number) => decimal(Number(value) + by);
  return { answerRange: { min: shifted(-below), max: shifted(above) } };
}
