import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
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
import { accepts, bankOf, type Cases, type Found, rejects } from './rule-case.ts';

const { mcq, numerical } = sampleQuestions;
const paper = paperOf(mcq);
const valid = bankOf(paper);
const secondMcq = { ...mcq, id: 'q2', question: 'Which of them is a unit of time?' };
const biology = `${shiftPath}/biology.json`;
const detailsPath = `${shiftPath}/shift.json`;
const source = { title: 'Example Board' };
const noSource =
  'This shift has no source, which pastpaper.config.json requires. Add "source" to its shift.json, to exam.json or to pastpaper.config.json.';
/** 10 questions are offered, and 5 to be attempted. */
const section = {
  name: 'Section A',
  subject: 'physics',
  questions: 10,
  attempt: 5,
  marking: { correct: 0.1 },
};
const formed = (changed: object = {}): Files => ({
  ...valid,
  [examPath]: {
    ...sampleExam,
    form: { duration: 60, totalMarks: 0.5, sections: [section], ...changed },
  },
});
const laterPhysics = 'neet/2025/2025-05-04-s1/physics.json';
const first = (file: string, pointer: string) => [{ message: 'First occurrence.', file, pointer }];

/** The valid bank under another exam code, or with its paper in other folders. */
const examNamed = (code: string): Files => ({
  [`${code}/exam.json`]: sampleExam,
  [`${code}/2024/2024-05-05-s1/physics.json`]: paper,
});
const paperIn = (year: string, shift: string): Files => ({
  [examPath]: sampleExam,
  [`neet/${year}/${shift}/physics.json`]: paper,
});

const notPart =
  'This is not part of a bank. A bank contains <exam>/exam.json, <exam>/<year>/<shift>/<subject>.json and <exam>/<year>/<shift>/diagrams/<file>.';
const isFolder = 'This is a folder where a file is expected. Rename the folder, or remove it.';
const isLink = 'This is a symbolic link. Replace it with the file itself.';

const noShift = (name: string) =>
  `"${name}" is not a shift name. Use the date and the number of the shift, such as 2024-05-05-s1.`;
const noYear = (name: string) =>
  `"${name}" is not a year. Name the folder with four digits, such as 2024.`;
const noDate = (name: string) => `"${name}" names a date that does not exist.`;
const badShifts: readonly (readonly [year: string, shift: string, message: string])[] = [
  ...['morning', '2024-05-05-s01', '2024-05-05-s10000'].map(
    (name) => ['2024', name, noShift(name)] as const,
  ),
  ['2023', '2023-02-29-s1', noDate('2023-02-29-s1')],
  [
    '2024',
    '2023-05-05-s1',
    'The shift "2023-05-05-s1" is in the folder of the year 2024. Move it to 2023.',
  ],
  ['0999', '0999-05-05-s1', noYear('0999')],
];

const notAllowed = (
  subject: string,
  exam = 'NEET',
  subjects: readonly string[] = ['physics', 'chemistry', 'biology'],
) => `"${subject}" is not a subject of ${exam}. Its subjects are ${subjects.join(', ')}.`;
const listedIn = (file: string) => [
  { message: 'The subjects are listed here.', file, pointer: '/subjects' },
];

const withTopics = { ...sampleExam, topics: { physics: ['Optics', 'Units'] } };
const unlisted = (topic: string) => ({
  message: `"${topic}" is not a topic of physics in NEET. Use a listed topic, or add it to exam.json.`,
  related: [{ message: 'The topics are listed here.', file: examPath, pointer: '/topics/physics' }],
});
const { topic: _, ...withoutTopic } = mcq;

/** A bank with shifts of one day that have these subjects. */
function dayOf(...shifts: readonly (readonly string[])[]): Files {
  const papers = shifts.flatMap((subjects, index) =>
    subjects.map((subject): [string, object] => {
      const id = `${subject}${index + 1}`;
      const path = `neet/2024/2024-05-05-s${index + 1}/${subject}.json`;
      return [path, paperOf({ ...mcq, id, question: `Which is the unit of ${id}?` })];
    }),
  );
  return { [examPath]: sampleExam, ...Object.fromEntries(papers) };
}

