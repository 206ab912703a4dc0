import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { XmlDocument, type XmlElement, XsdValidator } from 'libxml2-wasm';
import { type ITestResult, parse } from 'test-results-parser';
import type { Report } from '../../../build/check/diagnostic.ts';
import { junitReport } from '../../../build/report/junit.ts';
import { textReport } from '../../../build/report/text.ts';
import { temporaryFolder } from '../bank-folder.ts';
import {
  anyProblem,
  awkwardReport,
  fullProblem,
  problem,
  problemWithoutText,
  reportOf,
} from './sample-report.ts';

const setting = { contentDir: 'content', width: 80 };
const schema = XsdValidator.fromDoc(
  XmlDocument.fromBuffer(await readFile(new URL('junit.xsd', import.meta.url))),
);
const clean = reportOf();
const full = reportOf(problemWithoutText, fullProblem);

describe('The JUnit report', () => {
  it('has a suite per file and a case per problem, which fails for an error and passes for a warning', () => {
    assert.equal(
      junitReport(full, setting),
      `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="pastpaper" tests="2" failures="1" errors="0" time="0">
<testsuite name="content/neet/2024/2024-05-05-s1/diagrams/q5.png" file="content/neet/2024/2024-05-05-s1/diagrams/q5.png" tests="1" failures="0" errors="0" time="0">
<testcase classname="content/neet/2024/2024-05-05-s1/diagrams/q5.png" name="unused-diagram" time="0">
<system-out>content/neet/2024/2024-05-05-s1/diagrams/q5.png:1:1 warning unused-diagram
  No question of this shift uses this diagram. Add it to a question, or remove the file.</system-out>
</testcase>
</testsuite>
<testsuite name="content/neet/2024/2024-05-05-s1/physics.json" file="content/neet/2024/2024-05-05-s1/physics.json" tests="1" failures="1" errors="0" time="0">
<testcase classname="content/neet/2024/2024-05-05-s1/physics.json" name="answer-among-options /questions/0/answer" time="0">
<failure type="error" message="&quot;C&quot; is not the key of an option. The options are A, B.">content/neet/2024/2024-05-05-s1/physics.json:11:17 error answer-among-options
  &quot;C&quot; is not the key of an option. The options are A, B.

    10 │       ],
  &gt; 11 │       &quot;answer&quot;: &quot;C&quot;
       │                 ^^^
    12 │     }

  Did you mean &quot;B&quot;?

  content/neet/2024/2024-05-05-s1/physics.json:8:9 This option comes first.

    7 │       &quot;options&quot;: [
  &gt; 8 │         { &quot;key&quot;: &quot;A&quot;, &quot;value&quot;: &quot;metre&quot; },
      │         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    9 │         { &quot;key&quot;: &quot;B&quot;, &quot;value&quot;: &quot;second&quot; }

  content/neet/2024/2024-05-05-s1/diagrams/q5.png:1:1 It has a diagram.</failure>
</testcase>
</testsuite>
</testsuites>
`,
    );
  });

  it('has one passing case for valid content', () => {
    assert.equal(
      junitReport(clean, setting),
      `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="pastpaper" tests="1" failures="0" errors="0" time="0">
<testsuite name="content" file="content" tests="1" failures="0" errors="0" time="0">
<testcase classname="content" name="no problems" time="0">
<system-out>168 questions in 29 files: 0 errors, 0 warnings.</system-out>
</testcase>
</testsuite>
</testsuites>
`,
    );
  });

  it('has unique names for the cases of a file', () => {
    const twice = problem({ pointer: '' });
    const report = reportOf(problem(), problem(), problem(), twice, twice, problem({ file: 'other.json' }));
    assert.deepEqual(
      elements(report, '//testcase').map(
        (one) => `${one.attr('classname')?.value}: ${one.attr('name')?.value}`,
      ),
      [
        'content/neet/2024/2024-05-05-s1/physics.json: answer-among-options /questions/0/answer',
        'content/neet/2024/2024-05-05-s1/physics.json: answer-among-options /questions/0/answer (2)',
        'content/neet/2024/2024-05-05-s1/physics.json: answer-among-options /questions/0/answer (3)',
        'content/neet/2024/2024-05-05-s1/physics.json: answer-among-options',
        'content/neet/2024/2024-05-05-s1/physics.json: answer-among-options (2)',
        'content/other.json: answer-among-options /questions/0/answer',
      ],
    );
  });

  it('has the text report of each problem', () => {
    for (const { diagnostics } of [full, awkwardReport]) {
      for (const one of diagnostics) {
        const report = reportOf(one);
        const [text] = elements(report, '//failure | //system-out');
        const expected = textReport(report, { ...setting, colour: false })
          .split('\n')
          .slice(0, -3)
          .join('\n');
        assert.equal(text?.content, expected);
      }
    }
  });

  it('preserves the line breaks of a message', () => {
    const [failure] = elements(reportOf(problem({ message: 'One\n"two"\tthree' })), '//failure');
    assert.equal(failure?.attr('message')?.value, 'One\n"two"␉three');
  });
});

describe('The JUnit report conforms to the schema of JUnit XML', () => {
  const reports = {
    'without problems': clean,
    'with every field': full,
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

  function assertValid(report: Report): void {
    const document = XmlDocument.fromString(junitReport(report, setting));
    try {
      schema.validate(document);
    } finally {
      document.dispose();
    }
  }
});

describe('A parser of JUnit XML', () => {
  it('counts an error as failed, a warning as passed, and content without either as passed', async () => {
    assert.deepEqual(verdict(await parseByLibrary(clean)), {
      status: 'PASS',
      total: 1,
      passed: 1,
      failed: 0,
    });
    assert.deepEqual(verdict(await parseByLibrary(full)), { status: 'FAIL', total: 2, passed: 1, failed: 1 });
    const warned = reportOf(problemWithoutText, problemWithoutText);
    assert.deepEqual(verdict(await parseByLibrary(warned)), {
      status: 'PASS',
      total: 2,
      passed: 2,
      failed: 0,
    });
    const { errors, warnings } = awkwardReport.summary;
    assert.deepEqual(verdict(await parseByLibrary(awkwardReport)), {
      status: 'FAIL',
      total: errors + warnings,
      passed: warnings,
      failed: errors,
    });
  });

  it('finds file, rule and message', async () => {
    const [, suite] = (await parseByLibrary(full)).suites;
    assert.equal(suite?.name, 'content/neet/2024/2024-05-05-s1/physics.json');
    assert.equal(suite?.cases[0]?.name, 'answer-among-options /questions/0/answer');
    assert.equal(suite?.cases[0]?.failure, '"C" is not the key of an option. The options are A, B.');
  });

  async function parseByLibrary(report: Report): Promise<ITestResult> {
    const file = join(await temporaryFolder(), 'junit.xml');
    await writeFile(file, junitReport(report, setting));
    return parse({ type: 'junit', files: [file] });
  }

  function verdict({ status, total, passed, failed }: ITestResult) {
    return { status, total, passed, failed };
  }
});

function elements(report: Report, xpath: string): XmlElement[] {
  return XmlDocument.fromString(junitReport(report, setting)).find(xpath) as XmlElement[];
}
