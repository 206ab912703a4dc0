import type { PlacedQuestion } from '../../content/bank.ts';
import type { CheckedPaper } from '../checked.ts';
import { shiftFault } from '../shift-fault.ts';

/** An id that names another place than that of its question. */
export interface MisplacedId extends PlacedQuestion {
  /** The place that it names; undefined where it names none, and most ids of the paper do. */
  readonly place: string | undefined;
  /** What it should be, where that can be said and is no other question's id. */
  readonly right: string | undefined;
}

/** `<exam>-<shift>-<subject>-<number>`, all but the number captured. */
const placed = /^([a-z][a-z0-9]*-\d{4}-\d{2}-\d{2}-s\d+-[a-z][a-z0-9-]*-)\d+$/;

/**
 * The ids of a paper that have the form of a place and name another one; and, where more than half of the
 * ids, and at least two, name the place of the paper, those that do not. A paper whose ids follow another
 * convention has none.
 */
export function misplacedIds(paper: CheckedPaper): MisplacedId[] {
  const { exam, shift, subject, questions } = paper;
  const place = `${exam}-${shift}-${subject}-`;
  let others: PlacedQuestion[] | undefined;
  for (const question of questions) {
    if (!isIn(place, question.question.id)) {
      others ??= [];
      others.push(question);
    }
  }
  if (!others || !/^[a-z][a-z0-9]*$/.test(exam) || shiftFault(paper)) return [];
  const kept = questions.length - others.length;
  const isConvention = kept >= 2 && kept > questions.length / 2;
  return others.flatMap((question) => {
    const { id } = question.question;
    const named = placed.exec(id)?.[1];
    if (named === undefined && !isConvention) return [];
    const right = `${place}${/\d+$/.exec(id)?.[0] ?? ''}`;
    const isFree = right !== place && questions.every((other) => other.question.id !== right);
    return [{ ...question, place: named, right: isFree ? right : undefined }];
  });
}

const zero = 0x30;
const nine = 0x39;

function isIn(place: string, id: string): boolean {
  if (id.length <= place.length || !id.startsWith(place)) return false;
  for (let at = place.length; at < id.length; at += 1) {
    const unit = id.charCodeAt(at);
    if (unit < zero || unit > nine) return false;
  }
  return true;
}
