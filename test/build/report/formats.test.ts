/** One report in each of the five formats, and what each does with any text. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { XmlDocument, type XmlElement } from 'libxml2-wasm';
import type { Log, Result, Run } from 'sarif';
import type { Diagnostic, Report } from '../../../build/check/diagnostic.ts';
import { githubReport, jsonReport, junitReport } from '../../../build/report/ci.ts';
import { sarifReport } from '../../../build/report/sarif.ts';
import { fixesText, textReport } from '../../../build/report/text.ts';
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

const setting = { contentDir: 'content', width: 80, colour: false, rules };
const clean = reportOf();
const full = reportOf(fullProblem, problemWithoutText);
const physics = `content/${paperFile}`;
const diagram = `content/${problemWithoutText.file}`;
const unused =
  'No question of this shift uses this diagram. Add it to a question, or remove the file.';

/** The schema of SARIF is of draft 4. For newer drafts, only its `id` has to be removed. */
const sarifSchema = createRequire(import.meta.url).resolve(
  '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
);
const { $schema: _draft, id: _id, ...schema } = JSON.parse(await readFile(sarifSchema, 'utf8'));
const isSarif = addFormats
  .default(new Ajv({ strict: false, unicodeRegExp: false }))
  .compile(schema);

const errorText = `${physics}:11:17 error answer-among-options
  "C" is not the key of an option. The options are A, B.

    10 │       ],
  > 11 │       "answer": "C"
       │                 ^^^
    12 │     }

  Did you mean "B"?

  ${physics}:8:9 This option comes first.

    7 │       "options": [
  > 8 │         { "key": "A", "value": "metre" },
      │         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    9 │         { "key": "B", "value": "second" }

  ${diagram}:1:1 It has a diagram.`;
const warningText = `${diagram}:1:1 warning unused-diagram
  ${unused}`;
const cleanSummary = '168 questions in 29 files: 0 errors, 0 warnings.';
const xml = (text: string) => text.replaceAll('"', '&quot;').replaceAll('>', '&gt;');

/** The full report and the report of valid content in each format; SARIF is below. */
const formats: Readonly<
  Record<string, readonly [format: (report: Report) => string, ...string[]]>
> = {
  text: [
    (report) => textReport(report, setting),
    `${errorText}

${warningText}

  answer-among-options  1 error
  unused-diagram        1 warning

168 questions in 29 files: 1 error, 1 warning.
`,
    `${cleanSummary}\n`,
  ],
  GitHub: [
    (report) => githubReport(report, setting),
    `::error file=${physics},line=11,endLine=11,col=17,endColumn=20,title=answer-among-options::\
"C" is not the key of an option. The options are A, B.%0ADid you mean "B"?%0A\
${physics}:8:9 This option comes first.%0A${diagram}:1:1 It has a diagram.
::warning file=${diagram},line=1,endLine=1,col=1,endColumn=1,title=unused-diagram::${unused}
168 questions in 29 files: 1 error, 1 warning.
`,
    `${cleanSummary}\n`,
  ],
  JUnit: [
    (report) => junitReport(report, setting),
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="pastpaper" tests="2" failures="1" errors="0" time="0">
<testsuite name="${physics}" file="${physics}" tests="1" failures="1" errors="0" time="0">
<testcase classname="${physics}" name="answer-among-options /questions/0/answer" time="0">
<failure type="error" message="${xml(fullProblem.message)}">${xml(errorText)}</failure>
</testcase>
</testsuite>
<testsuite name="${diagram}" file="${diagram}" tests="1" failures="0" errors="0" time="0">
<testcase classname="${diagram}" name="unused-diagram" time="0">
<system-out>${warningText}</system-out>
</testcase>
</testsuite>
</testsuites>
`,
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="pastpaper" tests="1" failures="0" errors="0" time="0">
<testsuite name="content" file="content" tests="1" failures="0" errors="0" time="0">
<testcase classname="content" name="no problems" time="0">
<system-out>${cleanSummary}</system-out>
</testcase>
</testsuite>
</testsuites>
`,
  ],
};

for (const [name, [format, expected, expectedClean]] of Object.entries(formats)) {
  it(`The ${name} report has every field of a problem, and a summary of valid content`, () => {
    assert.equal(format(full), expected);
    assert.equal(format(clean), expectedClean);
  });
}

