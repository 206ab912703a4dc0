import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formulaText } from '../../../build/preview/question.ts';

const set = (text: string) => formulaText(text).text;

describe('A text is rendered', () => {
  it('with its formulas as HTML, and as MathML for screen readers', () => {
    const shown = set('Let $x^2$ be.');
    assert.match(shown, /^Let <span class="katex"><span class="katex-mathml"><math/);
    assert.match(shown, /<span class="katex-html" aria-hidden="true">/);
    assert.match(shown, /<\/span> be\.$/);
  });

  it('with display formulas, without the line breaks around them', () => {
    const shown = set('So\n$$x$$\nand\nmore');
    assert.match(shown, /^So<span class="katex-display">/);
    assert.match(shown, /<\/span>and\nmore$/);
  });

  it('with everything else escaped', () => {
    const text = '<script>alert(1)</script> & <img src=x onerror="x">';
    assert.equal(
      set(text),
      '&#60;script&#62;alert(1)&#60;/script&#62; &#38; &#60;img src=x onerror=&#34;x&#34;&#62;',
    );
  });

  it('with a dollar for an escaped dollar', () =>
    assert.equal(set('It costs \\$5, not \\$6.'), 'It costs $5, not $6.'));

  it('with an unpaired dollar unchanged', () => assert.equal(set('It costs $5.'), 'It costs $5.'));

  it('with the source of an invalid formula and the message of KaTeX', () => {
    const shown = set('Half is $\\fracc{1}{2}$, one is $1$.');
    assert.match(shown, /<code>\$\\fracc\{1\}\{2\}\$<\/code> <span>[^<]*\\fracc/);
    assert.match(shown, /one is <span class="katex">/);
  });

  it('with the source of a formula that is too long or too deeply nested', () => {
    const depth = 4000;
    for (const tex of [`${'{'.repeat(depth)}x${'}'.repeat(depth)}`, 'x'.repeat(100_000)])
      assert.match(set(`$${tex}$`), /^<span class="broken-formula"><code>\$[{x]+/);
  });

  it('without anything that loads or runs because of a formula', () => {
    for (const tex of ['\\href{javascript:alert(1)}{x}', '\\includegraphics{https://example.org/x.png}']) {
      assert.doesNotMatch(set(`$${tex}$`), /(href|src)=/);
    }
    assert.doesNotMatch(set('$\\text{<b>x</b>}$'), /<b>/);
  });
});
