import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import type { Diagnostic, Report } from '../../../build/check/diagnostic.ts';
import { jsonReport } from '../../../build/report/json.ts';
import { anyProblem, awkwardReport, fullProblem, problemWithoutText, reportOf } from './sample-report.ts';

const text = { type: 'string' };
const place = { type: 'integer', minimum: 1 };
const count = { type: 'integer', minimum: 0 };

/** The documented format of the report. */
const matches = new Ajv2020().compile<object>(
  objectOf({
    diagnostics: {
      type: 'array',
      items: objectOf(
        {
          rule: text,
          severity: { enum: ['error', 'warning'] },
          message: text,
          file: text,
          line: place,
          column: place,
          endLine: place,
          endColumn: place,
          pointer: text,
        },
        {
          suggestion: text,
          related: {
            type: 'array',
            items: objectOf({ file: text, line: place, column: place, message: text }),
          },
        },
      ),
    },
    summary: objectOf({ files: count, questions: count, errors: count, warnings: count }),
  }),
);

describe('The JSON report', () => {
  it('has the documented fields in order, on one line', () => {
    const { file } = fullProblem;
    const diagram = problemWithoutText.file;
    const expected = {
      diagnostics: [
        {
          rule: 'answer-among-options',
          severity: 'error',
          message: '"C" is not the key of an option. The options are A, B.',
          file,
          ...{ line: 11, column: 17, endLine: 11, endColumn: 20 },
          pointer: '/questions/0/answer',
          suggestion: 'B',
          related: [
            { file, line: 8, column: 9, message: 'This option comes first.' },
            { file: diagram, line: 1, column: 1, message: 'It has a diagram.' },
          ],
        },
        {
          rule: 'unused-diagram',
          severity: 'warning',
          message: 'No question of this shift uses this diagram. Add it to a question, or remove the file.',
          file: diagram,
          ...{ line: 1, column: 1, endLine: 1, endColumn: 1 },
          pointer: '',
        },
      ],
      summary: { files: 29, questions: 168, errors: 1, warnings: 1 },
    };
    assert.equal(jsonReport(reportOf(fullProblem, problemWithoutText)), `${JSON.stringify(expected)}\n`);
  });

  it('has no diagnostics for valid content', () => {
    assert.equal(
      jsonReport(reportOf()),
      '{"diagnostics":[],"summary":{"files":29,"questions":168,"errors":0,"warnings":0}}\n',
    );
  });

  it('has the documented format and the original messages, whatever text they have', () => {
    assertMessagesUnchanged(awkwardReport.diagnostics);
    fc.assert(fc.property(fc.array(anyProblem), assertMessagesUnchanged));
  });

  function assertMessagesUnchanged(problems: readonly Diagnostic[]): void {
    const line = jsonReport(reportOf(...problems));
    assert.equal(line.indexOf('\n'), line.length - 1);
    const report = JSON.parse(line) as Report;
    assert.ok(matches(report), JSON.stringify(matches.errors));
    assert.deepEqual(messages(report), messages({ diagnostics: problems }));
  }
});

function messages({ diagnostics }: Pick<Report, 'diagnostics'>): string[] {
  return diagnostics.map(({ message }) => message);
}

/** The schema of an object with these properties and no others. */
function objectOf(properties: object, optional: object = {}): object {
  return {
    type: 'object',
    properties: { ...properties, ...optional },
    required: Object.keys(properties),
    additionalProperties: false,
  };
}
