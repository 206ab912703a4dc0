import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { bankOutputs } from '../../build/compile/exams.ts';
import { validateResponse } from '../../build/compile/response.ts';
import { nfc } from '../../build/rules/characters.ts';
import { textRules } from '../../build/rules/text.ts';
import { paperOf, paperPath, sampleQuestions, shiftPath } from './bank-folder.ts';
import { canonicalJson, checksum } from './canonical-json.ts';
import { compileFiles, compilePaper, drawings, everything, received, shiftsOf } from './compiled-bank.ts';

const { mcq, msq, numerical } = sampleQuestions;

describe('The lastUpdated of a shift', () => {
  const moments: readonly [readonly string[], string][] = [
    [['2024-06-01T10:00:00Z', '2024-05-31T23:59:59Z', '2023-12-31T00:00:00Z'], '2024-06-01'],
    [['2024-05-31T23:59:59Z', '2024-06-01T00:00:00Z'], '2024-06-01'],
    [['2024-06-01T23:59:59.999999999Z', '2024-06-01T23:59:59Z'], '2024-06-01'],
    [['2024-06-01T00:00:00.5Z', '2024-05-31T00:00:00Z', '2024-06-01T00:00:00Z'], '2024-06-01'],
    [['0001-01-01T00:00:00Z'], '0001-01-01'],
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

  it('is a date, and that of a file is the time exactly as written', async () => {
    const lastUpdated = '2024-06-01T10:00:00.50Z';
    const file = await compilePaper([mcq], { [paperPath]: { lastUpdated, questions: [mcq] } });
    assert.equal(file.metadata.lastUpdated, lastUpdated);
  });
});

describe('A client can recompute the checksum', () => {
  it('of a question file, from the canonical JSON of its questions', async () => {
    const { questions, metadata } = received(await compilePaper([everything, { ...msq, id: 'q2' }], drawings));
    assert.match(metadata.checksum, /^[0-9a-f]{12}$/);
    assert.equal(metadata.checksum, checksum(canonicalJson(questions)));
  });

  it('of a question file with any texts', async () => {
    // Valid texts: in NFC, without the signs of formulas and Markdown, and without characters that other rules check.
    const text = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .map((any) => any.normalize('NFC').replaceAll(/[$\\*_#>+=~`|<![\]\-\d\s]/g, 'x'))
      .filter((any) => textRules.every((rule) => rule === nfc || !rule.concerns?.test(any)));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 3 }), async (texts) => {
        const questionsToCompile = texts.map((question, index) => ({ ...numerical, id: `q${index}`, question }));
        const { questions, metadata } = received(await compilePaper(questionsToCompile));
        assert.deepEqual(
          questions.map(({ question }) => question),
          texts,
        );
        assert.equal(metadata.checksum, checksum(canonicalJson(questions)));
      }),
      { numRuns: 40 },
    );
  });

  it('of a shift, from the canonical JSON of its subjects and their checksums', async () => {
    const bank = await compileFiles({
      [`${shiftPath}/chemistry.json`]: paperOf({ ...msq, id: 'q2' }),
      [`${shiftPath}/biology.json`]: paperOf({ ...numerical, id: 'q3' }),
    });
    const [shift] = received(bank.exams[0]?.years[0]?.resource.shifts ?? []);
    const files = received(bank.files);
    assert.equal(shift?.total, 3);
    const bySubject = Object.fromEntries(files.map(({ subject, metadata }) => [subject, metadata.checksum]));
    assert.deepEqual(Object.keys(bySubject).sort(), ['biology', 'chemistry', 'physics']);
    assert.equal(shift?.checksum, checksum(canonicalJson(bySubject)));
  });

  it('of a file and a shift, which change with any change to a question', async () => {
    const checksums = new Set<string>();
    const variants = [mcq, { ...mcq, topic: 'units' }, { ...mcq, dropped: true as const }, { ...mcq, answer: 'B' }];
    for (const question of variants) {
      const { exams, files } = await compileFiles({ [paperPath]: paperOf(question) });
      checksums.add(files[0]?.metadata.checksum ?? '');
      checksums.add(exams[0]?.years[0]?.resource.shifts[0]?.checksum ?? '');
    }
    assert.equal(checksums.size, 2 * variants.length);
  });
});

const file = await compilePaper([everything, { ...msq, id: 'q2' }, { ...numerical, id: 'q3' }], drawings);
const { exams } = await compileFiles({});
const [exam] = exams;
const year = exam?.years[0]?.resource;
const noAnswer = /\/p .*QuestionFile.*\/questions\/0 /;

describe('Validating a response against the schemas of the API', () => {
  it('accepts the responses of a valid bank', () => {
    validateResponse('QuestionFile', 'neet/2024/2024-05-05-s1/physics.json', file);
    assert.equal([...bankOutputs(exams)].length, 2);
  });

  const [question] = file.questions;
  const withQuestion = (fields: object) => ({ ...file, questions: [{ ...question, ...fields }] });
  const badChecksum = { ...file, metadata: { ...file.metadata, checksum: 'ABC' } };
  const shortName = { ...year, shifts: [{ ...year?.shifts[0], shift: 's1' }] };
  const broken: readonly (readonly [string, ...Parameters<typeof validateResponse>, RegExp])[] = [
    ['a question without an answer', 'QuestionFile', 'p', withQuestion({ answer: undefined }), noAnswer],
    ['an unknown question type', 'QuestionFile', 'p', withQuestion({ type: 'essay' }), /\/questions\/0/],
    ['a malformed checksum', 'QuestionFile', 'p', badChecksum, /\/metadata\/checksum/],
    ['a total that is a string', 'QuestionFile', 'p', { ...file, total: '1' }, /\/total/],
    ['an exam without years', 'ExamYears', 'neet', { ...exam?.resource, years: undefined }, /ExamYears.*years/],
    ['an abbreviated shift name', 'YearShifts', 'neet/2024', shortName, /\/shifts\/0\/shift/],
  ];
  for (const [what, schema, path, value, message] of broken) {
    it(`rejects ${what}, with its JSON pointer`, () => {
      assert.throws(() => validateResponse(schema, path, value), message);
    });
  }
});
