import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { defaultBank } from '../../../build/release/config.ts';
import { apiErrors } from '../../../build/release/errors.ts';
import { inventedDiagram } from '../../../build/site/example.ts';
import { type Description, describeApi } from '../../../build/site/openapi/openapi.ts';
import { temporaryFolder } from '../bank-folder.ts';
import { canonicalJson, checksum } from '../canonical-json.ts';
import { repository } from '../command.ts';
import { compileFiles } from '../compiled-bank.ts';
import { richFiles } from '../release-folder.ts';
import { redocly } from './redocly.ts';

const text = JSON.stringify(describeApi(defaultBank, (await compileFiles(richFiles)).exams));
const description: Description = JSON.parse(text);

/** A folder of a Postman collection. */
interface PostmanFolder {
  readonly item: readonly {
    readonly name: string;
    readonly request: {
      readonly url: {
        readonly variable: readonly { readonly key: string; readonly value: string }[];
      };
    };
  }[];
}

describe('The OpenAPI description', () => {
  it('passes the recommended rules of Redocly, as it is written and as it is served', async () => {
    const served = join(await temporaryFolder(), 'openapi.json');
    await writeFile(served, text);
    // The license of this software is not that of the questions.
    const rules = ['--extends', 'recommended', '--skip-rule', 'info-license'];
    for (const file of [join(repository, 'build/site/openapi/openapi.yaml'), served]) {
      const { stdout, stderr } = await redocly('lint', ...rules, '--format', 'json', file);
      const { totals, problems } = JSON.parse(stdout.slice(stdout.indexOf('{')));
      assert.deepEqual(problems, [], stderr);
      assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 });
    }
  });

  it('has no place that was not filled in', () => {
    assert.doesNotMatch(text, /\{\{/);
  });

  it('is imported by Postman with the example of each parameter', async () => {
    const { convertV2 } = createRequire(import.meta.url)('openapi-to-postmanv2');
    const options = { folderStrategy: 'Tags', parametersResolution: 'Example' };
    const bank = { ...defaultBank, publicUrl: 'https://api.example.org' };
    const data = JSON.stringify(describeApi(bank, (await compileFiles(richFiles)).exams));
    const { output, reason } = await promisify(convertV2)({ type: 'string', data }, options);
    assert.equal(reason, undefined);
    assert.deepEqual(output[0].data.variable, [
      { key: 'baseUrl', value: 'https://api.example.org' },
    ]);
    const folders: PostmanFolder[] = output[0].data.item;
    const request = folders
      .flatMap(({ item }) => item)
      .find(({ name }) => name === 'A diagram')?.request;
    const values = request?.url.variable.map(({ key, value }) => [key, value]) ?? [];
    assert.deepEqual(Object.fromEntries(values), {
      exam: 'neet',
      year: '2024',
      shift: 's1',
      filename: inventedDiagram,
    });
  });

  it('lists every error with its status, message and cause', () => {
    const operations = Object.values(description.paths).flatMap(({ get, options }) =>
      options ? [get, options] : [get],
    );
    const responses = operations.flatMap((one) => Object.entries(one.responses));
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
    assert.deepEqual(exam, { exam: 'neet', label: 'NEET', years: [2024, 2023], totalYears: 2 });
    assert.equal(exampleAt('/{exam}/{year}', 'bank').shifts[0].shift, '2024-05-05-s1');
  });

  it('has invented questions with correct checksums for protected endpoints', () => {
    const { questions, metadata, ...place } = exampleAt(
      '/{exam}/{year}/{shift}/{file}',
      'invented',
    );
    const { exam, year, shift, subject, total } = place;
    assert.deepEqual(
      [exam, year, shift, subject, total],
      ['neet', 2024, '2024-05-05-s1', 'physics', 3],
    );
    for (const { question } of questions) assert.match(question, /^Invented for this page: /);
    assert.equal(metadata.checksum, checksum(canonicalJson(questions)));
  });
});

// biome-ignore lint/suspicious/noExplicitAny: the type of an example depends on the path
function exampleAt(path: string, name: string): any {
  return JSON.parse(text).paths[path].get.responses['200'].content['application/json'].examples[
    name
  ].value;
}
