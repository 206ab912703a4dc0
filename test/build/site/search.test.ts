import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type MarkedPart, searchEngine } from '../../../build/site/browser/search-engine.ts';
import { searchIndexUrl } from '../../../build/site/text.ts';
import { sampleRelease } from '../../gateway/sample-release.ts';

const index = await readFile(join(await sampleRelease(), 'current/public', searchIndexUrl), 'utf8');
const search = searchEngine(JSON.parse(index));
const withMarks = (parts: readonly MarkedPart[]) =>
  parts.map(([text, isMarked]) => (isMarked ? `[${text}]` : text)).join('');

describe('The search of the docs', () => {
  for (const [text, section, line] of [
    ['429', 'guides/limits/#retry', '[429] · Wait the number of seconds in Retry-After.'],
    ['401', 'guides/key/#rejected', /^\[401\]: check that the variable is set/],
    ['curl', 'guides/#request', /^\[curl\] · \[curl\] http/],
    ['python', 'guides/limits/#download', '[Python] · from pastpaper import Bank'],
    ['javascript', 'guides/#first', /save a client: client\.mjs for \[JavaScript\]/],
    ['quota', 'guides/limits/#headers', /"\[quota\]";q=/],
    ['rate limit', 'guides/limits/#headers', /\[RateLimit\]/],
    ['etag', 'reference/#header-etag', /Identifies these bytes/],
    ['If-None-Match', 'reference/#caching', /^Send it back in \[If\]-\[None\]-\[Match\]/],
    ['diagram', 'reference/#getDiagram', /\[diagrams\]/],
    [
      'image',
      'reference/#getDiagram',
      'Returns an [image] that a question of the shift names in diagrams.',
    ],
    ['latex', 'guides/text/#subset', /^Formula · \[LaTeX\] between \$/],
    ['negative marking', 'guides/score/', /\[negative\] \[marking\]/],
    ['partial marks', 'guides/score/', /\[partial\] \[marks\]/],
    ['checksum', 'guides/checksum/', /^Recompute every \[checksum\]/],
    ['cors', 'reference/#cors', /^Scripts of any origin/],
    ['pagination', 'reference/#endpoints', 'There is no [pagination]: each response is complete.'],
    ['shifts', 'reference/#getYear', 'Lists the [shifts] of a year in chronological order.'],
    ['api key', 'reference/#keys', /an \[API\] \[key\], sent as/],
    ['Retry-After', 'guides/limits/#retry', '429 · Wait the number of seconds in [Retry]-[After].'],
    [
      'mirror',
      'guides/copy/',
      'Download a year once to use it offline, and then only what changed.',
    ],
    ['offline', 'guides/copy/', /\[offline\]/],
    ['alias', 'reference/#shifts', /a short form \(an \[alias\]\)/],
    ['node', 'guides/text/#steps', 'It runs in browsers and in [Node].js.'],
    ['license', 'reference/#getExams.source.licence', /The \[licence\] of the questions/],
    ['score', 'guides/score/#program', /\[scores\] the responses/],
    ['rate limiting', 'guides/limits/#headers', /RateLimit/],
    ['cross origin', 'reference/#cors', /\[cross\]-\[origin\]/],
    ['sdk', 'reference/#client', /\[SDKs\]/],
    [
      'the start of a word: hasdiag',
      'reference/#getQuestions.questions.hasDiagram',
      /Whether the question/,
    ],
  ] as const) {
    it(`finds ${text} among the first three results, with the line that matches`, () => {
      const found = search(text.replace(/^.*: /, '')).slice(0, 3);
      const result = found.find(({ href }) => href === `/docs/${section}`);
      assert.ok(result, found.map(({ href }) => href).join(' '));
      const shown = withMarks(result.line());
      if (typeof line === 'string') assert.equal(shown, line);
      else assert.match(shown, line);
    });
  }

  it('marks the words in headings, also as parts of words', () => {
    assert.equal(
      withMarks(search('retry after').find(({ href }) => /header/.test(href))?.term ?? []),
      '[Retry]-[After]',
    );
    assert.equal(withMarks(search('range')[0]?.term ?? []), '[answerRange]');
  });

  it('shows a field of several endpoints once before other results', () => {
    const hrefs = search('If-None-Match').map(({ href }) => href);
    assert.match(hrefs[0] ?? '', /#.*If-None-Match$/);
    assert.doesNotMatch(hrefs[1] ?? '', /If-None-Match$/);
    assert.match(hrefs.at(-1) ?? '', /If-None-Match$/);
  });

  it('finds a misspelt word if nothing else matches, and requires every word', () => {
    assert.equal(search('cheksum')[0]?.href, '/docs/guides/checksum/');
    assert.deepEqual(search('no such thing'), []);
    assert.deepEqual(search('checksum nonsense'), []);
    assert.deepEqual(search('...'), []);
  });

  it('leaves out footers, buttons, links to the next page, and text for browsers without scripts', () => {
    for (const text of ['powered', 'enable javascript']) assert.deepEqual(search(text), [], text);
    const lines = [...search('next'), ...search('try')].map(({ line }) => withMarks(line()));
    assert.deepEqual(
      lines.filter((line) => /^\[(Next\]:|Try\] it$)/.test(line)),
      [],
    );
  });
});
