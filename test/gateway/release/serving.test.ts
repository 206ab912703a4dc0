import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { sampleOrigin } from '../../../build/site/text.ts';
import { type RawResponse, rawGet } from '../raw-request.ts';
import { runGateway } from '../running-gateway.ts';

const running = await runGateway();
const { baseUrl } = running;
const { key } = await running.createKey('reader');
after(() => running.close());

const bearer = `Authorization: Bearer ${key}`;
const questions = '/neet/2024/s1/physics.json';
const drawing = '/neet/2024/s2/diagrams/neet-2024-03-01-s1-physics-04-circuit.svg';
const picture = '/neet/2024/s2/diagrams/neet-2024-03-01-s1-physics-12-rays.png';

const get = (path: string, ...headers: string[]) => rawGet(baseUrl, path, [bearer, ...headers]);
const etagOf = ({ headers }: RawResponse) => headers['etag'] ?? assert.fail('no ETag');

/** The content of the questions; `fetch` decodes it. */
async function contentIn(coding: string): Promise<string> {
  const headers = { Authorization: `Bearer ${key}`, 'Accept-Encoding': coding };
  return (await fetch(baseUrl + questions, { headers })).text();
}

describe('Content negotiation', () => {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['identity;q=1, br;q=0.5', undefined],
    ['identity;q=0, deflate', undefined],
    ['br;q=nonsense', undefined],
  ];
  for (const [accepted, coding] of rows) {
    it(`serves Accept-Encoding: ${accepted || '(empty)'} with ${coding ?? 'no coding'}`, async () => {
      const response = await get(questions, `Accept-Encoding: ${accepted}`);
      assert.equal(response.status, 200);
      assert.equal(response.headers['content-encoding'], coding);
    });
  }

  it('serves the same content in each coding', async () => {
    const plain = await contentIn('identity');
    for (const coding of ['br', 'gzip']) assert.ok((await contentIn(coding)) === plain, coding);
  });

  it('does not compress images again', async () => {
    assert.equal(
      (await get(picture, 'Accept-Encoding: br, gzip')).headers['content-encoding'],
      undefined,
    );
  });
});

describe('A 200 response', () => {
  for (const path of [
    '/neet',
    '/neet/2024',
    '/neet/2024/questions.json',
    '/changes.json',
    questions,
    drawing,
    picture,
    '/docs/',
    '/dashboard/',
  ]) {
    it(`of ${path} has a strong ETag, for which If-None-Match returns 304`, async () => {
      for (const coding of ['br', 'gzip', 'identity']) {
        const response = await get(path, `Accept-Encoding: ${coding}`);
        assert.equal(response.status, 200);
        assert.match(etagOf(response), /^"[^"]+"$/);
        const again = await get(
          path,
          `Accept-Encoding: ${coding}`,
          `If-None-Match: ${etagOf(response)}`,
        );
        assert.equal(again.status, 304);
        assert.equal(again.body, '');
        for (const name of ['etag', 'cache-control', 'vary'])
          assert.equal(again.headers[name], response.headers[name], name);
      }
    });
  }

  it('has a different ETag in each coding', async () => {
    const tags = await Promise.all(
      ['br', 'gzip', 'identity'].map(async (coding) =>
        etagOf(await get(questions, `Accept-Encoding: ${coding}`)),
      ),
    );
    assert.equal(new Set(tags).size, 3);
  });
});

describe('If-None-Match', () => {
  it('matches an ETag in a list, a weak one, and *, but not another ETag, nor that of another coding', async () => {
    const tag = etagOf(await get(questions));
    const brotli = etagOf(await get(questions, 'Accept-Encoding: br'));
    const matching = [`"other", ${tag}`, `W/${tag}`, `"a", W/"b",${tag}`, '*'];
    for (const value of [...matching, '"other"', brotli, brotli.slice(1, -1), '']) {
      const expected = matching.includes(value) ? 304 : 200;
      assert.equal((await get(questions, `If-None-Match: ${value}`)).status, expected, value);
    }
  });
});

describe('Pages', () => {
  const policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'";
  const pages = [
    '/docs/',
    '/dashboard/',
    '/dashboard/sign-in/',
    '/dashboard/sign-up/',
    '/dashboard/forgot-password/',
    '/dashboard/reset-password/',
  ];

  for (const path of pages) {
    it(`load nothing from other origins, have no inline code, cannot be framed, and send no referrer: ${path}`, async () => {
      const { headers, body } = await get(path);
      assert.equal(headers['content-security-policy'], `${policy}; frame-ancestors 'none'`);
      assert.ok(
        body
          .replaceAll('&#39;', "'")
          .includes(`http-equiv="Content-Security-Policy" content="${policy}"`),
      );
      assert.doesNotMatch(
        body.replaceAll(sampleOrigin, ''),
        /\s(?:src|srcset|href|action|data)="(?:https?:)?\/\/|<style|\sstyle=|\son[a-z]+=|<script(?!(?: type="module")? src="\/(?:dashboard|docs)\/)/,
      );
      assert.equal(headers['referrer-policy'], 'no-referrer');
    });
  }

  it('load each file by a URL with a hash of its bytes', async () => {
    for (const path of pages) {
      const { body } = await get(path);
      const urls = [...body.matchAll(/(?:src|href)="([^"]+\?v=[0-9a-f]+)"/g)].map(
        ([, url]) => url ?? '',
      );
      assert.ok(urls.length > 0);
      for (const url of urls) {
        const bytes = await (await fetch(baseUrl + url)).text();
        const [version = ''] = /[0-9a-f]{8,}$/.exec(url) ?? [];
        assert.ok(
          version !== '' && createHash('sha256').update(bytes).digest('hex').startsWith(version),
          url,
        );
      }
    }
  });

  it('are served with and without a trailing slash; others are 404', async () => {
    assert.equal((await get('/docs')).body, (await get('/docs/')).body);
    for (const path of ['/docs/none', '/dashboard/none', '/auth/', '/docs/style.css/none']) {
      const response = await get(path);
      assert.equal(response.status, 404, path);
      assert.equal(response.body, '{"error":"File not found"}');
    }
  });

  it('are an HTML page for browsers where there is no page of the docs or the dashboard', async () => {
    const browser = 'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    for (const path of ['/docs/none', '/dashboard/none/', '/docs/style.css/none']) {
      const { status, body, headers } = await get(path, browser);
      assert.equal(status, 404, path);
      assert.match(body, /<h1>Page not found<\/h1>/);
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      assert.match(headers['content-security-policy'] ?? '', /frame-ancestors 'none'/);
      assert.equal(headers['cache-control'], 'public, max-age=60');
      assert.equal(headers['vary'], 'Accept');
    }
    for (const path of ['/neet/1999', '/auth/none', '/docs//none'])
      assert.match((await get(path, browser)).body, /^{"error":/, path);
    const { body, headers } = await get('/docs/none', 'Accept: */*');
    assert.match(body, /^{"error":/);
    assert.equal(headers['vary'], 'Accept');
  });

  it('show an SVG in a sandbox, and as UTF-8', async () => {
    const { headers } = await get(drawing);
    assert.match(headers['content-security-policy'] ?? '', /sandbox/);
    assert.equal(headers['content-type'], 'image/svg+xml; charset=utf-8');
  });
});