/** What each format promises about problems with any text. */
const promises: Readonly<Record<string, (problems: readonly Diagnostic[]) => void>> = {
  'text report has no control characters': (problems) => {
    const controlCharacters = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/u;
    assert.doesNotMatch(textReport(reportOf(...problems), setting), controlCharacters);
  },
  'GitHub report has no other commands for the runner': (problems) => {
    const { annotations, plain } = readStep(githubReport(reportOf(...problems), setting));
    assert.equal(annotations.length, Math.min(problems.length, 10));
    assert.equal(plain.length, problems.length > 10 ? 3 : 2);
    for (const { command, properties } of annotations) {
      assert.ok(command === 'error' || command === 'warning');
      const names = Object.keys(properties).filter(
        (name) => name !== 'col' && name !== 'endColumn',
      );
      assert.deepEqual(names, ['file', 'line', 'endLine', 'title']);
    }
  },
  'JUnit report is well-formed XML with a case for each problem': (problems) => {
    const document = XmlDocument.fromString(junitReport(reportOf(...problems), setting));
    assert.equal(document.find('//testcase').length, Math.max(1, problems.length));
    document.dispose();
  },
  'SARIF report conforms to the schema of SARIF 2.1.0': (problems) => {
    const log: unknown = JSON.parse(sarifReport(reportOf(...problems), setting));
    assert.ok(isSarif(log), JSON.stringify(isSarif.errors));
  },
  'JSON report is one line with the original messages': (problems) => {
    const line = jsonReport(reportOf(...problems));
    assert.equal(line.indexOf('\n'), line.length - 1);
    const report = JSON.parse(line) as Report;
    const messages = report.diagnostics.map(({ message }) => message);
    assert.deepEqual(
      messages,
      problems.map(({ message }) => message),
    );
  },
};

describe('Whatever text the content and messages have, the', () => {
  for (const [promise, assertKept] of Object.entries(promises)) {
    it(promise, () => {
      for (const { diagnostics } of [clean, full, awkwardReport]) assertKept(diagnostics);
      fc.assert(fc.property(fc.array(anyProblem, { maxLength: 12 }), assertKept), { numRuns: 50 });
    });
  }
});

describe('The text report', () => {
  it('shows 20 problems of a rule, and counts the others and those that --fix corrects', () => {
    const many = Array.from({ length: 1022 }, (_, index) =>
      problem({
        message: `Number ${index + 1}.`,
        suggestion: 'B',
        ...(index < 7 && { fix: '"B"' }),
      }),
    );
    const report = textReport(reportOf(...many, problemWithoutText), setting);
    assert.equal(report.match(/Number \d+\./g)?.at(-1), 'Number 20.');
    assert.ok(
      report.endsWith(`  ${unused}

  answer-among-options  1,022 errors, 1,002 of them not shown
  unused-diagram        1 warning

npx pastpaper validate --rule answer-among-options shows all problems of that rule.
npx pastpaper validate --fix corrects 7 problems.

168 questions in 29 files: 1,022 errors, 1 warning.
`),
      report.slice(-400),
    );
    assert.ok(textReport(reportOf(...many), setting, true).includes('Number 1022.'));
  });

  it('quotes a suggestion as JSON, and does not ask for an empty one', () => {
    const report = textReport(reportOf(problem({ suggestion: '\\frac "a"\n' })), setting);
    assert.ok(report.includes(String.raw`  Did you mean "\\frac \"a\"\n"?`));
    assert.doesNotMatch(textReport(reportOf(problem({ suggestion: '' })), setting), /Did you mean/);
  });

  it('shows the same problem of a file once, with three other places, and an overview of many problems', () => {
    const many = Array.from({ length: 200 }, (_, index) =>
      problem({ line: index + 7, message: 'Wrong.' }),
    );
    const report = textReport(reportOf(...many), setting);
    assert.ok(
      report.startsWith(
        '200 errors, 0 warnings in 1 file:\n\n      200  answer-among-options\n           Wrong.\n\n',
      ),
    );
    assert.equal(report.match(/^ {2}Wrong\.$/gm)?.length, 1);
    assert.ok(
      report.includes('\n  The same in 199 more places of this file: lines 8, 9, 10 ...\n'),
      report,
    );
    assert.equal(
      textReport(reportOf(...many), setting, true).match(/^ {2}Wrong\.$/gm)?.length,
      200,
    );
  });
});

it('A report for terminals has no command for the runner of GitHub Actions', () => {
  const command = /^[\s\u200c\u200d]*::|##\[/m;
  const text = '"##[add-mask]secret"';
  for (const start of ['', ' ', '\u200d', '\t', '\n  ']) {
    const message = `${start}::add-mask::secret\n::stop-commands::x`;
    const at = placeIn(text, 'secret', message, '::add-mask::secret.json');
    const problems = reportOf(...Array.from({ length: 25 }, () => problem(at)));
    for (const isComplete of [false, true])
      assert.doesNotMatch(
        textReport(problems, { ...setting, contentDir: '.' }, isComplete),
        command,
      );
  }
  assert.doesNotMatch(
    fixesText({
      fixed: [problem()],
      renamed: [{ folder: '##[add-mask]secret', from: 'a', to: 'b' }],
    }),
    command,
  );
});