const usedTwice = 'The id "q1" is used twice. Give every question its own id.';

const place = 'neet-2024-05-05-s1-physics-';
/** A paper of questions with these ids, in a bank with other files. */
function withIds(ids: readonly string[], others: Files = {}): Files {
  return bankOf(
    paperOf(...ids.map((id, index) => ({ ...numerical, id, question: `What is ${index}?` }))),
    others,
  );
}

/** Another shift of the exam, and another exam with a shift on the same day. */
const others: Files = {
  'neet/2024/2024-05-05-s2/physics.json': paperOf({
    ...numerical,
    id: 'neet-2024-05-05-s2-physics-90',
  }),
  'jeemain/exam.json': { label: 'JEE Main', subjects: ['physics', 'mathematics'] },
  'jeemain/2024/2024-05-05-s1/physics.json': paperOf({
    ...{ ...numerical, id: 'jeemain-2024-05-05-s1-physics-90', question: 'What is 90?' },
  }),
};

/** The finding at the id of a question that names another paper. */
const wrongId = (index: number, path: string): Found => ({
  message: `This id names another paper: ${path}. Move the question there if it belongs there. Correct the id only if the question has not been published yet: clients store ids.`,
  pointer: `/questions/${index}/id`,
});

const conventions: readonly (readonly string[])[] = [
  [`${place}01`, `${place}02`, `${place}100`],
  ['neet-2024-05-05-s1-phy-001', 'NEET_2024_PHY_1', 'phy-A-1', 'a8f3', '1-neet', '1'],
  ['enem-2011-091', 'enem-2011-093-espanhol', 'jeemain-mathematics-1'],
  // A shift and an exam that the bank does not have.
  ['neet-2024-05-05-s7-physics-01', 'aipmt-2024-05-05-s1-physics-02'],
];

const repeated = {
  message: 'This question is also in another paper.',
  pointer: '/questions/0/question',
};
const sameIn = (file: string) => ({
  ...{ message: 'The same question is here.', file, pointer: '/questions/0/question' },
});
const copy = { ...mcq, id: 'q2' };
/** Papers of twelve days. */
const manyPapers = Array.from(
  { length: 12 },
  (__, day) => `neet/2024/2024-05-${10 + day}-s1/physics.json`,
);

