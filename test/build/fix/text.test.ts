import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { repairedText } from '../../../build/fix/repair.ts';

function itRepairs(rows: readonly (readonly [string, string])[]): void {
  for (const [written, repaired] of rows)
    it(`replaces ${JSON.stringify(written)} by ${JSON.stringify(repaired)}`, () =>
      assert.equal(repairedText(written), repaired));
}

function itKeeps(texts: readonly string[]): void {
  for (const text of texts) it(`keeps ${JSON.stringify(text)}`, () => assert.equal(repairedText(text), text));
}

describe('Repairing a text to Unicode NFC', () => {
  itRepairs([
    ['cafe\u0301', 'caf\u00e9'],
    ['10 \u2126', '10 \u03a9'],
    ['300 \u212a', '300 K'],
    // A letter of Devanagari that NFC decomposes.
    ['\u0958', '\u0915\u093c'],
    ['$\\text{e\u0301}$', '$\\text{\u00e9}$'],
  ]);
});

describe('Repairing HTML entities in a text', () => {
  itRepairs([
    ['R &amp; D', 'R & D'],
    ['a &lt; b &gt; c', 'a < b > c'],
    ['a&lt;b', 'a<b'],
    ['&quot;x&quot; isn&#39;t &apos;y&apos;', "\"x\" isn't 'y'"],
    ['1914&#8211;1918', '1914–1918'],
    ['1914&#150;1918', '1914–1918'],
    ['5&nbsp;kg', '5\u00a0kg'],
    ['50 &percnt; of &lbrace;1, 2&rbrace;', '50 % of {1, 2}'],
    ['caf&eacute;', 'café'],
    ['cafe&#769;', 'café'],
    ['&NotEqualTilde;', '\u2242\u0338'],
    ['&amp;nosuch;', '&nosuch;'],
    ['Q&amp;A', 'Q&A'],
    ['$x &lt; 1$ &amp; $y &gt; 2$', '$x < 1$ & $y > 2$'],
    ['$$a &le; b$$', '$$a ≤ b$$'],
    ['$f&#39;(x) &lt;b&gt;$', "$f'(x) <b>$"],
    [
      '$\\begin{cases} 1 & x &lt; 0 \\\\ 2 & x &#62; 0 \\end{cases}$',
      '$\\begin{cases} 1 & x < 0 \\\\ 2 & x > 0 \\end{cases}$',
    ],
    ['\\$5 &amp; \\$6', '\\$5 & \\$6'],
    // U+037E is another spelling of the semicolon.
    ['a &lt\u037e b', 'a < b'],
  ]);
});

describe('Repairing an ambiguous HTML entity', () => {
  describe('whose character is $ or a backslash', () =>
    itKeeps(['&#36;5', '&dollar;x&dollar;', 'a &#92; b', '&bsol;alpha']));

  describe('whose character has a meaning in formulas', () =>
    itKeeps([
      '$a &amp; b$',
      '$\\begin{matrix}1 &amp; 2\\end{matrix}$',
      '$5 &percnt; &num; &lowbar; &Hat; &#126;$',
      '$&lbrace;1&rbrace;$',
      '$&#92;alpha &#36;$',
      '$\\sin&#120;$',
      '$\\foo&commat;$',
    ]));

  describe('that may be an & between columns and a word', () =>
    itKeeps(['$\\begin{cases} 1 &or; 2 \\end{cases}$', '$\\begin{matrix}a&in;b\\end{matrix}$']));

  describe('with a backslash before it', () =>
    itKeeps(['$\\text{AT\\&amp;T}$', '$a \\&gt; b$', 'a \\&gt; b']));

  describe('whose character is invisible or invalid', () =>
    itKeeps([
      'a&zwj;b',
      'a&shy;b',
      '&#8203;',
      '&#x202E;',
      '&#8232;',
      '&#65279;',
      '&Tab;',
      '&#10;',
      '&#0;',
      '&#129;',
      '&#xD83D;&#xDE00;',
      '&#xFFFE;',
      '&#xE000;',
    ]));

  describe('that is encoded twice, in a text that may be about HTML', () =>
    itKeeps([
      '&amp;lt;',
      'a &lt; b, written a &amp;lt; b',
      '&amp;#36;',
      '&#38;#60;',
      '&&num;60;',
      '&l&#116;;',
      '&lt&#894;',
    ]));

  describe('in a text with a tag, or one after decoding', () =>
    itKeeps([
      '&lt;b&gt;bold&lt;/b&gt;',
      '<i>a</i> &lt; b',
      '<i title="a &lt; b">',
      'a &lt;b and c&gt; d',
      '&lt;!-- a --&gt;',
      '&lt;i $x$&gt;',
    ]));

  describe('in a text with an unpaired $', () => itKeeps(['$5 &lt; $6 and $7', 'a &amp; b $']));

  it('decodes the other entities of the text', () =>
    assert.equal(
      repairedText('&#36;5 &gt; 3&nbsp;&euro;, $a &amp; b &lt; c$'),
      '&#36;5 > 3\u00a0€, $a &amp; b < c$',
    ));

  it('converts the text to NFC', () => assert.equal(repairedText('cafe\u0301 &amp;lt;'), 'café &amp;lt;'));
});