describe('The GitHub report', () => {
  it('has columns only for a range on one line, because the runner ignores others', () => {
    const report = reportOf(problem(placeIn(paperText, '[\n        { "key": "A"')));
    const [annotation] = readStep(githubReport(report, setting)).annotations;
    const properties = { file: physics, line: '7', endLine: '8', title: 'answer-among-options' };
    assert.deepEqual(annotation?.properties, properties);
  });

  const counts: readonly [
    errors: number,
    warnings: number,
    shown: [number, number],
    rest?: string,
  ][] = [
    [25, 25, [10, 0], '40 problems: 15 errors, 25 warnings'],
    [7, 4, [7, 3], 'problem: 0 errors, 1 warning'],
  ];
  for (const [errors, warnings, [shownErrors, shownWarnings], rest] of counts) {
    it(`annotates the ten most important of ${errors} errors and ${warnings} warnings`, () => {
      const of = (severity: Diagnostic['severity'], length: number) =>
        Array.from({ length }, (_, index) => problem({ severity, message: `${index}` }));
      const report = reportOf(...of('warning', warnings), ...of('error', errors));
      const { annotations, plain } = readStep(githubReport(report, setting));
      assert.deepEqual(
        annotations.map(({ command, message }) => `${command} ${message}`),
        [...of('error', shownErrors), ...of('warning', shownWarnings)].map(
          ({ severity, message }) => `${severity} ${message}`,
        ),
      );
      assert.deepEqual(plain, [
        ...(rest
          ? [`GitHub shows 10 annotations per step. The SARIF report has the other ${rest}.`]
          : []),
        `168 questions in 29 files: ${errors} errors, ${warnings} warnings.`,
        '',
      ]);
    });
  }
});

describe('The JUnit report', () => {
  it('has unique names for the cases of a file', () => {
    const twice = problem({ pointer: '' });
    const report = reportOf(
      problem(),
      problem(),
      problem(),
      twice,
      twice,
      problem({ file: 'other.json' }),
    );
    assert.deepEqual(
      elements(report, '//testcase').map(
        (one) => `${one.attr('classname')?.value}: ${one.attr('name')?.value}`,
      ),
      [
        `${physics}: answer-among-options /questions/0/answer`,
        `${physics}: answer-among-options /questions/0/answer (2)`,
        `${physics}: answer-among-options /questions/0/answer (3)`,
        `${physics}: answer-among-options`,
        `${physics}: answer-among-options (2)`,
        'content/other.json: answer-among-options /questions/0/answer',
      ],
    );
  });

  function elements(report: Report, xpath: string): XmlElement[] {
    return XmlDocument.fromString(junitReport(report, setting)).find(xpath) as XmlElement[];
  }
});

