import type { CheckedPaper } from '../checked.ts';
import type { Rule } from '../rule.ts';
import { type MisplacedId, misplacedIds } from './misplaced-ids.ts';

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
