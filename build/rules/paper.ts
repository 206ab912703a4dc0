/** Rules on papers: the time of their last update, and ids that name a place. */
import type { PlacedQuestion } from '../content/types.ts';
import { isName } from '../release/urls.ts';
import { shiftProblem } from './names.ts';
import type { CheckedPaper, Rule } from './rule.ts';

/** Milliseconds by which clocks may differ. */
const clockSkew = 5 * 60 * 1000;

export const updated: Rule<CheckedPaper> = {
  name: 'updated',
  description: 'The time of the last update of a file is not in the future.',
  severity: 'error',
  example: { wrong: '"lastUpdated": "2204-06-01T10:00:00Z"', right: '"lastUpdated": "2024-06-01T10:00:00Z"' },
  *check({ lastUpdated, now }) {
    if (lastUpdated === undefined || !(Date.parse(lastUpdated) > now.getTime() + clockSkew)) return;
    const message = `This time is in the future. It is now ${now.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length)}Z.`;
    yield { pointer: '/lastUpdated', message };
  },
};

export const idPlace: Rule<CheckedPaper> = {
  name: 'id-place',
  description:
    'An id of the form <exam>-<shift>-<subject>-<number> names the place of its question. If most ids of a paper have this form, all have it.',
  severity: 'error',
  example: {
    wrong: 'physics.json: "id": "neet-2024-05-05-s1-biology-07"',
    right: '"neet-2024-05-05-s1-physics-07"',
  },
  *check(paper) {
    const { exam, shift, subject } = paper;
    const own = `${exam}-${shift}-${subject}`;
    for (const [first, ...more] of groupedByMistake(misplacedIds(paper), paper.questions.length)) {
      if (!first) continue;
      const others = more.length > 0 ? `, and so do ${more.length} more` : '';
      const message =
        first.place === undefined
          ? `The other ids of this paper name its place: ${own}-<number>.`
          : `This id names another place${others}: the paper is ${own}.`;
      yield { pointer: `${first.pointer}/id`, message, suggestion: first.right };
    }
  },
};

/** Most ids of a paper that was copied or moved name one other place: that is one mistake. */
function groupedByMistake(ids: readonly MisplacedId[], questions: number): MisplacedId[][] {
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

/** A question whose id names another place. */
interface MisplacedId extends PlacedQuestion {
  /** The place that the id names; undefined when it names none, although most ids of the paper do. */
  readonly place: string | undefined;
  /** The correct id; undefined when it is not clear, or when another question has it. */
  readonly right: string | undefined;
}

/** `<exam>-<shift>-<subject>-<number>`; everything before the number is captured. */
const placeId = /^([a-z][a-z0-9]*-\d{4}-\d{2}-\d{2}-s\d+-[a-z][a-z0-9-]*-)\d+$/;

/**
 * The questions of a paper whose ids name another place; and, where more than half of the ids and at least two name the
 * place of the paper, those whose ids name none. A paper with another convention for its ids has none.
 */
export function misplacedIds(paper: CheckedPaper): MisplacedId[] {
  const { exam, shift, subject, questions } = paper;
  const place = `${exam}-${shift}-${subject}-`;
  let others: PlacedQuestion[] | undefined;
  for (const question of questions) {
    if (!namesPlace(place, question.question.id)) {
      others ??= [];
      others.push(question);
    }
  }
  if (!others || !isName('exam', exam) || shiftProblem(paper)) return [];
  const matching = questions.length - others.length;
  const isConvention = matching >= 2 && matching > questions.length / 2;
  return others.flatMap((question) => {
    const { id } = question.question;
    const named = placeId.exec(id)?.[1];
    if (named === undefined && !isConvention) return [];
    const right = `${place}${/\d+$/.exec(id)?.[0] ?? ''}`;
    const isFree = right !== place && questions.every((other) => other.question.id !== right);
    return [{ ...question, place: named, right: isFree ? right : undefined }];
  });
}

/** Whether an id is a place and a number. No regular expression, since nearly all ids of a bank are tested. */
function namesPlace(place: string, id: string): boolean {
  if (id.length <= place.length || !id.startsWith(place)) return false;
  for (let at = place.length; at < id.length; at += 1) {
    const unit = id.charCodeAt(at);
    if (unit < 0x30 || unit > 0x39) return false;
  }
  return true;
}
