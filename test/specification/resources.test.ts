/** Section 2 of the specification: resources and their fields. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import canonicalize from 'canonicalize';
import { openService, readCatalogue } from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: the rows check the type of each field
type Body = any;

/** A row of the specification: field, type and notes. And a check of the value. */
type Row = readonly [row: string, check: (value: Body, body: Body) => void];

const service = await openService();
const catalogue = await readCatalogue(service);
after(() => service.close());

const examYears: Body[] = [];
const yearShifts: Body[] = [];
const questionFiles: Body[] = [];
for (const { exam, years } of catalogue) {
  examYears.push((await service.get(`/${exam}`)).body);
  for (const { year, shifts } of years) {
    yearShifts.push((await service.get(`/${exam}/${year}`)).body);
    for (const { shift, subjects } of shifts) {
      for (const subject of subjects) {
        const response = await service.download(`/${exam}/${year}/${shift}/${subject}.json`);
        assert.equal(response.status, 200);
        questionFiles.push({ ...response.body, requested: { exam, year, shift, subject } });
      }
    }
  }
}
const shiftSummaries: Body[] = yearShifts.flatMap(({ exam, year, shifts }) =>
  shifts.map((summary: Body) => ({ ...summary, of: { exam, year } })),
);
const questions: Body[] = questionFiles.flatMap((file) => file.questions);

function filesOf(summary: Body): Body[] {
  return questionFiles.filter(
    ({ requested }) => requested.exam === summary.of.exam && requested.shift === summary.shift,
  );
}

function shortChecksum(value: unknown): string {
  return createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('hex')
    .slice(0, 12);
}

const newestFirst = (years: readonly number[]) => [...years].sort((a, b) => b - a);
const isoMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
const date = /^\d{4}-\d{2}-\d{2}$/;
const fourDigits = (year: number) => assert.match(String(year), /^\d{4}$/);

