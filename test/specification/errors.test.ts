/** Section 7 of the specification: errors. */

import assert from 'node:assert/strict';
import { cp, rm } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import type { Response } from 'supertest';
import { temporaryFolder } from '../build/bank-folder.ts';
import { bodyPath } from '../build/release-folder.ts';
import { runGateway, unreachableService } from '../gateway/running-gateway.ts';
import { sampleRelease } from '../gateway/sample-release.ts';
import { needs, openService, readCatalogue } from './service.ts';

const service = await openService();
const [catalogue] = await readCatalogue(service);
after(() => service.close());

const exam = catalogue?.exam;
const [newest] = catalogue?.years ?? [];
const year = newest?.year;
const shift = newest?.shifts[0]?.shift;
const protectedPath = `/${exam}/${year}/s1/${newest?.shifts[0]?.subjects[0]}.json`;

const { UNREACHABLE_BASE_URL: unreachableUrl } = process.env;

type ErrorResponse = Pick<Response, 'status' | 'headers' | 'body'>;

async function exceedRateLimit(): Promise<ErrorResponse> {
  const burst = Array.from({ length: 6 }, () =>
    service.get(protectedPath, { Authorization: `Bearer ${service.freeKey}` }),
  );
  const response = (await Promise.all(burst)).find(({ status }) => status === 429);
  assert.ok(response, 'none of six concurrent requests was rejected');
  return response;
}

/** Every error response body is a JSON object with one field: error (string, human-readable message). */
function assertError(
  { status, headers, body }: ErrorResponse,
  expected: number,
  message?: string,
): void {
  assert.equal(status, expected);
  assert.match(headers['content-type'] ?? '', /^application\/json(;|$)/);
  assert.deepEqual(Object.keys(body), ['error']);
  assert.notEqual(body.error, '');
  if (message !== undefined) assert.equal(body.error, message);
}

describe('7. Status codes', () => {
  it('200 | OK | request succeeded', async () =>
    assert.equal((await service.get(`/${exam}`)).status, 200));

  it('302 | Redirect | root path redirects to the API reference', async () => {
    assert.equal((await service.get('/')).status, 302);
  });

  describe('400 | Bad Request | invalid year format or malformed URL', () => {
    const urls: readonly (readonly [string, string, string])[] = [
      ['a year of two digits', `/${exam}/24`, 'Invalid year format'],
      ['a year with a letter', `/${exam}/20x4`, 'Invalid year format'],
      [
        'an invalid year of an unknown exam',
        `/nothing/20x4/s1/physics.json`,
        'Invalid year format',
      ],
      ['a segment that does not decode', `/${exam}/%ff`, 'Malformed URL'],
      ['an empty segment', `/${exam}//${year}`, 'Malformed URL'],
      ['two slashes at the end', `/${exam}//`, 'Malformed URL'],
      ['a dot segment', `/${exam}/.`, 'Malformed URL'],
      ['two dots, encoded', `/${exam}/%2e%2E/${exam}`, 'Malformed URL'],
      ['three segments', `/${exam}/${year}/${shift}`, 'Malformed URL'],
      [
        'five segments without diagrams',
        `/${exam}/${year}/${shift}/pictures/a.png`,
        'Malformed URL',
      ],
      ['six segments', `/${exam}/${year}/${shift}/diagrams/a/b.png`, 'Malformed URL'],
      ['no slash at the beginning', exam ?? '', 'Malformed URL'],
      ['a URL that is too long', `/${'a'.repeat(20_000)}`, 'Malformed URL'],
      ['a NUL', '/\0', 'Malformed URL'],
    ];
    for (const [name, url, message] of urls)
      it(name, async () => assertError(await service.raw(url), 400, message));
  });

  it('401 | Unauthorized | missing or malformed API key', async () => {
    assertError(await service.get(protectedPath), 401, 'Missing API key');
    const malformed = await service.get(protectedPath, { Authorization: 'Token abc' });
    assertError(malformed, 401, 'Malformed Authorization header');
  });

  it('403 | Forbidden | invalid, expired or revoked API key', async () => {
    const response = await service.get(protectedPath, { Authorization: 'Bearer pfx_unknown' });
    assertError(response, 403, 'Invalid or expired API key');
  });

  it('404 | Not Found | exam, year, shift or file does not exist', async () => {
    for (const path of ['/nothing', '/__proto__', `/${exam}/1901`])
      assertError(await service.get(path), 404);
    for (const [path, message] of [
      [`/nothing/${year}/s1/physics.json`, 'Exam not found'],
      [`/${exam}/1901/s1/physics.json`, 'Year not found'],
      [`/${exam}/${year}/s99/physics.json`, 'Shift not found'],
      [`/${exam}/${year}/s1/alchemy.json`, 'File not found'],
      [`/${exam}/${year}/s1/__proto__`, 'File not found'],
      [`/${exam}/${year}/s1/diagrams/none.png`, 'File not found'],
      [`/${exam}/${year}/s1/diagrams/__proto__`, 'File not found'],
    ] as const)
      assertError(await service.download(path), 404, message);
  });

  it('405 | Method Not Allowed | any method other than GET', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      const response = await service.request(method, `/${exam}`);
      assertError(response, 405);
      assert.equal(response.headers['allow'], 'GET');
    }
    const head = await service.request('HEAD', protectedPath);
    assert.equal(head.status, 405);
    assert.equal(head.headers['allow'], 'GET');
  });

  it('429 | Too Many Requests | rate limit exceeded', async () =>
    assertError(await exceedRateLimit(), 429, 'Rate limit exceeded'));

  it('500 | Internal Server Error | server-side failure', {
    skip: !service.local && needs('a way to break it'),
  }, async () => {
    const folder = await temporaryFolder();
    await cp(await sampleRelease(), folder, { recursive: true, verbatimSymlinks: true });
    const broken = await runGateway({ DIST_DIR: folder });
    await rm(await bodyPath(folder, 'robots.txt'));
    assertError(await service.at(broken.baseUrl).get('/robots.txt'), 500, 'Internal server error');
    assert.match(broken.logged.join('\n'), /objects\/\S+ is missing/);
    await broken.close();
  });

  it('502 | Bad Gateway | authentication service unreachable', {
    skip: !service.local && !unreachableUrl && needs('UNREACHABLE_BASE_URL'),
  }, async () => {
    const gateway = unreachableUrl ? undefined : await runGateway(unreachableService);
    const unreachableGateway = service.at(unreachableUrl ?? gateway?.baseUrl ?? '');
    assertError(await unreachableGateway.download(protectedPath), 502);
    await gateway?.close();
  });
});
