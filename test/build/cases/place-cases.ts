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
import { type RuleCase, startOfFile } from './rule-case.ts';

const { mcq } = sampleQuestions;
const paper = paperOf(mcq);
const valid: Files = { [examPath]: sampleExam, [paperPath]: paper };
/** The range of each whole file of the cases. */
const wholeExam = '1:1-8:2';
const wholePaper = '1:1-23:2';

/** The valid bank under another exam code. */
function examNamed(code: string): Files {
  return { [`${code}/exam.json`]: sampleExam, [`${code}/2024/2024-05-05-s1/physics.json`]: paper };
}

/** A bank with shifts of one day that have these subjects. */
function dayOf(...shifts: readonly (readonly string[])[]): Files {
  const papers = shifts.flatMap((subjects, index) =>
    subjects.map((subject): [string, object] => {
      const id = `${subject}${index + 1}`;
      const path = `neet/2024/2024-05-05-s${index + 1}/${subject}.json`;
      return [path, paperOf({ ...sampleQuestions.mcq, id, question: `Which is the unit of ${id}?` })];
    }),
  );
  return { [examPath]: sampleExam, ...Object.fromEntries(papers) };
}

/** The valid bank with its paper in other folders. */
function paperIn(year: string, shift: string): Files {
  return { [examPath]: sampleExam, [`neet/${year}/${shift}/physics.json`]: paper };
}

const strays: readonly [string, string, string][] = [
  ['README.txt', 'The bank', startOfFile],
  ['exam.json', '{}', '1:1-1:3'],
  ['schema/notes.json', '[]', '1:1-1:3'],
  ['neet/notes.txt', 'To do', startOfFile],
  ['neet/2024/physics.json', '{\n}', '1:1-2:2'],
  [`${shiftPath}/physics.txt`, '', startOfFile],
  [`${shiftPath}/physics.JSON`, '{}', startOfFile],
  [`${shiftPath}/images/q1.png`, 'x', startOfFile],
];

const badShifts: readonly [string, string, string][] = [
  ...[
    'morning',
    '2024-05-05',
    '2024-05-05-s',
    '2024-05-05-s0',
    '2024-05-05-s01',
    '2024-5-5-s1',
    '20240505-s1',
  ]
    .concat('2024-05-05-S1', '2024-05-05-s1-evening', '2024-05-05-s10000', ' 2024-05-05-s1')
    .map((name): [string, string, string] => [
      '2024',
      name,
      `"${name}" is not a shift name. Use the date and the number of the shift, such as 2024-05-05-s1.`,
    ]),
  ['2024', '2024-02-30-s1', '"2024-02-30-s1" names a date that does not exist.'],
  ['2023', '2023-02-29-s1', '"2023-02-29-s1" names a date that does not exist.'],
  ['2024', '2024-13-01-s1', '"2024-13-01-s1" names a date that does not exist.'],
  ['2024', '2024-00-10-s1', '"2024-00-10-s1" names a date that does not exist.'],
  ['2024', '2023-05-05-s1', 'The shift "2023-05-05-s1" is in the folder of the year 2024. Move it to 2023.'],
  ['24', '2024-05-05-s1', '"24" is not a year. Name the folder with four digits, such as 2024.'],
  ['2024-25', '2024-05-05-s1', '"2024-25" is not a year. Name the folder with four digits, such as 2024.'],
  ['20240', '2024-05-05-s1', '"20240" is not a year. Name the folder with four digits, such as 2024.'],
];

