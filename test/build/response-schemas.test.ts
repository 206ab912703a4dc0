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

describe('Every response is validated against the schemas of the API before it is published', () => {
  it('accepts those of a valid bank', () => {
    validateResponse('QuestionFile', 'neet/2024/2024-05-05-s1/physics.json', file);
    assert.equal([...bankOutputs(exams)].length, 2);
  });

  const [question] = file.questions;
  const broken: readonly [string, Parameters<typeof validateResponse>, RegExp][] = [
    [
      'a question without its answer',
      ['QuestionFile', 'p', { ...file, questions: [{ ...question, answer: undefined }] }],
      /\/p .*QuestionFile.*\/questions\/0 /,
    ],
    [
      'a type that is none',
      ['QuestionFile', 'p', { ...file, questions: [{ ...question, type: 'essay' }] }],
      /\/questions\/0/,
    ],
    [
      'a checksum of another form',
      ['QuestionFile', 'p', { ...file, metadata: { ...file.metadata, checksum: 'ABC' } }],
      /\/metadata\/checksum/,
    ],
    ['a total that is a text', ['QuestionFile', 'p', { ...file, total: '1' }], /\/total/],
    [
      'an exam without years',
      ['ExamYears', 'neet', { ...exam?.resource, years: undefined }],
      /ExamYears.*years/,
    ],
    [
      'a year whose shift has no full name',
      ['YearShifts', 'neet/2024', { ...year, shifts: [{ ...year?.shifts[0], shift: 's1' }] }],
      /\/shifts\/0\/shift/,
    ],
  ];
  for (const [what, args, message] of broken) {
    it(`rejects ${what}, with its place`, () => {
      assert.throws(() => validateResponse(...args), message);
    });
  }
});
