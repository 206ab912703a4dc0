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
import { type RuleCase, startOfFile } from './rule-case.ts';

const { mcq } = sampleQuestions;
const secondMcq = { ...mcq, id: 'q2', question: 'Which of them is a unit of time?' };
const drawn = { ...mcq, diagrams: [{ file: 'q1.png', alt: 'A ruler.' }] };
const valid: Files = { [examPath]: sampleExam, [paperPath]: paperOf(mcq) };
const diagram = `${shiftPath}/diagrams/q1.png`;

const givenTwice = 'The id "q1" is used twice. Give every question its own id.';
const first = { message: 'First occurrence.', file: paperPath, at: '5:13-5:17' };
const unused = {
  message: 'No question of this shift uses this diagram. Add it to a question, or remove the file.',
  pointer: '',
  at: startOfFile,
};
const withTopics = { ...sampleExam, topics: { physics: ['Optics', 'Units'] } };
const topicList = { message: 'The topics are listed here.', file: examPath, at: '9:16-12:6' };
const { topic: _, ...withoutTopic } = mcq;

/** Cases of the rules that compare files. */
export const bankCases: readonly RuleCase[] = [
  ...sampleExam.subjects.map((subject) => ({
    rule: 'subject-allowed',
    title: `accepts ${subject}, which exam.json lists`,
    files: { [examPath]: sampleExam, [`${shiftPath}/${subject}.json`]: paperOf(mcq) },
    found: [],
  })),
  ...['mathematics', 'Physics', 'exam'].map((subject) => ({
    rule: 'subject-allowed',
    title: `rejects ${subject}`,
    files: { ...valid, [`${shiftPath}/${subject}.json`]: paperOf(secondMcq) },
    found: [
      {
        message: `"${subject}" is not a subject of NEET. Its subjects are physics, chemistry, biology.${subject === 'Physics' ? ' Did you mean physics.json?' : ''}`,
        file: `${shiftPath}/${subject}.json`,
        pointer: '',
        at: '1:1-23:2',
        related: [{ message: 'The subjects are listed here.', file: examPath, at: '3:15-7:4' }],
      },
    ],
  })),
  {
    rule: 'subject-allowed',
    title: 'rejects a subject that only another exam lists',
    files: {
      ...valid,
      'jeemain/exam.json': { label: 'JEE Main', subjects: ['mathematics'] },
      'jeemain/2024/2024-01-27-s1/physics.json': paperOf(secondMcq),
    },
    found: [
      {
        message: '"physics" is not a subject of JEE Main. Its subjects are mathematics.',
        file: 'jeemain/2024/2024-01-27-s1/physics.json',
        pointer: '',
        at: '1:1-23:2',
        related: [{ message: 'The subjects are listed here.', file: 'jeemain/exam.json', at: '3:15-5:4' }],
      },
    ],
  },

  {
    rule: 'unique-subjects',
    title: 'accepts subjects with and without a display name',
    files: {
      ...valid,
      [examPath]: { label: 'NEET', subjects: ['physics', { code: 'cs', label: 'Physics' }] },
    },
    found: [],
  },
  {
    rule: 'unique-subjects',
    title: 'rejects a subject that is listed with and without a display name',
    files: {
      ...valid,
      [examPath]: { label: 'NEET', subjects: ['physics', { code: 'physics', label: 'Physics' }] },
    },
    found: [
      {
        message: '"physics" is listed twice. Remove one of them.',
        file: examPath,
        pointer: '/subjects/1',
        at: '5:5-8:6',
        related: [{ message: 'First occurrence.', file: examPath, at: '4:5-4:14' }],
      },
    ],
  },
  {
    rule: 'unlisted-topic',
    title: 'accepts listed topics, and any topic of a subject without a list',
    files: {
      ...valid,
      [examPath]: { ...sampleExam, topics: { physics: ['Units', 'Optics'] } },
      [`${shiftPath}/biology.json`]: paperOf({ ...secondMcq, topic: 'Cells' }),
    },
    found: [],
  },
  {
    rule: 'unlisted-topic',
    title: 'accepts a question without a topic',
    files: { ...valid, [examPath]: withTopics, [paperPath]: paperOf(withoutTopic) },
    found: [],
  },
  {
    rule: 'unlisted-topic',
    title: 'reports each question with a topic that exam.json does not list',
    files: {
      ...valid,
      [examPath]: withTopics,
      [paperPath]: paperOf(mcq, { ...secondMcq, topic: 'Unit' }),
      'neet/2025/2025-05-04-s1/physics.json': paperOf({
        ...mcq,
        id: 'q3',
        question: 'What?',
        topic: ' units',
      }),
    },
    found: [
      {
        message: '"Unit" is not a topic of physics in NEET. Use a listed topic, or add it to exam.json.',
        file: paperPath,
        pointer: '/questions/1/topic',
        at: '37:16-37:22',
        suggestion: 'Units',
        related: [topicList],
      },
      {
        message: '" units" is not a topic of physics in NEET. Use a listed topic, or add it to exam.json.',
        file: 'neet/2025/2025-05-04-s1/physics.json',
        pointer: '/questions/0/topic',
        at: '19:16-19:24',
        suggestion: 'Units',
        related: [topicList],
      },
    ],
  },
  {
    rule: 'unlisted-topic',
    title: 'reports topics that are listed for a subject that the exam does not have',
    files: { ...valid, [examPath]: { ...sampleExam, topics: { phisics: ['Units'] } } },
    found: [
      {
        message: '"phisics" is not a subject of NEET. Its subjects are physics, chemistry, biology.',
        file: examPath,
        pointer: '/topics/phisics',
        at: '9:5-9:14',
        suggestion: 'physics',
      },
    ],
  },
  {
    rule: 'unique-ids',
    title: 'accepts ids that differ in case',
    files: { ...valid, [paperPath]: paperOf(mcq, secondMcq, { ...mcq, id: 'Q1' }) },
    found: [],
  },
  {
    rule: 'unique-ids',
    title: 'rejects a repeated id within a paper',
    files: { ...valid, [paperPath]: paperOf(mcq, mcq) },
    found: [
      {
        message: givenTwice,
        file: paperPath,
        pointer: '/questions/1/id',
        at: '23:13-23:17',
        related: [first],
      },
    ],
  },
  {
    rule: 'unique-ids',
    title: 'reports each repetition in the bank, with the first occurrence',
    files: {
      ...valid,
      'neet/2025/2025-05-04-s1/biology.json': paperOf(secondMcq, mcq),
      'neet/2025/2025-05-04-s1/physics.json': paperOf(mcq),
    },
    found: [
      {
        message: givenTwice,
        file: 'neet/2025/2025-05-04-s1/biology.json',
        pointer: '/questions/1/id',
        at: '23:13-23:17',
        related: [first],
      },
      {
        message: givenTwice,
        file: 'neet/2025/2025-05-04-s1/physics.json',
        pointer: '/questions/0/id',
        at: '5:13-5:17',
        related: [first],
      },
    ],
  },

  {
    rule: 'unused-diagram',
    title: 'accepts a diagram that a question of the shift names',
    files: { ...valid, [paperPath]: paperOf(drawn), [diagram]: png(2, 2) },
    found: [],
  },
  {
    rule: 'unused-diagram',
    title: 'reports unused files, also if they are not images',
    files: { ...valid, [diagram]: png(2, 2), [`${shiftPath}/diagrams/sketch.txt`]: 'To be drawn' },
    found: [
      { ...unused, file: diagram },
      { ...unused, file: `${shiftPath}/diagrams/sketch.txt` },
    ],
  },
  {
    rule: 'unused-diagram',
    title: 'reports a diagram that only a question of another shift names',
    files: {
      ...valid,
      [paperPath]: paperOf(drawn),
      [diagram]: png(2, 2),
      'neet/2024/2024-05-05-s2/physics.json': paperOf(secondMcq),
      'neet/2024/2024-05-05-s2/diagrams/q1.png': png(2, 2),
    },
    found: [{ ...unused, file: 'neet/2024/2024-05-05-s2/diagrams/q1.png' }],
  },
];