const tables: readonly {
  readonly name: string;
  readonly bodies: readonly Body[];
  readonly rows: readonly Row[];
}[] = [
  {
    name: '2.1 Exam years resource (response of GET /{exam})',
    bodies: examYears,
    rows: [
      [
        'exam | string | exam code, as in the path',
        (exam) => assert.ok(catalogue.some((known) => known.exam === exam)),
      ],
      ['label | string | display name of the exam', (label) => assert.notEqual(label, '')],
      [
        'years | array of integer | available 4-digit years, listed newest first',
        (years) => {
          years.forEach(fourDigits);
          assert.deepEqual(years, newestFirst(years));
        },
      ],
      [
        'totalYears | integer | number of entries in years',
        (total, { years }) => assert.equal(total, years.length),
      ],
    ],
  },
  {
    name: '2.2 Year shifts resource (response of GET /{exam}/{year})',
    bodies: yearShifts,
    rows: [
      [
        'exam | string | exam code',
        (exam) => assert.ok(catalogue.some((known) => known.exam === exam)),
      ],
      ['year | integer | 4-digit year', fourDigits],
      ['shifts | array of shift summary | ', (shifts) => assert.ok(shifts.length > 0)],
    ],
  },
  {
    name: '2.2 Shift summary',
    bodies: shiftSummaries,
    rows: [
      [
        'shift | string | full shift name, shape <YYYY>-<MM>-<DD>-s<n>',
        (shift, { of }) => {
          assert.match(shift, /^\d{4}-\d{2}-\d{2}-s[1-9]\d*$/);
          assert.ok(shift.startsWith(String(of.year)));
        },
      ],
      [
        'subjects | array of string | subject names available for the shift, e.g. physics, chemistry, biology',
        (subjects, summary) =>
          assert.deepEqual(
            subjects,
            filesOf(summary).map(({ subject }) => subject),
          ),
      ],
      [
        'total | integer | total number of questions in the shift',
        (total, summary) =>
          assert.equal(
            total,
            filesOf(summary).reduce((sum, file) => sum + file.questions.length, 0),
          ),
      ],
      [
        'lastUpdated | string | date, YYYY-MM-DD',
        (lastUpdated, summary) => {
          assert.match(lastUpdated, date);
          const newest = filesOf(summary)
            .map(({ metadata }) => metadata.lastUpdated)
            .sort()
            .at(-1);
          assert.equal(lastUpdated, newest.slice(0, 10));
        },
      ],
      [
        'checksum | string | short checksum of the shift data',
        (checksum, summary) => {
          const checksums = filesOf(summary).map(({ subject, metadata }) => [
            subject,
            metadata.checksum,
          ]);
          assert.equal(checksum, shortChecksum(Object.fromEntries(checksums)));
        },
      ],
    ],
  },
  {
    name: '2.3 Question file resource (response of GET /{exam}/{year}/{shift}/{file})',
    bodies: questionFiles,
    rows: [
      ['exam | string | exam code', (exam, { requested }) => assert.equal(exam, requested.exam)],
      ['year | integer | ', (year, { requested }) => assert.equal(year, requested.year)],
      [
        'shift | string | the resolved full shift name, not the shorthand used in the request',
        (shift, { requested }) => assert.equal(shift, requested.shift),
      ],
      [
        'subject | string | subject name of the file, without the .json extension',
        (subject, { requested }) => assert.equal(subject, requested.subject),
      ],
      [
        'total | integer | number of questions in this file',
        (total, file) => assert.equal(total, file.questions.length),
      ],
      ['questions | array of question | ', (list) => assert.ok(list.length > 0)],
      ['metadata | object | see below', (metadata) => assert.equal(typeof metadata, 'object')],
    ],
  },
  {
    name: '2.3 Question',
    bodies: questions,
    rows: [
      [
        'id | string | question identifier; diagram file names for the question contain it',
        (id, { diagrams }) => {
          assert.equal(questions.filter((question) => question.id === id).length, 1);
          for (const diagram of diagrams) assert.ok(diagram.file.includes(id));
        },
      ],
      [
        'type | string | kind of question; the sampled value is mcq',
        (type) => assert.ok(['mcq', 'msq', 'numerical', 'text'].includes(type)),
      ],
      ['question | string | question text', (text) => assert.notEqual(text.trim(), '')],
      [
        'options | array of option | for multiple choice; each option has key (string, a letter label) and value (string, option text)',
        (options, { type }) => {
          assert.equal(options.length === 0, type === 'numerical' || type === 'text');
          for (const option of options) {
            assert.deepEqual(Object.keys(option).slice(0, 2), ['key', 'value']);
            assert.match(option.key, /^[A-Z]$/);
            assert.equal(
              option.value.trim() === '',
              option.value === '' && option.diagram !== undefined,
            );
          }
        },
      ],
      [
        'answer | string | the key of the correct option',
        (answer, { type, options, dropped }) => {
          if (dropped && answer === '') return;
          if (type === 'numerical') return assert.match(answer, /^-?\d+(\.\d+)?$/);
          if (type === 'text') return void assert.notEqual(answer, '');
          const keys = answer.split(',');
          assert.ok(type === 'msq' || keys.length === 1);
          for (const key of keys) assert.ok(options.some((option: Body) => option.key === key));
        },
      ],
      ['topic | string | topic name', (topic) => assert.notEqual(topic, '')],
      [
        'difficulty | string | the sampled value is easy',
        (difficulty) => assert.ok(['easy', 'medium', 'hard'].includes(difficulty)),
      ],
      [
        'hasDiagram | boolean | whether the question has diagrams',
        (hasDiagram, { diagrams, options, passage }) => {
          const ofOptions = options.filter(({ diagram }: Body) => diagram !== undefined);
          if (passage === undefined)
            assert.equal(hasDiagram, diagrams.length + ofOptions.length > 0);
        },
      ],
      [
        'diagrams | array | empty when hasDiagram is false',
        (diagrams, { hasDiagram }) => {
          if (!hasDiagram) assert.deepEqual(diagrams, []);
          for (const diagram of diagrams) {
            assert.deepEqual(Object.keys(diagram), [
              'file',
              'alt',
              'mediaType',
              'width',
              'height',
              'checksum',
            ]);
          }
        },
      ],
    ],
  },
  {
    name: '2.3 Metadata object',
    bodies: questionFiles.map(({ metadata, ...file }) => ({ ...metadata, file })),
    rows: [
      [
        'examDate | string | date, YYYY-MM-DD',
        (examDate, { file }) => assert.equal(examDate, file.shift.slice(0, 10)),
      ],
      [
        'totalQuestions | integer | number of questions in the file',
        (total, { file }) => assert.equal(total, file.questions.length),
      ],
      [
        'lastUpdated | string | ISO 8601 UTC timestamp',
        (lastUpdated) => assert.match(lastUpdated, isoMoment),
      ],
      [
        'checksum | string | short checksum',
        (checksum, { file }) => assert.equal(checksum, shortChecksum(file.questions)),
      ],
    ],
  },
];

