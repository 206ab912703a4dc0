import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseText, type TextNode } from '../../../build/content/markdown.ts';
import { textOf } from '../../../build/exchange/html.ts';
import { parseHtml } from '../../../build/exchange/source.ts';
import { html } from '../../../build/site/html.ts';

describe('Words of HTML', () => {
  const wordsIn = (nodes: readonly TextNode[]): string =>
    nodes
      .map((node) => {
        if ('children' in node) return wordsIn(node.children);
        return node.kind === 'formula' ? node.formula.tex.replace('\\', '') : 'words' in node ? node.words : ' ';
      })
      .join('');

  it('are the words of the text, whatever signs they have', () => {
    const signs = fc.array(fc.constantFrom(...'*_`[](){}<>&#+-.!|~=$\\: a1;"\''.split(''), '<b>', '&lt;', '- ', '1. '));
    const context = { image: () => undefined, lose: () => assert.fail() };
    fc.assert(
      fc.property(signs, (words) => {
        const plain = words.join('');
        fc.pre(!/\\[([]|\$\$/.test(plain));
        const written = textOf(parseHtml(html`<p>${plain}</p>`.text), context);
        const { parts, outside } = parseText(written);
        assert.deepEqual([wordsIn(parts), outside], [plain.replace(/\s+/g, ' ').trim(), []]);
      }),
      { numRuns: 2000 },
    );
  });
});
