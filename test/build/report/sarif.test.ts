import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import type { Log, Result, Run } from 'sarif';
import type { Diagnostic, Report } from '../../../build/check/diagnostic.ts';
import { sarifReport } from '../../../build/report/sarif.ts';
import {
  anyProblem,
  awkwardReport,
  fullProblem,
  paperFile,
  paperText,
  placeIn,
  problem,
  problemWithoutText,
  reportOf,
  rules,
} from './sample-report.ts';

const setting = { contentDir: 'content', rules };
const matches = await sarifSchema();

describe('The SARIF report', () => {
  it('is a log of one run, with every rule and its help text', () => {
    const { tool, results, columnKind } = runOf(reportOf());
    assert.deepEqual(results, []);
    assert.equal(columnKind, 'utf16CodeUnits');
    assert.equal(tool.driver.name, 'Pastpaper');
    assert.match(tool.driver.semanticVersion ?? '', /^\d+\.\d+\.\d+/);
    assert.deepEqual(tool.driver.rules?.[0], {
      id: 'unused-diagram',
      shortDescription: { text: 'Each diagram belongs to a question.' },
      fullDescription: { text: 'Each diagram belongs to a question.' },
      help: {
        text: `Each diagram belongs to a question.

Wrong:

diagrams/q5.png, which no question names

Right:

"diagrams": [{ "file": "q5.png" }]
`,
        markdown: `Each diagram belongs to a question.

Wrong:

\`\`\`
diagrams/q5.png, which no question names
\`\`\`

Right:

\`\`\`
"diagrams": [{ "file": "q5.png" }]
\`\`\`
`,
      },
      defaultConfiguration: { level: 'warning' },
    });
  });

  it('has the rule, place, pointer and related places of each problem, with links in the message', () => {
    const [full, other] = resultsOf(reportOf(fullProblem, problemWithoutText));
    const uri = `content/${paperFile}`;
    const diagram = 'content/neet/2024/2024-05-05-s1/diagrams/q5.png';
    const physicalLocation = (
      at: string,
      startLine: number,
      startColumn: number,
      endLine: number,
      endColumn: number,
    ) => ({
      artifactLocation: { uri: at, uriBaseId: '%SRCROOT%' },
      region: { startLine, startColumn, endLine, endColumn },
    });
    assert.deepEqual(
      { ...full, partialFingerprints: undefined },
      {
        ruleId: 'answer-among-options',
        ruleIndex: 1,
        level: 'error',
        message: {
          text: '"C" is not the key of an option. The options are A, B. Did you mean "B"? [This option comes first.](1) [It has a diagram.](2)',
        },
        locations: [
          {
            physicalLocation: physicalLocation(uri, 11, 17, 11, 20),
            logicalLocations: [{ fullyQualifiedName: '/questions/0/answer' }],
          },
        ],
        relatedLocations: [
          {
            id: 1,
            physicalLocation: physicalLocation(uri, 8, 9, 8, 41),
            message: { text: 'This option comes first.' },
          },
          {
            id: 2,
            physicalLocation: physicalLocation(diagram, 1, 1, 1, 1),
            message: { text: 'It has a diagram.' },
          },
        ],
        partialFingerprints: undefined,
      },
    );
    assert.deepEqual(other?.locations, [{ physicalLocation: physicalLocation(diagram, 1, 1, 1, 1) }]);
    assert.equal(other?.ruleIndex, 0);
    assert.equal(other?.level, 'warning');
  });

  it('has no rule index for a rule that is not listed', () => {
    const [result] = resultsOf(reportOf(problem({ rule: 'other' })));
    assert.equal(result?.ruleId, 'other');
    assert.ok(result && !('ruleIndex' in result));
  });

  it('uses a longer fence for an example with a fence', () => {
    const markdown = runOf(reportOf()).tool.driver.rules?.[1]?.help?.markdown;
    assert.ok(markdown?.includes('\n````\n"answer": "C" ```\n````\n'));
  });

  it('escapes links in messages', () => {
    const message = 'See [this](https://example.org) and a\\[0\\].';
    const related = [{ ...placeIn(paperText, '"q1"'), message }];
    const [result] = resultsOf(reportOf(problem({ message, related })));
    assert.equal(
      result?.message.text,
      'See [this\\](https://example.org) and a\\[0\\]. [See \\[this\\](https://example.org) and a\\\\\\[0\\\\\\].](1)',
    );
  });

  it('does not escape the braces of LaTeX', () => {
    const [result] = resultsOf(reportOf(problem({ message: 'No \\frac{a}{b}.' })));
    assert.equal(result?.message.text, 'No \\frac{a}{b}.');
  });
});