const types: Readonly<Record<string, (value: Body) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: Number.isSafeInteger,
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
};

function isOfType(value: Body, type: string): boolean {
  const [outer = '', inner] = type.split(' of ');
  const known = types[outer];
  assert.ok(known, `unknown type: ${type}`);
  if (!known(value)) return false;
  const item = inner === undefined ? undefined : (types[inner] ?? types['object']);
  return item === undefined || value.every(item);
}

for (const { name, bodies, rows } of tables) {
  const fieldsOfRows = rows.map(([row]) => row.split(' | ')[0] ?? '');

  describe(name, () => {
    for (const [row, check] of rows) {
      it(row, () => {
        const [field = '', type = ''] = row.split(' | ');
        assert.ok(bodies.length > 0);
        for (const body of bodies) {
          assert.ok(
            isOfType(body[field], type),
            `${JSON.stringify(body[field])} is not of type ${type}`,
          );
          check(body[field], body);
        }
      });
    }

    // Fields of ours come after them, and must be described.
    it('begins with these fields, in this order', () => {
      for (const body of bodies)
        assert.deepEqual(Object.keys(body).slice(0, rows.length), fieldsOfRows);
    });
  });
}

describe('2.4 Subject files', () => {
  const allExams = () => catalogue.map(({ exam }) => exam);
  const rows: readonly [string, string, string, () => readonly string[]][] = [
    ['physics.json', 'Physics questions', 'all exams', allExams],
    ['chemistry.json', 'Chemistry questions', 'all exams', allExams],
    ['biology.json', 'Biology questions', 'NEET only', () => ['neet']],
    ['mathematics.json', 'Mathematics questions', 'JEE Main only', () => ['jeemain']],
  ];
  for (const [file, content, availability, exams] of rows) {
    it(`${file}: ${content}, ${availability}`, async () => {
      for (const { exam, years } of catalogue) {
        const response = await service.download(`/${exam}/${years[0]?.year}/s1/${file}`);
        if (exams().includes(exam)) {
          assert.equal(response.status, 200);
          assert.equal(`${response.body.subject}.json`, file);
        } else {
          assert.equal(response.status, 404);
          assert.deepEqual(response.body, { error: 'File not found' });
        }
      }
    });
  }
});

describe('2.5 Diagram resource', () => {
  it('An image file addressed by file name. The file name includes the id of the question it belongs to.', async () => {
    let seen = 0;
    for (const { requested, questions: list } of questionFiles) {
      for (const { id, diagrams } of list) {
        for (const { file, mediaType, checksum } of diagrams) {
          const { exam, year, shift } = requested;
          const response = await service.download(`/${exam}/${year}/${shift}/diagrams/${file}`);
          assert.equal(response.status, 200);
          const charset = mediaType === 'image/svg+xml' ? '; charset=utf-8' : '';
          assert.equal(response.headers['content-type'], mediaType + charset);
          assert.ok(file.includes(id));
          const bytes = Buffer.isBuffer(response.body) ? response.body : Buffer.from(response.text);
          assert.equal(createHash('sha256').update(bytes).digest('hex').slice(0, 12), checksum);
          seen += 1;
        }
      }
    }
    assert.ok(seen > 0);
  });
});
