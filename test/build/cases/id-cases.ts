import type { Question } from '../../../build/content/types.ts';
import { examPath, paperOf, paperPath, sampleExam, sampleQuestions, shiftPath } from '../bank-folder.ts';
import { png } from '../image-bytes.ts';
import type { Found, RuleCase } from './rule-case.ts';

const { numerical } = sampleQuestions;
const place = 'neet-2024-05-05-s1-physics-';

/** A paper with questions of these ids, each of 9 lines. */
function paperWith(...ids: readonly string[]): RuleCase['files'] {
  const questions = ids.map((id, index): Question => ({ ...numerical, id, question: `What is ${index}?` }));
  return { [examPath]: sampleExam, [paperPath]: paperOf(...questions) };
}

function kept(shows: string, ...ids: readonly string[]): RuleCase {
  return { rule: 'id-place', shows, files: paperWith(...ids), found: [] };
}

function broken(shows: string, ids: readonly string[], ...found: readonly Found[]): RuleCase {
  return { rule: 'id-place', shows, files: paperWith(...ids), found };
}

/** What is told of the question with this index, which begins on line 4 + 9 times that. */
function at(index: number, id: string, message: string, suggestion?: string): Found {
  const line = 5 + 9 * index;
  return {
    message,
    file: paperPath,
    pointer: `/questions/${index}/id`,
    at: `${line}:13-${line}:${13 + id.length + 2}`,
    ...(suggestion !== undefined && { suggestion }),
  };
}

const another = 'This id names another place: the paper is neet-2024-05-05-s1-physics.';
const others = `The other ids of this paper name its place: ${place}<number>.`;

/** Cases of the rule on ids and their place. */
export const idCases: readonly RuleCase[] = [
  kept('ids name their place', `${place}01`, `${place}02`, `${place}100`),
  kept('a paper may keep to a convention of its own', 'q1', 'q2', 'q3'),
  kept('a single id says nothing of the others', `${place}01`, 'q2'),
  kept('nor does half of them', `${place}01`, `${place}02`, 'q3', 'q4'),
  ...[
    'neet-2024-05-05-s2-physics-07',
    'neet-2024-05-06-s1-physics-07',
    'jeemain-2024-05-05-s1-physics-07',
  ].map((id) => broken(`${id} names another place`, [id], at(0, id, another, `${place}07`))),
  broken(
    'a subject that is misspelt is another',
    [`${place}01`, `${place}02`, 'neet-2024-05-05-s1-phsyics-03'],
    at(2, 'neet-2024-05-05-s1-phsyics-03', another, `${place}03`),
  ),
  broken(
    'where most ids name their place, all do',
    [`${place}01`, `${place}02`, 'q3'],
    at(2, 'q3', others, `${place}3`),
  ),
  broken(
    'an id that another question has is no suggestion',
    [`${place}01`, `${place}02`, 'neet_physics_02'],
    at(2, 'neet_physics_02', others),
  ),
  broken('an id without a number has none', [`${place}01`, `${place}02`, 'first'], at(2, 'first', others)),
  broken(
    'a paper that was copied from another place is one mistake',
    ['neet-2024-05-05-s2-physics-01', 'neet-2024-05-05-s2-physics-02'],
    at(
      0,
      'neet-2024-05-05-s2-physics-01',
      'This id names another place, and so do 1 more: the paper is neet-2024-05-05-s1-physics.',
      `${place}01`,
    ),
  ),
  {
    rule: 'subject-allowed',
    shows: 'a file of another name is told once, though no id names it',
    files: {
      [examPath]: sampleExam,
      [`${shiftPath}/phsyics.json`]: paperOf({ ...numerical, id: `${place}01` }),
    },
    found: [
      {
        message:
          '"phsyics" is not a subject of NEET. Its subjects are physics, chemistry, biology. Did you mean physics.json?',
        file: `${shiftPath}/phsyics.json`,
        pointer: '',
        at: '1:1-14:2',
        related: [{ message: 'The subjects are listed here.', file: examPath, at: '3:15-7:4' }],
      },
    ],
  },
  {
    rule: 'id-place',
    shows: 'a diagram that bears the right id is no second mistake',
    files: {
      [examPath]: sampleExam,
      [paperPath]: paperOf({
        ...numerical,
        id: 'neet-2024-05-05-s1-phsyics-01',
        diagrams: [{ file: `${place}01-ray.png`, alt: 'A ray of light at a mirror.' }],
      }),
      [`${shiftPath}/diagrams/${place}01-ray.png`]: png(2, 2),
    },
    found: [at(0, 'neet-2024-05-05-s1-phsyics-01', another, `${place}01`)],
  },
];
