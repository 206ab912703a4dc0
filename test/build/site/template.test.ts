import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { html, inline } from '../../../build/site/html.ts';
import { markdown } from '../../../build/site/markdown.ts';
import { fill } from '../../../build/site/template.ts';

describe('A template', () => {
  const link = (...names: string[]) => html`<i>${names.join('+')}</i>`;

  it('is filled in with escaped text, markup, results of functions, and the parts whose value is true', () => {
    const template = '{{a}} {{b}} {{link x, y}}{{#c}} {{#a}}yes{{/a}}{{/c}}{{^c}} no{{/c}}';
    const values = { a: '<&{{b}}', b: html`<b>`, link };
    assert.equal(fill(template, { ...values, c: true }).text, '&#60;&#38;{{b}} <b> <i>x+y</i> yes');
    assert.equal(
      fill(template, { ...values, c: undefined }).text,
      '&#60;&#38;{{b}} <b> <i>x+y</i> no',
    );
  });

  it('may be Markdown, with ids of headings, row headers, and markup in place of a paragraph', () => {
    const { text } = markdown('## A {#a}\n\n{{link x}}\n\n| h |\n|-|\n| {{s}} |\n', {
      link,
      s: '`<`',
    });
    assert.match(text, /^<h2 id="a">A<\/h2>\n<i>x<\/i><table>/);
    assert.match(text, /<th scope="col">h<\/th>.*<th scope="row"><code>&lt;<\/code><\/th>/s);
  });

  it('must not have a place without a value', () =>
    assert.throws(() => fill('{{none}}', {}), /has a place for "none", which has no value/));
});

it('Text in backticks is code, and the rest is text', () =>
  assert.equal(
    html`${inline('Send `a<b` & `c`.')}`.text,
    'Send <code>a&#60;b</code> &#38; <code>c</code>.',
  ));
