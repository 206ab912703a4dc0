import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Diagnostic, Location } from '../../../build/check/diagnostic.ts';
import { type PaperProblems, problemsOf } from '../../../build/preview/problems.ts';
import { paperPath, shiftPath } from '../bank-folder.ts';

const questions = [
  { lines: { line: 3, endLine: 9 }, files: ['q1.svg'] },
  { lines: { line: 10, endLine: 20 }, files: [] },
];

function diagnostic(file: string, pointer: string, related: readonly Location[] = []): Diagnostic {
  return { rule: 'rule', severity: 'error', pointer, ...location(file, 1), related };
}

function location(file: string, line: number): Location {
  return { message: 'It is wrong.', file, line, column: 1, endLine: line, endColumn: 2, excerpt: [] };
}

/** The number of problems at the file and at each question. */
function counts(one: Diagnostic, elsewhere: readonly string[] = []): number[] {
  const { ofFile, ofQuestions }: PaperProblems = problemsOf([one], paperPath, questions, new Set(elsewhere));
  return [ofFile.length, ...ofQuestions.map(({ length }) => length)];
}

describe('A problem is shown', () => {
  it('beside the question of its JSON pointer', () => {
    assert.deepEqual(counts(diagnostic(paperPath, '/questions/1')), [0, 0, 1]);
    assert.deepEqual(counts(diagnostic(paperPath, '/questions/0/options/1/value')), [0, 1, 0]);
  });

  it('at the top, if it concerns the file or an unknown question', () => {
    for (const pointer of ['', '/lastUpdated', '/questions', '/questions/10', '/questions/1x'])
      assert.deepEqual(counts(diagnostic(paperPath, pointer)), [1, 0, 0], pointer);
  });

  it('beside the question of its diagram', () => {
    const file = `${shiftPath}/diagrams/q1.svg`;
    assert.deepEqual(counts(diagnostic(file, '')), [0, 1, 0]);
  });

  it('at the top, if no question of the shift has the diagram', () => {
    const file = `${shiftPath}/diagrams/q9.svg`;
    assert.deepEqual(counts(diagnostic(file, '')), [1, 0, 0]);
    assert.deepEqual(counts(diagnostic(file, ''), ['q9.svg']), [0, 0, 0]);
  });

  it('beside the question that another file contradicts', () => {
    const other = `${shiftPath}/chemistry.json`;
    const at = (...lines: number[]) => lines.map((line) => location(paperPath, line));
    assert.deepEqual(counts(diagnostic(other, '/questions/0', at(12))), [0, 0, 1]);
    assert.deepEqual(counts(diagnostic(other, '/questions/0', at(3, 5))), [0, 1, 0]);
    assert.deepEqual(counts(diagnostic(other, '/questions/0', at(2))), [1, 0, 0]);
  });

  it('not on the pages of other papers', () => {
    assert.deepEqual(counts(diagnostic(`${shiftPath}/chemistry.json`, '/questions/0')), [0, 0, 0]);
    assert.deepEqual(counts(diagnostic('neet/2023/2023-05-07-s1/diagrams/q1.svg', '')), [0, 0, 0]);
  });
});
