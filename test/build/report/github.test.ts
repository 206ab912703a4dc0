import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Diagnostic } from '../../../build/check/diagnostic.ts';
import { githubReport } from '../../../build/report/github.ts';
import { visibleLines } from '../../../build/report/wording.ts';
import { readStep } from './github-runner.ts';
import {
  anyProblem,
  awkwardReport,
  awkwardTexts,
  fullProblem,
  paperFile,
  paperText,
  placeIn,
  problem,
  problemWithoutText,
  reportOf,
} from './sample-report.ts';

const setting = { contentDir: 'content' };

describe('The GitHub report', () => {
  it('annotates problems with place, rule, message, suggestion and related places, then has a summary', () => {
    assert.equal(
      githubReport(reportOf(problemWithoutText, fullProblem), setting),
      `::error file=content/${paperFile},line=11,endLine=11,col=17,endColumn=20,title=answer-among-options::\
"C" is not the key of an option. The options are A, B.%0ADid you mean "B"?%0A\
content/${paperFile}:8:9 This option comes first.%0A\
content/neet/2024/2024-05-05-s1/diagrams/q5.png:1:1 It has a diagram.
::warning file=content/neet/2024/2024-05-05-s1/diagrams/q5.png,line=1,endLine=1,col=1,endColumn=1,title=unused-diagram::\
No question of this shift uses this diagram. Add it to a question, or remove the file.
168 questions in 29 files: 1 error, 1 warning.
`,
    );
  });

  it('is only the summary for valid content', () => {
    assert.equal(githubReport(reportOf(), setting), '168 questions in 29 files: 0 errors, 0 warnings.\n');
  });

  it('has columns only for a range on one line, because the runner ignores others', () => {
    const report = reportOf(problem(placeIn(paperText, '[\n        { "key": "A"')));
    const { annotations } = readStep(githubReport(report, setting));
    assert.deepEqual(Object.fromEntries(annotations[0]?.properties ?? []), {
      file: `content/${paperFile}`,
      line: '7',
      endLine: '8',
      title: 'answer-among-options',
    });
  });

  it('annotates the ten most important problems, errors first, and counts the others', () => {
    const of = (severity: Diagnostic['severity'], number: number) =>
      Array.from({ length: number }, (_, index) => problem({ severity, message: `${severity} ${index}` }));
    const numbers = (from: number, length: number) => Array.from({ length }, (_, index) => from + index);

    const many = readStep(githubReport(reportOf(...of('warning', 25), ...of('error', 25)), setting));
    assert.deepEqual(
      many.annotations.map(({ message }) => message),
      numbers(0, 10).map((index) => `error ${index}`),
    );
    assert.deepEqual(many.plain, [
      'GitHub shows 10 annotations per step. The SARIF report has the other 40 problems: 15 errors, 25 warnings.',
      '168 questions in 29 files: 25 errors, 25 warnings.',
      '',
    ]);

    const some = readStep(githubReport(reportOf(...of('warning', 4), ...of('error', 7)), setting));
    assert.deepEqual(
      some.annotations.map(({ command, message }) => `${command}: ${message}`),
      [
        ...numbers(0, 7).map((index) => `error: error ${index}`),
        ...numbers(0, 3).map((index) => `warning: warning ${index}`),
      ],
    );
    assert.equal(
      some.plain[0],
      'GitHub shows 10 annotations per step. The SARIF report has the other problem: 0 errors, 1 warning.',
    );

    const few = readStep(githubReport(reportOf(...of('warning', 4), ...of('error', 6)), setting));
    assert.equal(few.annotations.length, 10);
    assert.deepEqual(few.plain, ['168 questions in 29 files: 6 errors, 4 warnings.', '']);
  });

  for (const text of awkwardTexts) {
    it(`is parsed by the runner to the original text: ${JSON.stringify(text.slice(0, 30))}`, () => {
      const report = reportOf(problem({ file: `${text}.json`, message: text }));
      const { annotations, plain } = readStep(githubReport(report, setting));
      const [annotation] = annotations;
      assert.equal(annotations.length, 1);
      assert.equal(annotation?.properties.get('file'), `content/${text}.json`);
      assert.equal(annotation?.properties.get('title'), 'answer-among-options');
      assert.deepEqual(plain, ['168 questions in 29 files: 1 error, 0 warnings.', '']);
      assert.equal(annotation?.message, visibleLines(text).join('\n'));
    });
  }

  it('has no other commands for the runner, whatever text the content and messages have', () => {
    assertAnnotatesOnly(awkwardReport.diagnostics);
    fc.assert(fc.property(fc.array(anyProblem, { maxLength: 12 }), assertAnnotatesOnly));
  });

  function assertAnnotatesOnly(problems: readonly Diagnostic[]): void {
    const { annotations, plain } = readStep(githubReport(reportOf(...problems), setting));
    assert.equal(annotations.length, Math.min(problems.length, 10));
    assert.equal(plain.length, problems.length > 10 ? 3 : 2);
    for (const { command, properties } of annotations) {
      assert.ok(command === 'error' || command === 'warning');
      assert.deepEqual(
        [...properties.keys()].filter((name) => name !== 'col' && name !== 'endColumn'),
        ['file', 'line', 'endLine', 'title'],
      );
    }
  }
});
