import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { makeBank, temporaryFolder } from './bank-folder.ts';
import { publishedFolder, richFiles } from './release-folder.ts';

const release = await publishedFolder((await makeBank(richFiles)).dir, await temporaryFolder());
const read = (name: string) => readFile(join(release, 'public', name), 'utf8');

describe('The files for static hosts', () => {
  it('redirect / to the docs, and find the file of each exam and year', async () => {
    assert.deepEqual((await read('_redirects')).trimEnd().split('\n'), [
      '/ /docs/ 302',
      '/jeemain /jeemain/index.json 200',
      '/jeemain/2024 /jeemain/2024/index.json 200',
      '/neet /neet/index.json 200',
      '/neet/2023 /neet/2023/index.json 200',
      '/neet/2024 /neet/2024/index.json 200',
    ]);
  });

  it('give all paths the header fields of the gateway, and pages their policy', async () => {
    const rules = (await read('_headers')).split('\n\n').map((rule) => rule.split('\n  '));
    assert.deepEqual(rules[0], [
      '/*',
      'X-Content-Type-Options: nosniff',
      'Cache-Control: public, max-age=300, stale-while-revalidate=86400',
      'Access-Control-Allow-Origin: *',
    ]);
    const pages = rules.slice(1);
    assert.deepEqual(
      pages.map(([pattern]) => pattern),
      ['/dashboard', '/dashboard/*', '/docs', '/docs/*'],
    );
    for (const [, policy = ''] of pages)
      assert.match(policy, /^Content-Security-Policy: .*frame-ancestors 'none'$/);
  });

  it('have a 404 as JSON', async () => {
    assert.deepEqual(JSON.parse(await read('404.html')), { error: 'File not found' });
  });
});
