import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeHTML } from 'entities/decode';
import fc from 'fast-check';
import { visitFormulas } from '../../build/content/formulas.ts';
import { parseText, type TextNode } from '../../build/content/markdown.ts';
import { formulaProblem } from '../../build/rules/katex.ts';
import { markdownRules } from '../../build/rules/markdown.ts';
import { type Problem, problemsOf } from '../../build/rules/rule.ts';
import { mayHaveMarkdown, textProblems, withoutOverlaps } from '../../build/rules/text.ts';
import { html } from '../../build/site/html.ts';
import { textHtml } from '../../build/site/paper/text.ts';

const diagrams = [{ file: 'q1.png', alt: 'A ruler.' }];

const signs = fc.constantFrom(
  ...[
    'a',
    'b',
    'word',
    '1',
    '12',
    ' ',
    '\n',
    '\n\n',
    '*',
    '**',
    '_',
    '____',
    '`',
    '```',
    '~~~',
    '#',
    '# ',
    '> ',
  ],
  ...[
    '- ',
    '+ ',
    '* ',
    '1. ',
    '2. ',
    '3) ',
    '|',
    '|a|b|\n|-|-|\n',
    '-|-\n',
    '[',
    ']',
    '(',
    ')',
    '](',
    '![](q1.png)',
  ],
  ...[
    '!',
    '<',
    '<T>',
    '<http://a.b>',
    ':',
    '\\',
    '\\*',
    '\\|',
    '    ',
    '=',
    '---',
    '.',
    '。',
    'é',
    '字',
    '\t',
    '\0',
  ],
);
const formulas = fc.constantFrom('$x$', '$a|b*c$', '$$\n- d\n\ne$$', '\\$', '$');
const texts = fc
  .array(fc.oneof({ weight: 6, arbitrary: signs }, formulas), { maxLength: 14 })
  .map((all) => all.join(''));

function problemsIn(text: string): Problem[] {
  const at = { path: 'a.json', pointer: '/question', text };
  const ofText = textProblems(at, visitFormulas(text, () => {}) >= 0);
  const found = problemsOf(markdownRules, { ...at, parsed: parseText(text), diagrams });
  return [...ofText, ...withoutOverlaps(found, ofText)];
}

function hasInvalidFormula(text: string): boolean {
  let isInvalid = false;
  visitFormulas(text, (start, end) => {
    isInvalid ||= formulaProblem(text.slice(start, end)) !== undefined;
  });
  return isInvalid;
}

/** A text as the preview shows it. */
const shown = (text: string) => textHtml(text, (file) => html`<img src="${file}">`).text;

/** HTML without what renderers may do differently: breaks, paragraphs in lists, spans, and attributes other than numbers. */
function essence(markup: string): string {
  const elements = markup
    .replace(/<\/?p>|<br ?\/?>|<\/?tbody>/g, '\n')
    .replace(/<\/?(?:span|wbr)[^>]*>/g, '')
    .replace(/<(?!\/?(?:ol|img))(\/?\w+)[^>]*>/g, '<$1>')
    .replace(/<(\/?)th>/g, '<$1td>')
    .replace(/<img src="([^"]*)"[^>]*>/g, '<img $1>');
  return decodeHTML(elements).replace(/\s+/g, '');
}

/** The program in the guide for apps: a CommonMark renderer with tables. */
const { textHtml: appHtml } = await import(
  new URL('../../build/site/guides/samples/text.mjs', import.meta.url).href
);

describe('Any text', () => {
  it('has problems, or appears in the preview as in the program of the guide', () => {
    let compared = 0;
    fc.assert(
      fc.property(texts, (text) => {
        const appears = shown(text);
        if (problemsIn(text).length > 0 || hasInvalidFormula(text)) return;
        compared += 1;
        assert.equal(essence(appears), essence(appHtml(text, (file: string) => `<img src="${file}">`)));
      }),
      { numRuns: 3000 },
    );
    assert.ok(compared > 300, `${compared} texts without problems`);
  });

  it('has problems with places inside it that do not overlap, and suggestions that lead to a text without them', () => {
    fc.assert(
      fc.property(texts, (text) => {
        let fixed = text;
        for (let round = 0; ; round += 1) {
          assert.ok(round < 30, `${JSON.stringify(text)}, ${JSON.stringify(fixed)}`);
          let last = fixed.length + 1;
          const places = problemsIn(fixed).map(({ rule, part, suggestion }) => {
            assert.ok(part?.of === 'value');
            return { rule, ...part, suggestion };
          });
          const descending = places.sort((a, b) => b.start - a.start);
          for (const { start, end } of descending) {
            assert.ok(start >= 0 && start < end && end <= last, `${start}-${end}`);
            last = start;
          }
          const ours = descending.filter(({ rule }) =>
            /^(?:markdown|emphasis|diagram-place|blank-lines)$/.test(rule),
          );
          const applied = ours.filter(({ suggestion }) => suggestion !== undefined);
          if (applied.length === 0) return;
          for (const { start, end, suggestion } of applied)
            fixed = fixed.slice(0, start) + suggestion + fixed.slice(end);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('has only paragraphs, line breaks and formulas if its signs do not suggest more', () => {
    const plain = new Set(['paragraph', 'words', 'formula', 'break']);
    const isPlain = (part: TextNode): boolean =>
      plain.has(part.kind) && (!('children' in part) || part.children.every(isPlain));
    fc.assert(
      fc.property(texts, (text) => {
        if (mayHaveMarkdown(text)) return;
        const { parts, outside } = parseText(text);
        assert.ok(parts.every(isPlain), JSON.stringify(parts));
        assert.deepEqual(outside, []);
      }),
      { numRuns: 3000 },
    );
  });
});
