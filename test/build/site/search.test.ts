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
    ['python', 'guides/limits/#download', '[Python] · from pastpaper import Bank'],
    ['If-None-Match', 'reference/#caching', /^Send it back in \[If\]-\[None\]-\[Match\]/],
    ['negative marking', 'guides/score/', /\[negative\] \[marking\]/],
    ['api key', 'guides/key/', /an \[API\] \[key\] to your first questions/],
    ['license', 'reference/#getExams.source.licence', /The \[licence\] of the questions/],
    ['rate limiting', 'guides/limits/#headers', /RateLimit/],
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
