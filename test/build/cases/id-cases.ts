import type { Question } from '../../../build/content/types.ts';
import { examPath, paperOf, paperPath, sampleExam, sampleQuestions, shiftPath } from '../bank-folder.ts';
import { png } from '../image-bytes.ts';
import type { Found, RuleCase } from './rule-case.ts';

const { numerical } = sampleQuestions;
const place = 'neet-2024-05-05-s1-physics-';

/** A paper of questions with these ids. Each question has 9 lines. */
function paperWith(...ids: readonly string[]): RuleCase['files'] {
  const questions = ids.map((id, index): Question => ({ ...numerical, id, question: `What is ${index}?` }));
  return { [examPath]: sampleExam, [paperPath]: paperOf(...questions) };
}

function validCase(title: string, ...ids: readonly string[]): RuleCase {
  return { rule: 'id-place', title, files: paperWith(...ids), found: [] };
}

function invalidCase(title: string, ids: readonly string[], ...found: readonly Found[]): RuleCase {
  return { rule: 'id-place', title, files: paperWith(...ids), found };
}

/** The diagnostic of the question with this index, which starts on line 4 + 9 * index. */
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
  validCase('accepts ids that name their place', `${place}01`, `${place}02`, `${place}100`),
  validCase('accepts ids in another format', 'q1', 'q2', 'q3'),
  validCase('accepts another format if one id of two names its place', `${place}01`, 'q2'),
  validCase(
    'accepts another format if half of the ids name their place',
    `${place}01`,
    `${place}02`,
    'q3',
    'q4',
  ),
  ...[
    'neet-2024-05-05-s2-physics-07',
    'neet-2024-05-06-s1-physics-07',
    'jeemain-2024-05-05-s1-physics-07',
  ].map((id) => invalidCase(`rejects ${id}, with a suggestion`, [id], at(0, id, another, `${place}07`))),
  invalidCase(
    'rejects a misspelt subject',
    [`${place}01`, `${place}02`, 'neet-2024-05-05-s1-phsyics-03'],
    at(2, 'neet-2024-05-05-s1-phsyics-03', another, `${place}03`),
  ),
  invalidCase(
    'rejects another format if most ids name their place',
    [`${place}01`, `${place}02`, 'q3'],
    at(2, 'q3', others, `${place}3`),
  ),
  invalidCase(
    'suggests no id that another question has',
    [`${place}01`, `${place}02`, 'neet_physics_02'],
    at(2, 'neet_physics_02', others),
  ),
  invalidCase(
    'suggests no id for an id without a number',
    [`${place}01`, `${place}02`, 'first'],
    at(2, 'first', others),
  ),
  invalidCase(
    'reports the ids of another place once for a paper',
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
    title: 'reports a misspelt file name once, and not the ids',
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
    title: 'does not report the name of a diagram with the corrected id',
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
