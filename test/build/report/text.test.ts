import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { textReport } from '../../../build/report/text.ts';
import {
  anyProblem,
  awkwardReport,
  fullProblem,
  placeIn,
  problem,
  problemWithoutText,
  reportOf,
} from './sample-report.ts';

const setting = { contentDir: 'content', width: 80, colour: false };

describe('The text report', () => {
  it('shows each problem with its code frame, its suggestion and related places, then a summary', () => {
    assert.equal(
      textReport(reportOf(fullProblem, problemWithoutText), setting),
      `content/neet/2024/2024-05-05-s1/physics.json:11:17 error answer-among-options
  "C" is not the key of an option. The options are A, B.

    10 │       ],
  > 11 │       "answer": "C"
       │                 ^^^
    12 │     }

  Did you mean "B"?

  content/neet/2024/2024-05-05-s1/physics.json:8:9 This option comes first.

    7 │       "options": [
  > 8 │         { "key": "A", "value": "metre" },
      │         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    9 │         { "key": "B", "value": "second" }

  content/neet/2024/2024-05-05-s1/diagrams/q5.png:1:1 It has a diagram.

content/neet/2024/2024-05-05-s1/diagrams/q5.png:1:1 warning unused-diagram
  No question of this shift uses this diagram. Add it to a question, or remove the file.

  answer-among-options  1 error
  unused-diagram        1 warning

168 questions in 29 files: 1 error, 1 warning.
`,
    );
  });

  it('has no empty lines in a problem without a code frame', () => {
    const related = [{ ...problemWithoutText, file: 'neet/exam.json', message: 'It is listed here.' }];
    assert.equal(
      textReport(reportOf({ ...problemWithoutText, suggestion: 'q4.png', related }), setting),
      `content/neet/2024/2024-05-05-s1/diagrams/q5.png:1:1 warning unused-diagram
  No question of this shift uses this diagram. Add it to a question, or remove the file.
  Did you mean "q4.png"?
  content/neet/exam.json:1:1 It is listed here.

168 questions in 29 files: 0 errors, 1 warning.
`,
    );
  });

  it('indents every line of a message', () => {
    const message = 'One thing.\nAnother.';
    const related = [{ ...problemWithoutText, message }];
    assert.equal(
      textReport(reportOf({ ...problemWithoutText, message, related }), setting),
      `content/neet/2024/2024-05-05-s1/diagrams/q5.png:1:1 warning unused-diagram
  One thing.
  Another.
  content/neet/2024/2024-05-05-s1/diagrams/q5.png:1:1 One thing.
    Another.

168 questions in 29 files: 0 errors, 1 warning.
`,
    );
  });

  it('is only the summary for valid content', () => {
    assert.equal(textReport(reportOf(), setting), '168 questions in 29 files: 0 errors, 0 warnings.\n');
  });

  it('has singular nouns for a count of 1', () => {
    const summary = { files: 1, questions: 1, errors: 1, warnings: 1 };
    assert.equal(
      textReport({ diagnostics: [], summary }, setting),
      '1 question in 1 file: 1 error, 1 warning.\n',
    );
  });

  it('shows 20 problems of a rule, and counts the others and those that --fix corrects', () => {
    const many = Array.from({ length: 1022 }, (_, index) =>
      problem({ message: `Number ${index + 1}.`, suggestion: 'B', ...(index < 7 && { fix: '"B"' }) }),
    );
    const text = textReport(reportOf(...many, problemWithoutText), setting);
    assert.equal(text.match(/Number \d+\./g)?.at(-1), 'Number 20.');
    assert.ok(
      text.endsWith(`  No question of this shift uses this diagram. Add it to a question, or remove the file.

  answer-among-options  1,022 errors, 1,002 of them not shown
  unused-diagram        1 warning

pastpaper validate --rule answer-among-options shows all problems of that rule.
pastpaper validate --fix corrects 7 problems.

168 questions in 29 files: 1,022 errors, 1 warning.
`),
      text.slice(-400),
    );
    assert.ok(textReport(reportOf(...many), setting, Number.POSITIVE_INFINITY).includes('Number 1022.'));
  });

  it('does not ask for an empty suggestion: the message says what to remove', () => {
    assert.doesNotMatch(textReport(reportOf(problem({ suggestion: '' })), setting), /Did you mean/);
  });

  it('quotes a suggestion as JSON', () => {
    const text = textReport(reportOf(problem({ suggestion: '\\frac "a"\n' })), setting);
    assert.ok(text.includes(String.raw`  Did you mean "\\frac \"a\"\n"?`));
  });

  it('has the same text in colour, whatever the output and environment', () => {
    const report = reportOf(fullProblem, problemWithoutText);
    const inColour = textReport(report, { ...setting, colour: true });
    assert.ok(inColour.includes('\u001b[31m'));
    assert.ok(inColour.includes('\u001b[33m'));
    assert.equal(stripVTControlCharacters(inColour), textReport(report, setting));
  });

  it('has no control characters, whatever text the content and messages have', () => {
    const controlCharacters = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/u;
    assert.doesNotMatch(textReport(awkwardReport, setting), controlCharacters);
    fc.assert(
      fc.property(anyProblem, (any) => {
        assert.doesNotMatch(textReport(reportOf(any), setting), controlCharacters);
      }),
    );
  });

  it('makes control and invisible characters visible', () => {
    const place = placeIn('"a\u001b[31mb\u202ec\u200bd"', '\u001b', 'It holds \u001b[31m.', 'a\nb.json');
    assert.equal(
      textReport(reportOf(problem({ ...place, severity: 'warning' })), setting),
      `content/a␊b.json:1:3 warning answer-among-options
  It holds ␛[31m.

  > 1 │ "a␛[31mb<U+202E>c<U+200B>d"
      │   ^

168 questions in 29 files: 0 errors, 1 warning.
`,
    );
  });
});
