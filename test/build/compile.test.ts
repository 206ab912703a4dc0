import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { validateResponse } from '../../build/compile/compile-shift.ts';
import { bankOutputs } from '../../build/compile/exams.ts';
import type { TranslatedQuestion, TranslationFile } from '../../build/content/written.ts';
import type { Question } from '../../build/release/resources.ts';
import {
  examPath,
  paperOf,
  paperPath,
  sampleExam,
  sampleQuestions,
  shiftPath,
} from './bank-folder.ts';
import { canonicalJson, checksum } from './canonical-json.ts';
import {
  compileExam,
  compileFiles,
  compilePaper,
  drawings,
  everything,
  graph,
  photo,
  received,
  shiftsOf,
} from './compiled-bank.ts';
import { everyFieldFiles, hindiPath } from './every-field.ts';

const { mcq, msq, numerical } = sampleQuestions;

function names(value: object | undefined): string[] {
  return Object.keys(received(value ?? {}));
}

describe('Compiled responses have exactly the fields of the specification, in its order:', () => {
  it('2.3: a diagram, with file, alt, mediaType, width, height and checksum', async () => {
    const { questions } = await compilePaper(
      [everything, { ...mcq, id: 'q2', diagrams: [] }],
      drawings,
    );
    const drawn = {
      file: 'q1-graph.svg',
      alt: 'A graph.',
      mediaType: 'image/svg+xml',
      width: 320,
      height: 200,
    };
    const painted = {
      file: 'q1-photo.png',
      alt: 'A photograph.',
      mediaType: 'image/png',
      width: 13,
      height: 7,
    };
    const diagrams = [
      { ...drawn, checksum: checksum(graph) },
      { ...painted, checksum: checksum(photo) },
    ];
    assert.deepEqual(names(questions[0]?.diagrams[0]), Object.keys(diagrams[0] ?? {}));
    assert.deepEqual(
      questions.map((question) => [question.hasDiagram, question.diagrams]),
      [
        [true, diagrams],
        [false, []],
      ],
    );
  });
});

describe('Compiled responses list', () => {
  let used = 0;
  /** A paper with one question, which has a unique id. */
  function anyPaper() {
    used += 1;
    return paperOf({ ...mcq, id: `q-${used}` });
  }

  it('subjects in the order of exam.json', async () => {
    const subjects = ['physics', 'biology', 'zoology', 'chemistry', 'botany'];
    const papers = subjects.map((subject) => [`${shiftPath}/${subject}.json`, anyPaper()]);
    const files = { 'neet/exam.json': { label: 'NEET', subjects }, ...Object.fromEntries(papers) };
    const exam = await compileExam(files);
    assert.deepEqual(exam.years[0]?.resource.shifts[0]?.subjects, subjects);
    assert.deepEqual(
      exam.years[0]?.shifts[0]?.papers.map(({ subject }) => subject),
      subjects,
    );
  });
});

describe('The details of a shift', () => {
  const detailsPath = 'neet/2019/2019-06-01-s1/shift.json';
  const paper = { 'neet/2019/2019-06-01-s1/physics.json': paperOf({ ...mcq, id: 'q-2019' }) };

  it('follow the other fields of the shift and of its question files', async () => {
    const { exams, files } = await compileFiles({
      ...paper,
      [detailsPath]: { date: '2019-06', edition: '2018' },
    });
    const resources = exams.flatMap(({ years }) =>
      years.flatMap(({ resource }) => resource.shifts),
    );
    for (const resource of [resources.find(({ shift }) => shift.startsWith('2019')), files[0]]) {
      const json = JSON.stringify(resource);
      assert.ok(json.endsWith(',"edition":"2018","date":"2019-06"}'), json);
    }
  });

  it('have the form of the shift, or of its exam, which question files do not have', async () => {
    const [section, marking] = [
      { attempt: 1, questions: 2, subject: 'physics', name: 'A' },
      { correct: 4 },
    ];
    const form = { sections: [{ marking, ...section }], totalMarks: 4, duration: 60 };
    const exam = { [examPath]: { ...sampleExam, form: { ...form, duration: 90 } } };
    const { exams, files } = await compileFiles({ ...paper, ...exam, [detailsPath]: { form } });
    const shifts = exams.flatMap(({ years }) => years.flatMap(({ resource }) => resource.shifts));
    for (const [resource, minutes] of [
      [exams[0]?.resource, 90] as const,
      [shifts[0], 90] as const,
      [shifts[1], 60],
    ] as const) {
      const sections =
        '[{"name":"A","subject":"physics","questions":2,"attempt":1,"marking":{"correct":4}}]';
      const json = JSON.stringify(resource);
      assert.ok(
        json.endsWith(`,"form":{"duration":${minutes},"totalMarks":4,"sections":${sections}}}`),
        json,
      );
    }
    assert.ok(!JSON.stringify(files).includes('"form"'));
  });
});

