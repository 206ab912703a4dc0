import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bankOutputs } from '../../build/compile/exams.ts';
import { validateResponse } from '../../build/compile/response.ts';
import { sampleQuestions } from './bank-folder.ts';
import { compileFiles, compilePaper, drawings, everything } from './compiled-bank.ts';

const { msq, numerical } = sampleQuestions;
const file = await compilePaper([everything, { ...msq, id: 'q2' }, { ...numerical, id: 'q3' }], drawings);
const { exams } = await compileFiles({});
const [exam] = exams;
const year = exam?.years[0]?.resource;

describe('Validating a response against the schemas of the API', () => {
  it('accepts the responses of a valid bank', () => {
    validateResponse('QuestionFile', 'neet/2024/2024-05-05-s1/physics.json', file);
    assert.equal([...bankOutputs(exams)].length, 2);
  });

  const [question] = file.questions;
  const broken: readonly [string, Parameters<typeof validateResponse>, RegExp][] = [
    [
      'a question without an answer',
      ['QuestionFile', 'p', { ...file, questions: [{ ...question, answer: undefined }] }],
      /\/p .*QuestionFile.*\/questions\/0 /,
    ],
    [
      'an unknown question type',
      ['QuestionFile', 'p', { ...file, questions: [{ ...question, type: 'essay' }] }],
      /\/questions\/0/,
    ],
    [
      'a malformed checksum',
      ['QuestionFile', 'p', { ...file, metadata: { ...file.metadata, checksum: 'ABC' } }],
      /\/metadata\/checksum/,
    ],
    ['a total that is a string', ['QuestionFile', 'p', { ...file, total: '1' }], /\/total/],
    [
      'an exam without years',
      ['ExamYears', 'neet', { ...exam?.resource, years: undefined }],
      /ExamYears.*years/,
    ],
    [
      'a year with an abbreviated shift name',
      ['YearShifts', 'neet/2024', { ...year, shifts: [{ ...year?.shifts[0], shift: 's1' }] }],
      /\/shifts\/0\/shift/,
    ],
  ];
  for (const [what, args, message] of broken) {
    it(`rejects ${what}, with its JSON pointer`, () => {
      assert.throws(() => validateResponse(...args), message);
    });
  }
});
