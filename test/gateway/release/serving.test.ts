import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { sampleOrigin } from '../../../build/site/text.ts';
import { type RawAnswer, rawGet } from '../raw-request.ts';
import { runGateway } from '../running-gateway.ts';

const running = await runGateway();
const { baseUrl } = running;
const { key } = await running.createKey('reader');
after(() => running.close());

const bearer = `Authorization: Bearer ${key}`;
const questions = '/neet/2024/s1/physics.json';
const drawing = '/neet/2024/s1/diagrams/neet-2024-05-05-s1-physics-04-circuit.svg';
const picture = '/neet/2024/s1/diagrams/neet-2024-05-05-s1-physics-05-rays.png';

const get = (path: string, ...headers: string[]) => rawGet(baseUrl, path, [bearer, ...headers]);
const etagOf = ({ headers }: RawAnswer) => headers['etag'] ?? assert.fail('no ETag');

/** The digest of an answer's content; `fetch` undoes the coding. */
async function contentOf(path: string, coding: string): Promise<string> {
  const answer = await fetch(baseUrl + path, {
    headers: { Authorization: `Bearer ${key}`, 'Accept-Encoding': coding },
  });
  return createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex');
}

describe('Content negotiation', () => {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', undefined],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['identity;q=1, br;q=0.5', undefined],
    ['deflate, compress', undefined],
    ['identity;q=0, deflate', undefined],
    ['', undefined],
    ['GZIP', 'gzip'],
    ['br;q=nonsense', undefined],
  ];
  for (const [accepted, coding] of rows) {
    it(`answers Accept-Encoding: ${accepted || '(empty)'} with ${coding ?? 'the bytes as they are'}`, async () => {
      const answer = await get(questions, `Accept-Encoding: ${accepted}`);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers['content-encoding'], coding);
    });
  }

  it('gives a client that names no coding the bytes as they are', async () => {
    assert.equal((await get(questions)).headers['content-encoding'], undefined);
  });

  it('gives the same content in each coding', async () => {
    const plain = await contentOf(questions, 'identity');
    for (const coding of ['br', 'gzip']) assert.equal(await contentOf(questions, coding), plain);
  });

  it('leaves compressed images as they are', async () => {
    assert.equal((await get(picture, 'Accept-Encoding: br, gzip')).headers['content-encoding'], undefined);
  });
});

describe('Every 200', () => {
  for (const path of [
    '/neet',
    '/neet/2024',
    questions,
    drawing,
    picture,
    '/docs/',
    '/docs/style.css',
    '/dashboard/',
    '/dashboard/sign-in/',
    '/dashboard/overview.js',
    '/dashboard/dashboard.css',
    '/favicon.ico',
    '/robots.txt',
  ]) {
    it(`of ${path} has a strong ETag, and If-None-Match with it gives 304`, async () => {
      for (const coding of ['br', 'gzip', 'identity']) {
        const answer = await get(path, `Accept-Encoding: ${coding}`);
        assert.equal(answer.status, 200);
        assert.match(etagOf(answer), /^"[^"]+"$/);
        const again = await get(path, `Accept-Encoding: ${coding}`, `If-None-Match: ${etagOf(answer)}`);
        assert.equal(again.status, 304);
        assert.equal(again.body, '');
        for (const name of ['etag', 'cache-control', 'vary'])
          assert.equal(again.headers[name], answer.headers[name], name);
      }
    });
  }

  it('has another ETag in each coding', async () => {
    const tags = await Promise.all(
      ['br', 'gzip', 'identity'].map(async (coding) =>
        etagOf(await get(questions, `Accept-Encoding: ${coding}`)),
      ),
    );
    assert.equal(new Set(tags).size, 3);
  });

  it('refuses that its type is guessed', async () => {
    for (const path of ['/neet', questions, picture, '/docs/', '/dashboard/overview.js']) {
      assert.equal((await get(path)).headers['x-content-type-options'], 'nosniff');
    }
  });
});

