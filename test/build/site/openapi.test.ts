import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { apiErrors } from '../../../build/release/errors.ts';
import { describeApi } from '../../../build/site/openapi/description.ts';
import { startCommand } from '../../gateway/started-process.ts';
import { operationsOf } from '../../specification/response-checker.ts';
import { temporaryFolder } from '../bank-folder.ts';
import { canonicalJson, checksum } from '../canonical-json.ts';
import { compileFiles } from '../compiled-bank.ts';
import { richFiles, secrets } from '../release-folder.ts';

const description = describeApi((await compileFiles(richFiles)).exams);
const text = JSON.stringify(description);

describe('The OpenAPI description', () => {
  it('passes the recommended rules of Redocly', async () => {
    const file = join(await temporaryFolder(), 'openapi.json');
    await writeFile(file, text);
    const manifest = createRequire(import.meta.url).resolve('@redocly/cli/package.json');
    const linter = join(dirname(manifest), 'bin/cli.js');
    const settings = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const args = [linter, 'lint', '--extends', 'recommended', '--format', 'json', file];
    const { stdout, stderr } = await startCommand(process.execPath, args, settings).ended;
    const { totals, problems } = JSON.parse(stdout.slice(stdout.indexOf('{')));
    assert.deepEqual(problems, [], stderr);
    assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 });
  });

  it('has the same bytes for the same bank', async () => {
    assert.equal(JSON.stringify(describeApi((await compileFiles(richFiles)).exams)), text);
  });

  it('lists every error with its status, message and cause', () => {
    const operations = Object.values(description.paths).flatMap(operationsOf);
    const responses = operations.flatMap(([, { responses }]) => Object.entries(responses));
    for (const [name, { status, message, cause }] of Object.entries(apiErrors)) {
      const examples = responses
        .filter(([described]) => described === String(status))
        .map(([, { content }]) => content?.['application/json']?.examples?.[name]);
      assert.ok(examples.some(Boolean), name);
      for (const example of examples.filter(Boolean))
        assert.deepEqual(example, { summary: cause, value: { error: message } });
    }
  });

  it('has examples from the bank for public endpoints', () => {
    const exam = exampleAt('/{exam}', 'bank');
    assert.deepEqual(exam, {
      exam: 'jeemain',
      label: 'JEE <Main> & "Advanced"',
      years: [2024],
      totalYears: 1,
    });
    assert.equal(exampleAt('/{exam}/{year}', 'bank').shifts[1].shift, '2024-01-27-s10');
  });

  it('has invented questions with correct checksums for protected endpoints', () => {
    const { questions, metadata, ...place } = exampleAt('/{exam}/{year}/{shift}/{file}', 'invented');
    assert.deepEqual(place, {
      exam: 'jeemain',
      year: 2024,
      shift: '2024-01-27-s2',
      subject: 'mathematics',
      total: 2,
    });
    for (const { question } of questions) assert.match(question, /^Invented for this page: /);
    assert.equal(metadata.checksum, checksum(canonicalJson(questions)));
  });

  it('contains no text of the questions in the bank', () => {
    for (const word of Object.values(secrets).flat()) assert.ok(!text.includes(word), word);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: the type of an example depends on the path
function exampleAt(path: string, name: string): any {
  return description.paths[path]?.get.responses['200']?.content?.['application/json']?.examples?.[name]
    ?.value;
}
