import type { Question } from '../../../build/content/types.ts';
import {
  examPath,
  type Files,
  paperOf,
  paperPath,
  sampleExam,
  sampleQuestions,
  shiftPath,
} from '../bank-folder.ts';
import { png } from '../image-bytes.ts';
import type { Found, RuleCase } from './rule-case.ts';

const { numerical } = sampleQuestions;
const place = 'neet-2024-05-05-s1-physics-';

/** A paper of questions with these ids. Each question has 9 lines. The bank also has the other files. */
function paperWith(ids: readonly string[], others: Files = {}): RuleCase['files'] {
  const questions = ids.map((id, index): Question => ({ ...numerical, id, question: `What is ${index}?` }));
  return { [examPath]: sampleExam, [paperPath]: paperOf(...questions), ...others };
}

/** Another shift of the exam, and another exam with a shift on the same day. */
const others: Files = {
  'neet/2024/2024-05-05-s2/physics.json': paperOf({ ...numerical, id: 'neet-2024-05-05-s2-physics-90' }),
  'jeemain/exam.json': { label: 'JEE Main', subjects: ['physics', 'mathematics'] },
  'jeemain/2024/2024-05-05-s1/physics.json': paperOf({
    ...{ ...numerical, id: 'jeemain-2024-05-05-s1-physics-90', question: 'What is 90?' },
  }),
};

function validCase(title: string, ...ids: readonly string[]): RuleCase {
  return { rule: 'id-place', title, files: paperWith(ids), found: [] };
}

function invalidCase(title: string, ids: readonly string[], found: Found, files?: Files): RuleCase {
  return { rule: 'id-place', title, files: paperWith(ids, files), found: [found] };
}

/** The diagnostic of the question with this index, which starts on line 4 + 9 * index. */
function at(index: number, id: string, message: string): Found {
  const line = 5 + 9 * index;
  return {
    message: `${message} Correct the id only if the question has not been published yet: clients store ids.`,
    file: paperPath,
    pointer: `/questions/${index}/id`,
    at: `${line}:13-${line}:${13 + id.length + 2}`,
  };
}

const another = (path: string, more = '') =>
  `This id names another paper${more}: ${path}. Move the question there if it belongs there.`;
const alone = `The other ids of this paper begin with "${place}".`;

const conventions: readonly (readonly string[])[] = [
  [`${place}01`, `${place}02`, `${place}100`],
  ['q1', 'q2', 'q3'],
  ['neet-2024-05-05-s1-phy-001', 'neet-2024-05-05-s1-phy-002', 'neet-2024-05-05-s1-phy-003'],
  ['NEET_2024_PHY_1', 'NEET_2024_PHY_2', 'NEET_2024_PHY_3'],
  ['phy-A-1', 'phy-A-2', 'phy-B-3'],
  ['phy-mechanics-1', 'phy-mechanics-2', 'phy-optics-3', 'phy-optics-4', 'phy-heat-5', 'phy-heat-6'],
  ['a8f3', 'k2x9', 'zz7q', 'm40b'],
  ['1-neet', '2-neet', '3-neet'],
  ['p1', 'p2', 'p2b', 'p3'],
  // A shift and an exam that the bank does not have.
  ['neet-2024-05-05-s7-physics-01', 'neet-2024-05-05-s7-physics-02'],
  ['aipmt-2024-05-05-s1-physics-01', 'aipmt-2024-05-05-s1-physics-02'],
];

/** Cases of the rule on ids and their place. */
export const idCases: readonly RuleCase[] = [
  ...conventions.map((ids) => validCase(`accepts ${ids.join(', ')}`, ...ids)),
  validCase('accepts another format if one id of two names its place', `${place}01`, 'q2'),
  validCase('accepts two formats of several ids each', `${place}01`, `${place}02`, 'q3', 'q4'),
  {
    rule: 'id-place',
    title: 'accepts a convention of other names in a bank with several exams and shifts',
    files: paperWith(['neet-2024-05-05-s1-phy-1', 'neet-2024-05-05-s1-phy-2'], others),
    found: [],
  },
  ...[
    ['neet-2024-05-05-s2-physics-07', 'neet/2024/2024-05-05-s2/physics.json'],
    ['jeemain-2024-05-05-s1-physics-07', 'jeemain/2024/2024-05-05-s1/physics.json'],
    ['neet_2024_05_05_S2_07', 'neet/2024/2024-05-05-s2/physics.json'],
    ['neet-2024-05-05-s1-biology-07', 'neet/2024/2024-05-05-s1/biology.json'],
  ].map(([id = '', path = '']) =>
    invalidCase(`rejects ${id}, which names another paper`, [id], at(0, id, another(path)), others),
  ),
  ...[
    ['biology-07', 'neet/2024/2024-05-05-s1/biology.json'],
    ['neet-2024-chemistry-07', 'neet/2024/2024-05-05-s1/chemistry.json'],
    ['jeemain-07', 'jeemain/2024/2024-05-05-s1/physics.json'],
  ].map(([id = '', path = '']) =>
    invalidCase(
      `rejects ${id}, which names another paper, between other ids`,
      ['phy-1', 'phy-2', id],
      at(2, id, another(path)),
      others,
    ),
  ),
  {
    rule: 'id-place',
    title: 'accepts names of another exam and subject in all ids of a paper',
    files: paperWith(['jeemain-mathematics-1', 'jeemain-mathematics-2'], others),
    found: [],
  },
  invalidCase(
    'rejects a misspelt subject',
    [`${place}01`, `${place}02`, 'neet-2024-05-05-s1-phsyics-03'],
    at(2, 'neet-2024-05-05-s1-phsyics-03', alone),
  ),
  invalidCase(
    'rejects an id in another format than all others of the paper',
    [`${place}01`, `${place}02`, 'q3'],
    at(2, 'q3', alone),
  ),
  invalidCase(
    'rejects a shift that does not exist in an id of a paper whose other ids name the right one',
    [`${place}01`, `${place}02`, 'neet-2024-05-05-s9-physics-03'],
    at(2, 'neet-2024-05-05-s9-physics-03', alone),
  ),
  invalidCase(
    'reports the ids of another paper once',
    ['neet-2024-05-05-s2-physics-01', 'neet-2024-05-05-s2-physics-02'],
    at(
      0,
      'neet-2024-05-05-s2-physics-01',
      another('neet/2024/2024-05-05-s2/physics.json', ', and so do 1 more'),
    ),
    others,
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
      ...paperWith([`${place}01`, `${place}02`]),
      [paperPath]: paperOf(
        { ...numerical, id: `${place}01`, question: 'What is 1?' },
        { ...numerical, id: `${place}02`, question: 'What is 2?' },
        {
          ...{ ...numerical, id: 'neet-2024-05-05-s1-phsyics-03' },
          diagrams: [{ file: `${place}03-ray.png`, alt: 'A ray of light at a mirror.' }],
        },
      ),
      [`${shiftPath}/diagrams/${place}03-ray.png`]: png(2, 2),
    },
    found: [at(2, 'neet-2024-05-05-s1-phsyics-03', alone)],
  },
];