describe('The location of a SARIF result', () => {
  const uriOf = (contentDir: string, file: string) => {
    const [result] = resultsOf(reportOf(problem({ file })), { contentDir, rules });
    return result?.locations?.[0]?.physicalLocation?.artifactLocation;
  };

  it('is a relative reference, percent-encoded', () => {
    assert.deepEqual(uriOf('./my content/', 'neet/100%,a:b#c?d+é.json'), {
      uri: 'my%20content/neet/100%25%2Ca%3Ab%23c%3Fd%2B%C3%A9.json',
      uriBaseId: '%SRCROOT%',
    });
    assert.deepEqual(uriOf('.', 'a:b.json'), { uri: 'a%3Ab.json', uriBaseId: '%SRCROOT%' });
  });

  it('is a file URI if the content folder is an absolute path', () => {
    assert.deepEqual(uriOf('/srv/my content', 'neet/100%.json'), {
      uri: 'file:///srv/my%20content/neet/100%25.json',
    });
  });
});

describe('The fingerprint of a SARIF result', () => {
  it('does not change when the line changes', () => {
    const moved = problem(placeIn(`\n\n${paperText}`, '"C"', problem().message));
    assert.notEqual(moved.line, problem().line);
    assert.deepEqual(fingerprintsOf(moved), fingerprintsOf(problem()));
  });

  it('differs by rule, file, pointer and message', () => {
    const different = [
      problem(),
      problem({ rule: 'other' }),
      problem({ file: 'other' }),
      problem({ pointer: '/other' }),
      problem({ message: 'other' }),
    ];
    assert.equal(new Set(fingerprintsOf(...different)).size, different.length);
  });

  it('differs for problems that are otherwise equal', () => {
    const [first, second, third] = fingerprintsOf(problem(), problem(), problem());
    assert.equal(new Set([first, second, third]).size, 3);
    assert.deepEqual(fingerprintsOf(problem()), [first]);
  });

  function fingerprintsOf(...problems: readonly Diagnostic[]): (string | undefined)[] {
    return resultsOf(reportOf(...problems)).map(
      ({ partialFingerprints }) => partialFingerprints?.['ruleFilePointerMessage/v1'],
    );
  }
});

describe('The SARIF report conforms to the schema of SARIF 2.1.0', () => {
  const reports = {
    'without problems': reportOf(),
    'with every field': reportOf(fullProblem, problemWithoutText),
    'with awkward texts': awkwardReport,
  };
  for (const [name, report] of Object.entries(reports)) {
    it(name, () => assertValid(report));
  }

  it('with any problems', () => {
    fc.assert(
      fc.property(fc.array(anyProblem, { maxLength: 3 }), (problems) => assertValid(reportOf(...problems))),
    );
  });

  it('which rejects an invalid log', () => {
    const log = JSON.parse(sarifReport(reportOf(problem()), setting)) as Log;
    const [run] = log.runs;
    assert.ok(!matches({ ...log, runs: [{ ...run, columnKind: 'bytes' }] }));
    assert.ok(!matches({ ...log, runs: [{ ...run, results: [{ ruleId: 'a' }] }] }));
  });

  function assertValid(report: Report): void {
    const log: unknown = JSON.parse(sarifReport(report, setting));
    assert.ok(matches(log), JSON.stringify(matches.errors));
  }
});

function runOf(report: Report, given = setting): Run {
  const [run] = (JSON.parse(sarifReport(report, given)) as Log).runs;
  assert.ok(run);
  return run;
}

function resultsOf(report: Report, given = setting): readonly Result[] {
  return runOf(report, given).results ?? [];
}

/** The schema is of draft 4. For newer drafts, only its `id` has to be removed. */
async function sarifSchema() {
  const path = createRequire(import.meta.url).resolve(
    '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
  );
  const { $schema: _draft, id: _id, ...schema } = JSON.parse(await readFile(path, 'utf8'));
  return addFormats.default(new Ajv({ strict: false, unicodeRegExp: false })).compile(schema);
}