describe('If-None-Match', () => {
  it('matches one of a list, weak tags, and any', async () => {
    const tag = etagOf(await get(questions));
    for (const value of [`"other", ${tag}`, `W/${tag}`, `"a", W/"b",${tag}`, '*']) {
      assert.equal((await get(questions, `If-None-Match: ${value}`)).status, 304, value);
    }
  });

  it('does not match another tag, nor the tag of another coding', async () => {
    const brotli = etagOf(await get(questions, 'Accept-Encoding: br'));
    for (const value of ['"other"', brotli, brotli.slice(1, -1), '']) {
      assert.equal((await get(questions, `If-None-Match: ${value}`)).status, 200, value);
    }
  });

  it('is looked at whatever the request says of caches', async () => {
    const tag = etagOf(await get(questions));
    assert.equal((await get(questions, `If-None-Match: ${tag}`, 'Cache-Control: no-cache')).status, 304);
  });

  it('gives nobody a 304 who has no key', async () => {
    const tag = etagOf(await get(questions));
    assert.equal((await rawGet(baseUrl, questions, [`If-None-Match: ${tag}`])).status, 401);
  });
});

describe('Caching', () => {
  it('lets anyone keep a public answer for five minutes', async () => {
    const { headers } = await get('/neet');
    assert.equal(headers['cache-control'], 'public, max-age=300, stale-while-revalidate=86400');
    assert.equal(headers['vary'], 'Accept-Encoding');
    assert.equal(headers['access-control-allow-origin'], '*');
  });

  it('lets only the client keep a protected answer, and asks it to check', async () => {
    const { headers } = await get(questions);
    assert.equal(headers['cache-control'], 'private, no-cache');
    assert.equal(headers['vary'], 'Authorization, Accept-Encoding');
    assert.equal(headers['access-control-allow-origin'], undefined);
  });

  it('lets nobody keep an error, but a public 404 for a minute', async () => {
    assert.match((await get('/nothing')).headers['cache-control'] ?? '', /max-age=60$/);
    for (const path of ['/neet/20x4', '/neet/2024/s1/none.json', '/neet//']) {
      assert.equal((await get(path)).headers['cache-control'], 'no-store', path);
    }
    assert.equal((await rawGet(baseUrl, questions)).headers['cache-control'], 'no-store');
  });
});

describe('Pages', () => {
  const policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; form-action 'self'; base-uri 'none'";
  const pages = [
    '/docs/',
    '/dashboard/',
    '/dashboard/sign-in/',
    '/dashboard/sign-up/',
    '/dashboard/forgot-password/',
    '/dashboard/reset-password/',
  ];

  for (const path of pages) {
    it(`load nothing from elsewhere, have nothing inline, and are not framed: ${path}`, async () => {
      const { headers, body } = await get(path);
      assert.equal(headers['content-security-policy'], `${policy}; frame-ancestors 'none'`);
      assert.ok(
        body.replaceAll('&#39;', "'").includes(`http-equiv="Content-Security-Policy" content="${policy}"`),
      );
      assert.doesNotMatch(
        body.replaceAll(sampleOrigin, ''),
        /https?:\/\/|<style|\sstyle=|\son[a-z]+=|<script(?! type="module" src="\/(?:dashboard|docs)\/)/,
      );
    });

    it(`tell no other site their address: ${path}`, async () => {
      assert.equal((await get(path)).headers['referrer-policy'], 'no-referrer');
    });
  }

  it('load each file by an address of its own bytes, which the gateway finds', async () => {
    for (const path of pages) {
      const { body } = await get(path);
      const addresses = [...body.matchAll(/(?:src|href)="([^"]+\?v=[0-9a-f]+)"/g)].map(
        ([, address]) => address ?? '',
      );
      assert.ok(addresses.length > 0);
      for (const address of addresses) {
        const bytes = await (await fetch(baseUrl + address)).text();
        assert.ok(address.endsWith(createHash('sha256').update(bytes).digest('hex').slice(0, 8)), address);
      }
    }
  });

  it('are found with and without the slash at the end, and are 404 where there is none', async () => {
    assert.equal((await get('/docs')).body, (await get('/docs/')).body);
    for (const path of ['/docs/none', '/dashboard/none', '/auth/', '/docs/style.css/none']) {
      const answer = await get(path);
      assert.equal(answer.status, 404, path);
      assert.equal(answer.body, '{"error":"File not found"}');
    }
  });

  it('show an SVG in a sandbox', async () => {
    assert.match((await get(drawing)).headers['content-security-policy'] ?? '', /sandbox/);
  });
});
