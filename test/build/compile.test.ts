import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { validateResponse } from '../../build/compile/compile-shift.ts';
import { bankOutputs } from '../../build/compile/exams.ts';
import type { TranslatedQuestion, TranslationFile } from '../../build/content/written.ts';
import type { Question } from '../../build/release/resources.ts';
import { type Files, paperOf, paperPath, sampleQuestions, shiftPath } from './bank-folder.ts';
import { canonicalJson, checksum } from './canonical-json.ts';
import { compileFiles, received } from './compiled-bank.ts';
import { everyFieldFiles, hindiPath } from './every-field.ts';

const { mcq } = sampleQuestions;

const { exams, files } = await compileFiles(everyFieldFiles);
const exam = exams[0] ?? assert.fail();
const shifts = exam.years.flatMap(({ resource }) => resource.shifts);

describe('A shift', () => {
  it('has its subjects in the order of exam.json', () =>
    assert.deepEqual(shifts[0]?.subjects, ['physics', 'chemistry']));

  it('has its own form, or that of its exam; question files have none', () => {
    const forms = [exam.resource, ...shifts].map(({ form }) => form?.duration);
    assert.deepEqual(forms, [60, 90, 60]);
    assert.ok(!JSON.stringify(files).includes('"form"'));
  });
});

describe('A translated question file', () => {
  it('has the texts of the translation, and everything else of the original', () => {
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

async function lastUpdatedOf(files: Files): Promise<string | undefined> {
  const { exams } = await compileFiles(files);
  return exams[0]?.years[0]?.resource.shifts[0]?.lastUpdated;
}

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
      assert.equal(await lastUpdatedOf(Object.fromEntries(papers)), date);
    });
  }

  it('is that of a translation if no other file is as new', async () => {
    const questions = [{ id: mcq.id, question: 'कौन सा?', options: mcq.options }];
    const translation = { lastUpdated: '2024-07-01T10:00:00Z', questions };
    assert.equal(await lastUpdatedOf({ [hindiPath]: translation }), '2024-07-01');
  });

  it('is a date, and that of a file is the time exactly as written', async () => {
    const lastUpdated = '2024-06-01T10:00:00.50Z';
    const { files } = await compileFiles({ [paperPath]: { lastUpdated, questions: [mcq] } });
    assert.equal(files[0]?.metadata.lastUpdated, lastUpdated);
  });
});

describe('Validating a response against the schemas of the API', () => {
  it('accepts the responses of a valid bank', () => {
    for (const file of files) validateResponse('QuestionFile', paperPath, file);
    assert.ok([...bankOutputs(exams)].length > 0);
  });

  it('rejects what is missing or malformed, with its JSON pointer', () => {
    const file = files[0] ?? assert.fail();
    const questions = [{ ...file.questions[0], answer: undefined }];
    const metadata = { ...file.metadata, checksum: 'ABC' };
    for (const [changes, message] of [
      [{ questions }, /\/p .*QuestionFile.*\/questions\/0 /],
      [{ metadata }, /\/metadata\/checksum/],
    ] as const)
      assert.throws(
        () => validateResponse('QuestionFile', 'p', received({ ...file, ...changes })),
        message,
      );
  });
});