describe('A translated question file', () => {
  it('has the texts of the translation, and everything else of the original', async () => {
    const { files } = await compileFiles(everyFieldFiles);
    const [english, hindi] = files
      .filter(({ subject }) => subject === 'physics')
      .map(({ questions }) => questions);
    const textsOf = ({
      question,
      options = [],
      solution,
      diagrams = [],
    }: TranslatedQuestion | Question) => ({
      texts: [question, solution, ...diagrams.map(({ alt }) => alt)],
      options: options.map(({ value = '', diagram }) => [value, diagram?.alt || undefined]),
    });
    const translation = everyFieldFiles[hindiPath] as TranslationFile;
    assert.deepEqual(hindi?.map(textsOf), translation.questions.map(textsOf));
    const restOf = ({
      question,
      solution,
      options,
      diagrams,
      passageChecksum,
      ...rest
    }: Question) => ({
      ...rest,
      options: options.map(({ key, label, diagram }) => [key, label, diagram?.checksum]),
      diagrams: diagrams.map(({ checksum }) => checksum),
    });
    assert.deepEqual(hindi?.map(restOf), english?.map(restOf));
  });
});

describe('A passage of another paper', () => {
  it('is among those of the question file, in its language, which is as new as the other paper', async () => {
    const paper = (question: object, more: object = {}) => ({
      ...paperOf(mcq),
      questions: [question],
      ...more,
    });
    const inHindi = (id: string) => ({ id, question: 'कौन सा?', options: mcq.options });
    const newer = { lastUpdated: '2024-06-03T10:00:00Z' };
    const { files } = await compileFiles({
      [paperPath]: paper({ ...mcq, passage: 'chemistry/p1' }),
      [`${shiftPath}/physics.hi.json`]: paper(inHindi('q1')),
      [`${shiftPath}/chemistry.json`]: paper(
        { ...mcq, id: 'q2' },
        { passages: [{ id: 'p1', text: 'A train.' }], ...newer },
      ),
      [`${shiftPath}/chemistry.hi.json`]: paper(inHindi('q2'), {
        passages: [{ id: 'p1', text: 'एक रेल।' }],
      }),
    });
    const ofPhysics = files.filter(({ subject }) => subject === 'physics');
    assert.deepEqual(
      ofPhysics.map(({ questions, passages, metadata }) => [
        questions[0]?.passage,
        passages,
        metadata.lastUpdated,
      ]),
      ['A train.', 'एक रेल।'].map((text) => [
        'chemistry/p1',
        [{ id: 'chemistry/p1', text, diagrams: [] }],
        newer.lastUpdated,
      ]),
    );
    assert.equal(
      ofPhysics[0]?.questions[0]?.passageChecksum,
      checksum(canonicalJson(ofPhysics[0]?.passages?.[0])),
    );
    assert.equal(files.find(({ subject }) => subject === 'chemistry')?.passages, undefined);
  });
});

describe('The lastUpdated of a shift', () => {
  const moments: readonly [readonly string[], string][] = [
    [['2024-06-01T10:00:00Z', '2024-05-31T23:59:59Z', '2023-12-31T00:00:00Z'], '2024-06-01'],
    [['2024-06-01T23:59:59.999999999Z', '2024-06-01T23:59:59Z'], '2024-06-01'],
  ];
  for (const [written, date] of moments) {
    it(`is ${date} for files with ${written.join(', ')}`, async () => {
      const subjects = ['physics', 'chemistry', 'biology'];
      const papers = written.map((lastUpdated, index) => [
        `${shiftPath}/${subjects[index]}.json`,
        { lastUpdated, questions: [{ ...mcq, id: `q${index}` }] },
      ]);
      const [shift] = await shiftsOf(Object.fromEntries(papers));
      assert.equal(shift?.lastUpdated, date);
    });
  }

  it('is that of a translation if no other file is as new', async () => {
    const [shift] = await shiftsOf({
      [hindiPath]: {
        lastUpdated: '2024-07-01T10:00:00Z',
        questions: [{ id: mcq.id, question: 'कौन सा?', options: mcq.options }],
      },
    });
    assert.equal(shift?.lastUpdated, '2024-07-01');
  });

  it('is a date, and that of a file is the time exactly as written', async () => {
    const lastUpdated = '2024-06-01T10:00:00.50Z';
    const file = await compilePaper([mcq], { [paperPath]: { lastUpdated, questions: [mcq] } });
    assert.equal(file.metadata.lastUpdated, lastUpdated);
  });
});

const file = await compilePaper(
  [everything, { ...msq, id: 'q2' }, { ...numerical, id: 'q3' }],
  drawings,
);
const { exams } = await compileFiles({});
const [exam] = exams;
const noAnswer = /\/p .*QuestionFile.*\/questions\/0 /;

describe('Validating a response against the schemas of the API', () => {
  it('accepts the responses of a valid bank', () => {
    validateResponse('QuestionFile', 'neet/2024/2024-05-05-s1/physics.json', file);
    assert.ok([...bankOutputs(exams)].length > 0);
  });

  const [question] = file.questions;
  const withQuestion = (fields: object) => ({ ...file, questions: [{ ...question, ...fields }] });
  const badChecksum = { ...file, metadata: { ...file.metadata, checksum: 'ABC' } };
  const broken: readonly (readonly [string, ...Parameters<typeof validateResponse>, RegExp])[] = [
    [
      'a question without an answer',
      'QuestionFile',
      'p',
      withQuestion({ answer: undefined }),
      noAnswer,
    ],
    ['a malformed checksum', 'QuestionFile', 'p', badChecksum, /\/metadata\/checksum/],
    [
      'an exam without years',
      'ExamYears',
      'neet',
      { ...exam?.resource, years: undefined },
      /ExamYears.*years/,
    ],
  ];
  for (const [what, schema, path, value, message] of broken) {
    it(`rejects ${what}, with its JSON pointer`, () => {
      assert.throws(() => validateResponse(schema, path, value), message);
    });
  }
});
