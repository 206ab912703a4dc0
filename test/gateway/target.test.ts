import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { originForm, parseTarget, type Target } from '../../gateway/target.ts';

describe('parseTarget', () => {
  const rows: readonly (readonly [string, Target])[] = [
    ['/', { kind: 'root' }],
    ['/?a=b', { kind: 'root' }],
    ['/neet', { kind: 'exam', exam: 'neet' }],
    ['/neet/', { kind: 'exam', exam: 'neet' }],
    ['/neet?x=/../', { kind: 'exam', exam: 'neet' }],
    ['/n%65et', { kind: 'exam', exam: 'neet' }],
    ['/neet/2024', { kind: 'year', exam: 'neet', year: '2024' }],
    ['/neet/2024/', { kind: 'year', exam: 'neet', year: '2024' }],
    ['/neet/2024/s1', { kind: 'malformed' }],
    ['/neet/24/s1', { kind: 'malformed' }],
    ['/neet/2024/s1/a.json', { kind: 'file', exam: 'neet', year: '2024', shift: 's1', file: 'a.json' }],
    ['/neet/2024/s1/a.json/', { kind: 'file', exam: 'neet', year: '2024', shift: 's1', file: 'a.json' }],
    ['/neet/2024/s1/diagrams', { kind: 'file', exam: 'neet', year: '2024', shift: 's1', file: 'diagrams' }],
    ['/neet/2024/s1/diagrams/a.png', { kind: 'diagram', exam: 'neet', year: '2024', shift: 's1', file: 'a.png' }],
    ['/neet/2024/s1/images/a.png', { kind: 'malformed' }],
    ['/neet/2024/s1/diagrams/a/b.png', { kind: 'malformed' }],
    ['/neet/202/s1/a.json', { kind: 'invalid-year' }],
    ['/neet/２０２４', { kind: 'invalid-year' }],
    ['/exams.json', { kind: 'page', path: 'exams.json' }],
    ['/docs', { kind: 'page', path: 'docs' }],
    ['/docs/', { kind: 'page', path: 'docs' }],
    ['/docs/a/b/c/d/e', { kind: 'page', path: 'docs/a/b/c/d/e' }],
    ['/docs/../neet', { kind: 'malformed' }],
    ['/auth/keys', { kind: 'page', path: 'auth/keys' }],
    ['/a%2fb', { kind: 'exam', exam: 'a/b' }],
    ['/%00', { kind: 'exam', exam: '\0' }],
    ['/neet#part', { kind: 'malformed' }],
    ['', { kind: 'malformed' }],
    ['*', { kind: 'malformed' }],
    ['neet', { kind: 'malformed' }],
    ['//', { kind: 'malformed' }],
    ['/neet//', { kind: 'malformed' }],
    ['/%', { kind: 'malformed' }],
    ['/%c3%28', { kind: 'malformed' }],
    ['/docs/a%2Fb', { kind: 'page', path: 'docs/a%2Fb' }],
  ];
  for (const [url, target] of rows) {
    it(`returns ${target.kind} for ${JSON.stringify(url)}`, () => assert.deepEqual(parseTarget(url), target));
  }
});

describe('originForm', () => {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['/neet?x', '/neet?x'],
    ['//neet', '//neet'],
    ['http://example.org', '/'],
    ['http://example.org?x', '/?x'],
    ['http://example.org/neet?x', '/neet?x'],
    ['HTTPS://example.org:8080/neet/2024', '/neet/2024'],
    ['http://[::1]/neet', '/neet'],
    ['http:///neet', undefined],
    ['http://reader@example.org/neet', undefined],
    ['http://a:b:c/neet', undefined],
    ['http://[x/neet', undefined],
    ['ftp://example.org/neet', undefined],
    ['foo://bar', undefined],
    ['*', undefined],
    ['neet', undefined],
    ['', undefined],
  ];
  for (const [url, path] of rows) {
    it(`returns ${path} for ${JSON.stringify(url)}`, () => assert.equal(originForm(url), path));
  }
});

describe('parseTarget, with any URL', () => {
  const anyPath = fc.oneof(
    fc.uint16Array().map((units) => String.fromCharCode(...units)),
    fc.webPath(),
    fc
      .array(fc.constantFrom('neet', '2024', 's1', '..', '.', '', '%2e', '%', '%00', 'diagrams', '?', '#', '__proto__'))
      .map((parts) => `/${parts.join('/')}`),
  );

  it('returns a target and never throws', () => {
    fc.assert(fc.property(anyPath, (url) => assert.equal(typeof parseTarget(url).kind, 'string')));
  });

  it('ignores the query', () => {
    fc.assert(
      fc.property(anyPath, fc.webQueryParameters(), (url, query) => {
        assert.deepEqual(parseTarget(`${url.split('?', 1)[0]}?${query}`), parseTarget(url));
      }),
    );
  });

  it('returns no empty segment and no dot segment', () => {
    fc.assert(
      fc.property(anyPath, (url) => {
        const { kind, ...parts } = parseTarget(url);
        for (const part of Object.values(parts).flatMap((value: string) =>
          kind === 'page' ? value.split('/') : [value],
        )) {
          assert.ok(!['', '.', '..'].includes(part) || kind === 'page', `${url}: ${part}`);
        }
      }),
    );
  });

  it('decodes percent-encoded names', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => text !== '.' && text !== '..' && !/\p{Cs}/u.test(text));
    const notReserved = name.filter(
      (text) => !['docs', 'dashboard', 'auth', 'exams.json', 'favicon.ico', 'robots.txt'].includes(text),
    );
    fc.assert(
      fc.property(notReserved, fc.integer({ min: 1000, max: 9999 }), name, name, (exam, year, shift, file) => {
        const url = `/${[exam, year, shift, file].map(encodeURIComponent).join('/')}`;
        assert.deepEqual(parseTarget(url), { kind: 'file', exam, year: String(year), shift, file });
      }),
    );
  });
});