describe('The SARIF report', () => {
  it('is a log of one run, with every rule and its help text', () => {
    const { tool, results, columnKind } = runOf(clean);
    assert.deepEqual(results, []);
    assert.equal(columnKind, 'utf16CodeUnits');
    assert.equal(tool.driver.name, 'Pastpaper');
    assert.match(tool.driver.semanticVersion ?? '', /^\d+\.\d+\.\d+/);
    const description = 'Each diagram belongs to a question.';
    const [wrong, right] = [
      'diagrams/q5.png, which no question names',
      '"diagrams": [{ "file": "q5.png" }]',
    ];
    assert.deepEqual(tool.driver.rules?.[0], {
      id: 'unused-diagram',
      shortDescription: { text: description },
      fullDescription: { text: description },
      help: {
        text: `${description}\n\nWrong:\n\n${wrong}\n\nRight:\n\n${right}\n`,
        markdown: `${description}\n\nWrong:\n\n\`\`\`\n${wrong}\n\`\`\`\n\nRight:\n\n\`\`\`\n${right}\n\`\`\`\n`,
      },
      defaultConfiguration: { level: 'warning' },
    });
    assert.ok(
      tool.driver.rules?.[1]?.help?.markdown?.includes('\n````\n"answer": "C" ```\n````\n'),
    );
  });

  it('has the rule, place, pointer and related places of each problem, with links in the message', () => {
    const [error, warning] = resultsOf(full);
    const location = (uri: string, line: number, startColumn: number, endColumn: number) => ({
      artifactLocation: { uri, uriBaseId: '%SRCROOT%' },
      region: { startLine: line, startColumn, endLine: line, endColumn },
    });
    assert.deepEqual(
      { ...error, partialFingerprints: undefined },
      {
        ruleId: 'answer-among-options',
        ruleIndex: 1,
        level: 'error',
        message: {
          text: '"C" is not the key of an option. The options are A, B. Did you mean "B"? [This option comes first.](1) [It has a diagram.](2)',
        },
        locations: [
          {
            physicalLocation: location(physics, 11, 17, 20),
            logicalLocations: [{ fullyQualifiedName: '/questions/0/answer' }],
          },
        ],
        relatedLocations: [
          {
            id: 1,
            physicalLocation: location(physics, 8, 9, 41),
            message: { text: 'This option comes first.' },
          },
          {
            id: 2,
            physicalLocation: location(diagram, 1, 1, 1),
            message: { text: 'It has a diagram.' },
          },
        ],
        partialFingerprints: undefined,
      },
    );
    assert.deepEqual(warning?.locations, [{ physicalLocation: location(diagram, 1, 1, 1) }]);
    assert.deepEqual([warning?.ruleIndex, warning?.level], [0, 'warning']);
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

  it('has percent-encoded locations: relative references, or file URIs for an absolute content folder', () => {
    const uriOf = (contentDir: string, file: string) => {
      const [result] = resultsOf(reportOf(problem({ file })), { ...setting, contentDir });
      return result?.locations?.[0]?.physicalLocation?.artifactLocation;
    };
    const uriBaseId = '%SRCROOT%';
    assert.deepEqual(uriOf('./my content/', 'neet/100%,a:b#c?d+é.json'), {
      uri: 'my%20content/neet/100%25%2Ca%3Ab%23c%3Fd%2B%C3%A9.json',
      uriBaseId,
    });
    assert.deepEqual(uriOf('.', 'a:b.json'), { uri: 'a%3Ab.json', uriBaseId });
    assert.deepEqual(uriOf('/srv/my content', 'neet/100%.json'), {
      uri: 'file:///srv/my%20content/neet/100%25.json',
    });
  });

  it('has a fingerprint by rule, file, pointer, message and number, but not by line', () => {
    const moved = problem(placeIn(`\n\n${paperText}`, '"C"', problem().message));
    assert.notEqual(moved.line, problem().line);
    assert.deepEqual(fingerprintsOf(moved), fingerprintsOf(problem()));
    const changes = [
      {},
      {},
      { rule: 'other' },
      { file: 'other' },
      { pointer: '/other' },
      { message: 'other' },
    ];
    const fingerprints = fingerprintsOf(...changes.map(problem));
    assert.equal(new Set(fingerprints).size, changes.length);
    assert.equal(fingerprints[0], fingerprintsOf(problem())[0]);
  });

  function fingerprintsOf(...problems: readonly Diagnostic[]): (string | undefined)[] {
    return resultsOf(reportOf(...problems)).map(
      ({ partialFingerprints }) => partialFingerprints?.['ruleFilePointerMessage/v1'],
    );
  }

  function resultsOf(report: Report, given = setting): readonly Result[] {
    return runOf(report, given).results ?? [];
  }

  function runOf(report: Report, given = setting): Run {
    const [run] = (JSON.parse(sarifReport(report, given)) as Log).runs;
    return run ?? assert.fail();
  }
});

interface Annotation {
  readonly command: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

/** Commands for annotations, and some that content must not be able to inject. */
const commands = [
  'error',
  'warning',
  'notice',
  'add-mask',
  'set-env',
  'stop-commands',
  'group',
  'debug',
];

/** Parses the output of a step line by line, like the runner of GitHub Actions. */
function readStep(output: string) {
  const annotations: Annotation[] = [];
  const plain: string[] = [];
  for (const line of output.split(/\r\n|\r|\n/)) {
    const annotation = readCommand(line);
    if (annotation) annotations.push(annotation);
    else plain.push(line);
  }
  return { annotations, plain };
}

/** The runner's ActionCommand.TryParseV2, then the older TryParse. */
function readCommand(line: string): Annotation | undefined {
  const [, command = '', pairs = '', message = ''] =
    /^\s*::([\w-]+)(?: (.*?))?::(.*)$/s.exec(line) ?? [];
  if (commands.includes(command)) {
    const properties = pairs
      .trim()
      .split(',')
      .map((pair) => /^([^=]+)=(.+)$/s.exec(pair) ?? []);
    return {
      command,
      properties: Object.fromEntries(
        properties.map(([, name = '', value = '']) => [
          name,
          unescaped(value, /%(?:0D|0A|3A|2C|25)/g),
        ]),
      ),
      message: unescaped(message, /%(?:0D|0A|25)/g),
    };
  }
  const [, old = '', rest = ''] = /##\[([^\] ]*)[^\]]*\](.*)$/s.exec(line) ?? [];
  return commands.includes(old) ? { command: old, properties: {}, message: rest } : undefined;
}

function unescaped(text: string, codes: RegExp): string {
  return text.replace(codes, (code) => decodeURIComponent(code));
}