/** Cases of the rules on the places of files and the names of folders. */
export const placeCases: readonly RuleCase[] = [
  { rule: 'not-empty', title: 'accepts a bank with an exam and a paper', files: valid, found: [] },
  ...[{}, { 'schema/exam.schema.json': '{}', '.gitkeep': '' }].map((files) => ({
    rule: 'not-empty',
    title: `rejects a bank with ${Object.keys(files).join(' and ') || 'no files'}`,
    files,
    found: [
      {
        message:
          'The content folder has no exam. Create <exam>/exam.json and <exam>/<year>/<shift>/<subject>.json.',
        file: '',
        pointer: '',
        at: startOfFile,
      },
    ],
  })),
  {
    rule: 'not-empty',
    title: 'rejects an exam without a paper',
    files: { ...valid, 'jeemain/exam.json': sampleExam },
    found: [
      {
        message: 'The exam has no papers. Create jeemain/<year>/<shift>/<subject>.json.',
        file: 'jeemain/exam.json',
        pointer: '',
        at: wholeExam,
      },
    ],
  },

  {
    rule: 'stray-file',
    title: 'ignores schemas and hidden files',
    files: {
      ...valid,
      'schema/exam.schema.json': '{',
      'schema/subject-file.schema.json': '',
      '.DS_Store': '',
      'neet/.cache/x': '',
      [`${shiftPath}/.physics.json.swp`]: '',
    },
    found: [],
  },
  ...strays.map(([file, text, at]) => ({
    rule: 'stray-file',
    title: `rejects ${file}`,
    files: { ...valid, [file]: text },
    found: [
      {
        message:
          'This is not part of a bank. A bank contains <exam>/exam.json, <exam>/<year>/<shift>/<subject>.json and <exam>/<year>/<shift>/diagrams/<file>.',
        file,
        pointer: '',
        at,
      },
    ],
  })),

  {
    rule: 'stray-file',
    title: 'reports a folder among the diagrams once',
    files: { ...valid, [`${shiftPath}/diagrams/old/q1.png`]: 'x' },
    found: [
      {
        message: 'This is a folder where a file is expected. Rename the folder, or remove it.',
        file: `${shiftPath}/diagrams/old`,
        pointer: '',
        at: startOfFile,
      },
    ],
  },
  ...(
    [
      ['rejects a symbolic link to a paper', `${shiftPath}/biology.json`, paperPath],
      ['rejects a symbolic link to a missing file', `${shiftPath}/biology.json`, 'nothing.json'],
      ['rejects a symbolic link to a folder', 'neet/2025', 'neet/2024'],
      [
        'rejects a symbolic link to a file outside the bank',
        `${shiftPath}/biology.json`,
        '../../../../../../../etc/hostname',
      ],
    ] as const
  ).map(
    ([title, path, target]): RuleCase => ({
      rule: 'stray-file',
      title,
      files: valid,
      make: (dir) => symlink(join(dir, target), join(dir, path)),
      found: [
        {
          message: 'This is a symbolic link. Replace it with the file itself.',
          file: path,
          pointer: '',
          at: startOfFile,
        },
      ],
    }),
  ),

  ...['jeemain', 'x', 'gate2', 'document'].map((code) => ({
    rule: 'exam-code',
    title: `accepts ${code}`,
    files: examNamed(code),
    found: [],
  })),
  ...['JEEMain', '2jee', 'jee-main', 'jee_main', 'jee main', 'jeé'].map((code) => ({
    rule: 'exam-code',
    title: `rejects ${code}`,
    files: examNamed(code),
    found: [
      {
        message: `"${code}" is not an exam code. Use lower-case letters and digits, starting with a letter, such as jeemain.`,
        file: `${code}/exam.json`,
        pointer: '',
        at: wholeExam,
      },
    ],
  })),
  ...['docs', 'dashboard', 'auth', 'favicon.ico', 'robots.txt'].map((code) => ({
    rule: 'exam-code',
    title: `rejects ${code}, which is reserved`,
    files: examNamed(code),
    found: [
      {
        message: `"${code}" is reserved. Rename the folder of the exam.`,
        file: `${code}/exam.json`,
        pointer: '',
        at: wholeExam,
      },
    ],
  })),

  ...[
    ['shifts with the same subjects', ['physics', 'chemistry'], ['physics', 'chemistry']],
    ['shifts with other subjects', ['physics'], ['biology']],
    ['shifts of which each has a subject of its own', ['physics', 'chemistry'], ['physics', 'biology']],
    ['three shifts with different subjects', ['physics'], ['physics', 'chemistry'], ['biology']],
  ].map(
    ([title = '', ...shifts]): RuleCase => ({
      rule: 'missing-paper',
      title: `accepts ${title}`,
      files: dayOf(...(shifts as string[][])),
      found: [],
    }),
  ),
  {
    rule: 'missing-paper',
    title: 'reports a subject that only one shift of a day lacks',
    files: dayOf(['chemistry', 'physics'], ['chemistry', 'physics'], ['physics']),
    found: [
      {
        message: 'This shift has no chemistry.json, but the 2 other shifts of the day have.',
        file: 'neet/2024/2024-05-05-s3/physics.json',
        pointer: '',
        at: '1:1-23:2',
      },
    ],
  },
  {
    rule: 'missing-paper',
    title: 'reports a shift without papers',
    files: valid,
    make: async (dir) => void (await mkdir(join(dir, 'neet/2024/2024-05-06-s1'), { recursive: true })),
    found: [
      {
        message: 'This shift has no papers. Add them, or remove the folder.',
        file: 'neet/2024/2024-05-06-s1',
        pointer: '',
        at: startOfFile,
      },
    ],
  },
  { rule: 'exam-file', title: 'accepts an exam with an exam.json', files: valid, found: [] },
  {
    rule: 'exam-file',
    title: 'reports a missing exam.json once, at the first paper',
    files: {
      ...valid,
      'jeemain/2024/2024-01-27-s1/physics.json': paperOf({ ...mcq, id: 'q2', question: 'One?' }),
      'jeemain/2024/2024-01-27-s1/chemistry.json': paperOf({ ...mcq, id: 'q3', question: 'Two?' }),
    },
    found: [
      {
        message: 'The exam of this paper has no jeemain/exam.json. Create it, with a label and subjects.',
        file: 'jeemain/2024/2024-01-27-s1/chemistry.json',
        pointer: '',
        at: wholePaper,
      },
    ],
  },

  ...(
    [
      ['2024', '2024-02-29-s1'],
      ['2000', '2000-12-31-s10'],
      ['9999', '9999-01-01-s9999'],
    ] as const
  ).map(([year, shift]) => ({
    rule: 'shift-name',
    title: `accepts ${shift} in ${year}`,
    files: paperIn(year, shift),
    found: [],
  })),
  ...badShifts.map(([year, shift, message]) => ({
    rule: 'shift-name',
    title: `rejects ${year}/${shift}`,
    files: paperIn(year, shift),
    found: [{ message, file: `neet/${year}/${shift}/physics.json`, pointer: '', at: wholePaper }],
  })),
  {
    rule: 'shift-name',
    title: 'reports an invalid name once for a shift',
    files: {
      ...paperIn('2024', 'may'),
      'neet/2024/may/biology.json': paperOf({
        ...mcq,
        id: 'q2',
        question: 'Which is a unit of time?',
        diagrams: [{ file: 'q2.png', alt: 'A cell.' }],
      }),
      'neet/2024/may/diagrams/q2.png': png(2, 2),
    },
    found: [
      {
        message: `"may" is not a shift name. Use the date and the number of the shift, such as 2024-05-05-s1.`,
        file: 'neet/2024/may/biology.json',
        pointer: '',
        at: '1:1-29:2',
      },
    ],
  },
];