/** Rules on the folders and files of a bank, and rules that compare its papers. */
export const bankCases: Cases = {
  'not-empty': [
    accepts('a bank with a paper', valid),
    rejects(
      'a bank without an exam',
      { 'schema/exam.schema.json': '{}', '.gitkeep': '' },
      {
        message:
          'The content folder has no exam. Create <exam>/exam.json and <exam>/<year>/<shift>/<subject>.json.',
        file: '',
      },
    ),
    rejects(
      'an exam without a paper',
      { ...valid, 'jeemain/exam.json': sampleExam },
      {
        message: 'The exam has no papers. Create jeemain/<year>/<shift>/<subject>.json.',
        file: 'jeemain/exam.json',
      },
    ),
  ],
  'stray-file': [
    accepts('schemas, hidden files and Markdown files', {
      ...valid,
      'schema/exam.schema.json': '{',
      'schema/subject-file.schema.json': '',
      ...{ '.DS_Store': '', 'neet/.cache/x': '', [`${shiftPath}/.physics.json.swp`]: '' },
      ...{ 'README.md': '', 'neet/CHANGES.MD': '', [`${shiftPath}/diagrams/README.md`]: '' },
    }),
    ...(
      [
        ['neet/2024/physics.json', '{\n}'],
        [`${shiftPath}/physics.JSON`, '{}'],
        [`${shiftPath}/images/q1.png`, 'x'],
      ] as const
    ).map(([file, text]) => rejects(file, { ...valid, [file]: text }, { message: notPart, file })),
    rejects(
      'a folder among the diagrams once',
      { ...valid, [`${shiftPath}/diagrams/old/q1.png`]: 'x' },
      { message: isFolder, file: `${shiftPath}/diagrams/old` },
    ),
    {
      ...rejects('a symbolic link to a paper', valid, { message: isLink, file: biology }),
      make: (dir) => symlink(join(dir, paperPath), join(dir, biology)),
    },
  ],
  'exam-code': [
    accepts('gate2', examNamed('gate2')),
    ...['JEEMain', '2jee'].map((code) =>
      rejects(code, examNamed(code), {
        message: `"${code}" is not an exam code. Use lower-case letters and digits, starting with a letter, such as jeemain.`,
        file: `${code}/exam.json`,
      }),
    ),
    ...['docs', 'llms.txt'].map((code) =>
      rejects(`${code}, which is reserved`, examNamed(code), {
        message: `"${code}" is reserved. Rename the folder of the exam.`,
        file: `${code}/exam.json`,
      }),
    ),
  ],
  'exam-file': [
    accepts('an exam with an exam.json', valid),
    rejects(
      'a missing exam.json once, at the first paper',
      {
        ...valid,
        'jeemain/2024/2024-01-27-s1/physics.json': paperOf(secondMcq),
        'jeemain/2024/2024-01-27-s1/chemistry.json': paperOf({
          ...mcq,
          id: 'q3',
          question: 'Two?',
        }),
      },
      {
        message:
          'The exam of this paper has no jeemain/exam.json. Create it, with a label and subjects.',
        file: 'jeemain/2024/2024-01-27-s1/chemistry.json',
      },
    ),
  ],
  'shift-name': [
    accepts('2024-02-29-s1 in 2024', paperIn('2024', '2024-02-29-s1')),
    ...badShifts.map(([year, shift, message]) =>
      rejects(`${year}/${shift}`, paperIn(year, shift), {
        message,
        file: `neet/${year}/${shift}/physics.json`,
      }),
    ),
    rejects(
      'an invalid name once for a shift with several papers and ids that name a shift',
      {
        [examPath]: sampleExam,
        'neet/2024/may/physics.json': paperOf({ ...mcq, id: `${place}01` }),
        'neet/2024/may/biology.json': paperOf({
          ...{ ...secondMcq, diagrams: [{ file: 'q2.png', alt: 'A cell.' }] },
        }),
        'neet/2024/may/diagrams/q2.png': png(2, 2),
      },
      { message: noShift('may'), file: 'neet/2024/may/biology.json' },
    ),
  ],
  'subject-allowed': [
    accepts('a subject that exam.json lists', valid),
    ...['mathematics', 'Physics'].map((subject) =>
      rejects(
        subject,
        { ...valid, [`${shiftPath}/${subject}.json`]: paperOf(secondMcq) },
        {
          message: `${notAllowed(subject)}${subject === 'Physics' ? ' Did you mean physics.json?' : ''}`,
          ...{ file: `${shiftPath}/${subject}.json`, related: listedIn(examPath) },
        },
      ),
    ),
    rejects(
      'a misspelt file name once, and neither the ids nor a missing paper',
      {
        ...dayOf(['physics'], []),
        'neet/2024/2024-05-05-s2/phsyics.json': paperOf({
          ...numerical,
          id: 'neet-2024-05-05-s2-physics-01',
        }),
      },
      {
        message: `${notAllowed('phsyics')} Did you mean physics.json?`,
        ...{ file: 'neet/2024/2024-05-05-s2/phsyics.json', related: listedIn(examPath) },
      },
    ),
  ],
  'shift-date': [
    accepts('a shift of a year on its first day', {
      ...paperIn('2024', '2024-01-01-s2'),
      'neet/2024/2024-01-01-s2/shift.json': { date: '2024' },
    }),
    rejects(
      'a shift of a month that is named after another day',
      { ...valid, [detailsPath]: { date: '2023-05' } },
      {
        message:
          'A shift of 2023-05 is named after the first day: 2023-05-01-s1. Rename the folder, or correct the date.',
        ...{ file: detailsPath, pointer: '/date' },
      },
    ),
  ],
  'missing-source': [
    accepts('no source if none is required', valid),
    ...[
      { ...accepts('the source of the bank', valid), bank: { source } },
      accepts('the source of an exam', { ...valid, [examPath]: { ...sampleExam, source } }),
      accepts('the source of a shift', { ...valid, [detailsPath]: { source } }),
      rejects('a shift without one', { ...valid, [detailsPath]: {} }, { message: noSource }),
    ].map((one) => ({ ...one, bank: { ...one.bank, requireSource: true } })),
  ],
  form: [
    accepts(
      'fractions that add up',
      formed({ totalMarks: 0.3, sections: [{ ...section, attempt: 3 }] }),
    ),
    accepts('sections without marking', formed({ sections: [{ ...section, marking: undefined }] })),
    rejects(
      'parts that do not agree',
      formed({
        totalMarks: 11,
        sections: [
          { ...section, subject: 'phisics', attempt: 11, marking: { correct: 1, incorrect: 1 } },
        ],
      }),
      {
        message:
          '"phisics" is not a subject of this exam. Its subjects are physics, chemistry, biology.',
        ...{ file: examPath, pointer: '/form/sections/0/subject', suggestion: 'physics' },
      },
      {
        message: 'Candidates cannot attempt 11 of 10 questions. Correct one of the numbers.',
        ...{ file: examPath, pointer: '/form/sections/0/attempt' },
      },
      {
        message: 'A wrong response must score 0 or less. Write the minus sign.',
        ...{ file: examPath, pointer: '/form/sections/0/marking/incorrect', suggestion: '-1' },
      },
    ),
    rejects(
      'a name that two sections have',
      formed({ totalMarks: 1, sections: [section, section] }),
      {
        message: 'Two sections of physics are called "Section A". Give each its own name.',
        ...{
          file: examPath,
          pointer: '/form/sections/1/name',
          related: first(examPath, '/form/sections/0/name'),
        },
      },
    ),
    rejects(
      'other marks than the total in the form of a shift',
      { ...valid, [detailsPath]: { form: { duration: 60, totalMarks: 20, sections: [section] } } },
      {
        message: 'The sections have 0.5 marks together. Correct this number, or the sections.',
        ...{ file: detailsPath, pointer: '/form/totalMarks', suggestion: '0.5' },
      },
    ),
  ],
  'form-section': [
    accepts('a section of the form', {
      ...formed(),
      [paperPath]: paperOf({ ...mcq, section: 'Section A' }),
    }),
    accepts('any section of a subject that the form lacks', {
      ...formed({ sections: [{ ...section, subject: 'biology' }] }),
      [paperPath]: paperOf({ ...mcq, section: 'Part 1' }),
    }),
    rejects(
      'a section that the form of the exam lacks',
      {
        ...formed(),
        [paperPath]: paperOf(
          { ...mcq, section: 'SectionA' },
          { ...secondMcq, section: 'SectionA' },
        ),
      },
      {
        message: 'The form of the exam has no section "SectionA" of physics. It has "Section A".',
        ...{ pointer: '/questions/0/section', suggestion: 'Section A' },
        related: [
          { message: 'The sections are listed here.', file: examPath, pointer: '/form/sections' },
        ],
      },
    ),
  ],
  'unique-subjects': [
    accepts('subjects with and without a display name', {
      ...valid,
      [examPath]: { label: 'NEET', subjects: ['physics', { code: 'cs', label: 'Physics' }] },
    }),
    rejects(
      'a subject that is listed with and without a display name',
      {
        ...valid,
        [examPath]: { label: 'NEET', subjects: ['physics', { code: 'physics', label: 'Physics' }] },
      },
      {
        message: '"physics" is listed twice. Remove one of them.',
        ...{ file: examPath, pointer: '/subjects/1', related: first(examPath, '/subjects/0') },
      },
    ),
  ],
  'unlisted-topic': [
    accepts('listed topics, and any topic of a subject without a list', {
      ...bankOf(paper, { [biology]: paperOf({ ...secondMcq, topic: 'Cells' }) }),
      [examPath]: withTopics,
    }),
    accepts('a question without a topic', {
      ...bankOf(paperOf(withoutTopic)),
      [examPath]: withTopics,
    }),
    rejects(
      'each question with a topic that exam.json does not list',
      {
        [examPath]: withTopics,
        [paperPath]: paperOf(mcq, { ...secondMcq, topic: 'Unit' }),
        [laterPhysics]: paperOf({ ...mcq, id: 'q3', question: 'What?', topic: ' units' }),
      },
      { ...unlisted('Unit'), pointer: '/questions/1/topic', suggestion: 'Units' },
      {
        ...unlisted(' units'),
        file: laterPhysics,
        pointer: '/questions/0/topic',
        suggestion: 'Units',
      },
    ),
    rejects(
      'a list of topics for a subject that the exam does not have',
      { ...valid, [examPath]: { ...sampleExam, topics: { phisics: ['Units'] } } },
      {
        ...{ message: notAllowed('phisics'), file: examPath, suggestion: 'physics' },
        ...{ pointer: '/topics/phisics', part: 'name' },
      },
    ),
  ],
  'missing-paper': [
    accepts(
      'two shifts of which each has a subject of its own',
      dayOf(['physics', 'chemistry'], ['physics', 'biology']),
    ),
    rejects(
      'a subject that only one shift of a day lacks',
      dayOf(['chemistry', 'physics'], ['chemistry', 'physics'], ['physics']),
      {
        message: 'This shift has no chemistry.json, but the 2 other shifts of the day have.',
        file: 'neet/2024/2024-05-05-s3/physics.json',
      },
    ),
    rejects('a subject that one of two shifts lacks', dayOf(['biology', 'physics'], ['biology']), {
      message: 'This shift has no physics.json, but the other shift of the day has.',
      file: 'neet/2024/2024-05-05-s2/biology.json',
    }),
    {
      ...rejects('a shift without papers', valid, {
        message: 'This shift has no papers. Add them, or remove the folder.',
        file: 'neet/2024/2024-05-06-s1',
      }),
      make: (dir) => mkdir(join(dir, 'neet/2024/2024-05-06-s1'), { recursive: true }),
    },
  ],
  'unique-ids': [
    accepts(
      'ids that differ in case',
      bankOf(paperOf(mcq, secondMcq, { ...mcq, id: 'Q1', question: 'What is a litre?' })),
    ),
    rejects(
      'each repetition in the bank, with the first occurrence',
      {
        ...valid,
        'neet/2025/2025-05-04-s1/biology.json': paperOf(secondMcq, mcq),
        [laterPhysics]: paperOf(mcq),
      },
      ...[
        { file: 'neet/2025/2025-05-04-s1/biology.json', pointer: '/questions/1/id' },
        { file: laterPhysics, pointer: '/questions/0/id' },
      ].map((at) => ({ message: usedTwice, ...at, related: first(paperPath, '/questions/0/id') })),
    ),
    rejects(
      'an id that is copied to another paper, whose place is not reported too',
      bankOf(paperOf({ ...mcq, id: `${place}01` }), {
        [laterPhysics]: paperOf({ ...secondMcq, id: `${place}01` }),
      }),
      {
        message: `The id "${place}01" is used twice. Give every question its own id.`,
        ...{
          file: laterPhysics,
          pointer: '/questions/0/id',
          related: first(paperPath, '/questions/0/id'),
        },
      },
    ),
  ],
  'id-place': [
    ...conventions.map((ids) => accepts(ids.join(', '), withIds(ids, others))),
    rejects(
      'each id that names another paper',
      withIds(
        [
          `${place}01`,
          'neet-2024-05-05-s2-physics-07',
          'neet-2024-05-05-s2-physics-08',
          'jeemain-2024-05-05-s1-physics-07',
          'neet-2024-05-05-s1-biology-07',
        ],
        others,
      ),
      wrongId(1, 'neet/2024/2024-05-05-s2/physics.json'),
      wrongId(2, 'neet/2024/2024-05-05-s2/physics.json'),
      wrongId(3, 'jeemain/2024/2024-05-05-s1/physics.json'),
      wrongId(4, 'neet/2024/2024-05-05-s1/biology.json'),
    ),
    rejects(
      'an id, but not the name of a diagram with the corrected id',
      bankOf(
        paperOf({
          ...{ ...numerical, id: 'neet-2024-05-05-s1-biology-03' },
          diagrams: [{ file: `${place}03-ray.png`, alt: 'A ray of light at a mirror.' }],
        }),
        { [`${shiftPath}/diagrams/${place}03-ray.png`]: png(2, 2) },
      ),
      wrongId(0, 'neet/2024/2024-05-05-s1/biology.json'),
    ),
  ],
  'similar-question': [
    accepts(
      'the same options and answer with other words',
      bankOf(paperOf({ ...mcq, question: 'Which of these is a unit of length?' }), {
        [biology]: paperOf({ ...copy, question: 'How do people measure distances in daily life?' }),
      }),
    ),
    rejects(
      'the same options and answer with most words',
      bankOf(paperOf({ ...mcq, question: 'Which metal is liquid at 20 degrees Celsius?' }), {
        [biology]: paperOf({ ...copy, question: 'Which metal is liquid at room temperature?' }),
      }),
      {
        file: paperPath,
        pointer: '/questions/0/question',
        message: 'This question has the options, the answer and 63 % of the words of another one.',
        related: [
          {
            file: biology,
            pointer: '/questions/0/question',
            message: 'The similar question is here.',
          },
        ],
      },
    ),
  ],
  'repeated-stem': [
    accepts(
      'texts that differ in case',
      bankOf(paper, { [biology]: paperOf({ ...copy, question: mcq.question.toUpperCase() }) }),
    ),
    accepts(
      'the same text with other options',
      bankOf(paper, {
        [biology]: paperOf({
          ...copy,
          options: [
            { key: 'A', value: 'Cells have walls.' },
            { key: 'B', value: 'Cells have no walls.' },
          ],
        }),
      }),
    ),
    ...(
      [
        [
          'a text with differences in white space',
          { ...copy, question: 'Which of these\nis  a unit of length?' },
        ],
        [
          'the same options in another order',
          {
            ...{ ...copy, answer: 'B' },
            options: [
              { key: 'A', value: 'second' },
              { key: 'B', value: 'metre' },
            ],
          },
        ],
      ] as const
    ).map(([what, again]) =>
      rejects(what, bankOf(paperOf(again), { [biology]: paper }), {
        ...{ ...repeated, related: [sameIn(biology)] },
      }),
    ),
    rejects(
      'a text in many papers, of which it lists ten',
      {
        [examPath]: sampleExam,
        ...Object.fromEntries(
          manyPapers.map((path, index) => [path, paperOf({ ...mcq, id: `q${index}` })]),
        ),
      },
      {
        ...{
          ...repeated,
          message: 'This question is also in 11 other papers.',
          file: manyPapers[1] ?? '',
        },
        related: [0, 2, 3, 4, 5, 6, 7, 8, 9].map((index) => sameIn(manyPapers[index] ?? '')),
      },
    ),
  ],
};
