import type { PlacedQuestion } from '../content/types.ts';
import { shiftFault } from './names.ts';
import type { CheckedPaper, Rule } from './rule.ts';

/** Milliseconds by which clocks may differ. */
const skew = 5 * 60 * 1000;

export const updated: Rule<CheckedPaper> = {
  name: 'updated',
  description: 'A file was last updated before now, not in the future.',
  severity: 'error',
  example: {
    wrong: '"lastUpdated": "2204-06-01T10:00:00Z"',
    right: '"lastUpdated": "2024-06-01T10:00:00Z"',
  },
  *check({ path, lastUpdated, now }) {
    if (lastUpdated === undefined || !(Date.parse(lastUpdated) > now.getTime() + skew)) return;
    yield {
      path,
      pointer: '/lastUpdated',
      message: `This moment is in the future: it is ${now.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length)}Z now.`,
    };
  },
};

export const idPlace: Rule<CheckedPaper> = {
  name: 'id-place',
  description:
    'An id of the form <exam>-<shift>-<subject>-<number> names the place of its question; where most ids of a paper have that form, all have. Another convention is kept by all of a paper.',
  severity: 'error',
  example: {
    wrong: 'neet/2024/2024-05-05-s1/physics.json: "id": "neet-2024-05-05-s2-physics-07"',
    right: 'neet/2024/2024-05-05-s1/physics.json: "id": "neet-2024-05-05-s1-physics-07"',
  },
  *check(paper) {
    const { path, exam, shift, subject } = paper;
    for (const [first, ...more] of oneForEachMistake(misplacedIds(paper), paper.questions.length)) {
      if (!first) continue;
      const { place, right, pointer } = first;
      const others = more.length > 0 ? `, and so do ${more.length} more` : '';
      yield {
        path,
        pointer: `${pointer}/id`,
        message:
          place === undefined
            ? `The other ids of this paper name its place: ${exam}-${shift}-${subject}-<number>.`
            : `This id names another place${others}: the paper is ${exam}-${shift}-${subject}.`,
        ...(right !== undefined && { suggestion: right }),
      };
    }
  },
};

/** A paper most of whose ids name one other place was copied from there, or moved: that is one mistake. */
function oneForEachMistake(ids: readonly MisplacedId[], questions: number): MisplacedId[][] {
  const byPlace = new Map<string, MisplacedId[]>();
  for (const id of ids) {
    const group = byPlace.get(id.place ?? '') ?? [];
    byPlace.set(id.place ?? '', group);
    group.push(id);
  }
  return [...byPlace].flatMap(([place, group]) =>
    place !== '' && group.length >= 2 && group.length > questions / 2 ? [group] : group.map((id) => [id]),
  );
}

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
