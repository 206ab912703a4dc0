import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findEntities } from '../../../build/content/text.ts';

describe('findEntities', () => {
  const found: readonly [string, string][] = [
    ['&lt;', '<'],
    ['&LT;', '<'],
    ['&amp;', '&'],
    ['&nbsp;', '\u00a0'],
    ['&frac12;', '½'],
    ['&CounterClockwiseContourIntegral;', '∳'],
    ['&NotEqualTilde;', '\u2242\u0338'],
    ['&#8211;', '–'],
    ['&#x2013;', '–'],
    ['&#X2013;', '–'],
    ['&#0008211;', '–'],
    ['&#128512;', '😀'],
  ];
  for (const [text, decoded] of found) {
    it(`decodes ${text} to ${decoded}`, () =>
      assert.deepEqual(findEntities(text), [{ text, decoded, start: 0, end: text.length }]));
  }

  it('decodes numbers from 128 to 159 as Windows-1252, like HTML', () =>
    assert.equal(findEntities('&#150;')[0]?.decoded, '–'));

  it('decodes numbers that are not characters to U+FFFD', () => {
    for (const text of ['&#0;', '&#xD800;', '&#x110000;', `&#${'9'.repeat(400)};`])
      assert.equal(findEntities(text)[0]?.decoded, '\ufffd', text);
  });

  it('returns the place of each entity, in the order of the text', () =>
    assert.deepEqual(
      findEntities('😀 &gt;&&lt;;').map(({ text, start, end }) => [text, start, end]),
      [
        ['&gt;', 3, 7],
        ['&lt;', 8, 12],
      ],
    ));

  it('decodes an entity that is encoded twice only once', () =>
    assert.deepEqual(
      findEntities('&amp;lt;').map(({ text }) => text),
      ['&amp;'],
    ));

  for (const text of [
    'Q&A',
    '&lt',
    '&lt b;',
    '&nosuch;',
    '&Nbsp;',
    '&;',
    '&#;',
    '&#x;',
    '&#12a;',
    '& lt;',
    'lt;',
  ])
    it(`finds none in ${text}`, () => assert.deepEqual(findEntities(text), []));
});
