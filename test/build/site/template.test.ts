import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { html } from '../../../build/site/html.ts';
import { markdown } from '../../../build/site/markdown.ts';
import { fillText } from '../../../build/site/template.ts';

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
