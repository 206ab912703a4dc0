import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { html, inline } from '../../../build/site/html.ts';
import { markdown } from '../../../build/site/markdown.ts';
import { fillText } from '../../../build/site/template.ts';

describe('Markup', () => {
  it('has text escaped, other markup as it is, and lists in their order', () => {
    const parts = ['<&', html`<b>`, [1, html`<i>`]] as const;
    assert.equal(html`${parts[0]} ${parts[1]} ${parts[2]}`.text, '&#60;&#38; <b> 1<i>');
  });

  it('leaves out what is undefined or false, with its line if nothing else is there', () => {
    const [no, nothing]: readonly [false, undefined] = [false, undefined];
    assert.equal(html`<a>\n${no}\n${nothing}\n</a>`.text, '<a>\n</a>');
    assert.equal(html`<a>${no}\n</a>`.text, '<a>\n</a>');
    assert.equal(html`<a>\n${''}\n</a>`.text, '<a>\n\n</a>');
    assert.equal(html`${no}\n<a>`.text, '<a>');
  });
});

describe('A template', () => {
  const link = (...names: string[]) => html`<i>${names.join('+')}</i>`;

  it('may be Markdown, with ids of headings, row headers, and markup in place of a paragraph', () => {
    const { text } = markdown('## A {#a}\n\n{{link x, y}}\n\n{{no}}\n\n| h |\n|-|\n| {{s}} |\n', {
      link,
      no: false,
      s: '`<`',
    });
    assert.match(text, /^<h2 id="a">A<\/h2>\n<i>x\+y<\/i><table>/);
    assert.match(text, /<th scope="col">h<\/th>.*<th scope="row"><code>&lt;<\/code><\/th>/s);
  });

  it('must not have a place without a value', () =>
    assert.throws(() => fillText('{{none}}', {}), /has a place for "none", which has no value/));
});

it('Text in backticks is code, and the rest is text', () =>
  assert.equal(
    html`${inline('Send `a<b` & `c`.')}`.text,
    'Send <code>a&#60;b</code> &#38; <code>c</code>.',
  ));
