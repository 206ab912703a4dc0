import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeHTML } from 'entities/decode';
import fc from 'fast-check';
import {
  checkTexts,
  mayHaveMarkdown,
  partsOf,
  textProblems,
  withoutOverlaps,
} from '../../build/check/check-texts.ts';
import { parseText, type TextNode } from '../../build/content/markdown.ts';
import { visitFormulas } from '../../build/content/question.ts';
import { decodeWindows1252 } from '../../build/content/text.ts';
import { mojibake } from '../../build/rules/characters.ts';
import { formulaProblem } from '../../build/rules/katex.ts';
import { markdownRules } from '../../build/rules/markdown.ts';
import { type Finding, type Problem, problemsOf, type TextRule } from '../../build/rules/rule.ts';
import { textRules } from '../../build/rules/rules.ts';
import { html } from '../../build/site/html.ts';
import { textHtml } from '../../build/site/paper/text.ts';
import { commonMarkHtml } from './commonmark.ts';

function findings(rule: TextRule, text: string): Finding[] {
  return [...rule.check({ path: 'a.json', pointer: '/question', text })];
}

/** Replaces each marked part of the text by its suggestion. */
function applySuggestions(text: string, found: readonly Finding[]): string {
  return [...found].reverse().reduce((rest, { part, suggestion }) => {
    assert.ok(part?.of === 'value' && suggestion !== undefined);
    return rest.slice(0, part.start) + suggestion + rest.slice(part.end);
  }, text);
}

/** Decodes the UTF-8 of a text as Windows-1252 or Latin-1. */
function misread(text: string, encoding: 'windows-1252' | 'latin1'): string {
  const bytes = Buffer.from(text, 'utf8');
  return encoding === 'latin1' ? bytes.toString('latin1') : decodeWindows1252(bytes);
}

const encodings = fc.constantFrom('windows-1252', 'latin1' as const);

describe('The rule on mojibake', () => {
  const characters = fc.constantFrom(
    ...'àâäçéèêëîïñóôöøùûüßÀÇÉÖ°±²³µ·½×÷αβγδεθλμνπρστφχψωΔΣΩ–—‘’“”…•€→−≤≥≠≈√∞∑∫',
    ...'अआइकखगघचजटडतदनपबमयरलवशषसहािीुेैोौं्।₹',
  );
  const words = fc
    .array(characters, { minLength: 1, maxLength: 5 })
    .map((all) => all.join(''))
    // Some combinations of these look like mojibake themselves.
    .filter((word) => findings(mojibake, word).length === 0);

  it('reports one problem, with the original text as suggestion', () => {
    fc.assert(
      fc.property(words, encodings, (word, encoding) => {
        const text = `x = ${misread(word, encoding)}, and`;
        const found = findings(mojibake, text);
        assert.equal(found.length, 1);
        assert.equal(applySuggestions(text, found), `x = ${word}, and`);
        assert.ok(mojibake.concerns?.test(text));
      }),
    );
  });

  it('suggests the original text if it was decoded wrongly twice', () => {
    fc.assert(
      fc.property(words, (word) => {
        const text = misread(misread(word, 'windows-1252'), 'windows-1252');
        assert.equal(applySuggestions(text, findings(mojibake, text)), word);
      }),
    );
  });
});

describe('The rules on texts', () => {
  const pieces = fc.constantFrom(
    ...'a $ $$ \\ \\$ \\( \\) \\frac <b> </b> <br> &lt; &amp; & < > <!-- --> ’ ′ “ \u200b \u200d Ã© é'.split(
      ' ',
    ),
    ...'e\u0301 \u212b \ufffd \ud800 \u0007 { } \\text{ x^2 neq times % क 😀'.split(' '),
    ...[' ', '\n', '\t'],
  );
  const texts = fc.array(pieces, { maxLength: 12 }).map((all) => all.join(''));

  it('report nothing in texts that do not match their filter', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const rule of textRules) {
          if (rule.concerns === undefined || rule.concernsLoose || rule.concerns.test(text))
            continue;
          assert.deepEqual(findings(rule, text), [], rule.name);
        }
      }),
      { numRuns: 300 },
    );
  });
});

const diagrams = [{ file: 'q1.png', alt: 'A ruler.' }];

function problemsIn(text: string): Problem[] {
  const at = { path: 'a.json', pointer: '/question', text };
  const ofText = textProblems(at, visitFormulas(text, () => {}) >= 0);
  const found = problemsOf(markdownRules, { ...at, parsed: parseText(text), diagrams });
  return [...ofText, ...withoutOverlaps(found, partsOf(ofText))];
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

/** What readers see of a part, without what the rules of certain suggestions name: only signs, spaces and accents. */
function seen(part: TextNode): string {
  if ('children' in part) return `<${part.kind}>${part.children.map(seen).join('')}</>`;
  const text = part.kind === 'formula' ? part.formula.tex : 'words' in part ? part.words : '';
  return decodeHTML(decodeHTML(text))
    .normalize('NFC')
    .replace(/\\[bfnrt]?|[\s\b()[\]$]/g, '')
    .replace(/[’′´]/g, "'")
    .replace(/[”″]/g, "''");
}

const seenIn = (text: string) => parseText(text).parts.map(seen).join('');

const wrong = fc.constantFrom(
  ...'&lt; &gt; &amp; &nbsp; &eacute; &quot; \\(a\\) \\[b*c\\] \\% \\{ \\\\ \\n $f’$ $x^2’$ $50%$ \u1fef \u2126'.split(
    ' ',
  ),
  ...['$2 \times 3$', '$\frac{1}{2}$', '\t', '\r\n', '\n\n\n', 'e\u0301'],
);
const around = fc.constantFrom(
  ...[
    '*',
    '*',
    '*',
    '**',
    'a',
    '1',
    'word',
    '.',
    '$',
    '|',
    '`',
    '>',
    '- ',
    '1. ',
    '_',
    '\u0301',
    ' ',
    ' ',
    '\n',
  ],
  ...['$x$\n\n', '\n|a|b|\n|-|-|\n|'],
);
const piece = fc.tuple(around, wrong, around).map((all) => all.join(''));
const texts = fc.array(piece, { minLength: 1, maxLength: 4 }).map((all) => `x ${all.join('')}`);
// These correct how Markdown reads the marked part itself.
const named = new Set(['emphasis', 'markdown']);
// Between wrong delimiters, LaTeX is outside of formulas; a carriage return hides a blank line, an accent its letter,
// and a list or quotation asterisks that belong together.
const uncovers = new Map([
  ['formula-delimiters', 'latex-outside-formula'],
  ['control-characters', 'blank-lines'],
  ['nfc', 'emphasis'],
  ['markdown', 'emphasis'],
]);

/** The rules that a text breaks, also those that are not reported because of another problem in the same place. */
function brokenRules(text: string): string[] {
  const at = { path: '', pointer: '', text };
  const marked = { ...at, parsed: parseText(text), diagrams: [] };
  return [...problemsOf(textRules, at), ...problemsOf(markdownRules, marked)].map(
    ({ rule }) => rule,
  );
}

it('A suggestion that --fix applies changes only what its rule names, breaks nothing, and is needed once', async () => {
  let applied = 0;
  const fix = async (text: string) => {
    const texts = { question: text } as const;
    const { problems } = await checkTexts(
      [{ path: '', placed: [{ pointer: '', texts }] }],
      new Set(),
    );
    const problem = problems.find(({ certain }) => certain);
    if (problem?.part?.of !== 'value') return undefined;
    const { rule, part, suggestion = '' } = problem;
    const marked = (piece: string) => text.slice(0, part.start) + piece + text.slice(part.end);
    const fixed = marked(suggestion);
    // Between LaTeX's own delimiters, Markdown sees words.
    const isFormula = rule === 'formula-delimiters';
    const [before, after] = isFormula ? [marked('\\(x\\)'), marked('$x$')] : [text, fixed];
    if (!named.has(rule))
      assert.equal(seenIn(after), seenIn(before), `${rule}: ${JSON.stringify([text, fixed])}`);
    if (!isFormula && !hasInvalidFormula(text)) assert.ok(!hasInvalidFormula(fixed), fixed);
    const known = brokenRules(text);
    for (const broken of brokenRules(fixed))
      assert.ok(
        known.includes(broken) || broken === uncovers.get(rule),
        `${broken}: ${JSON.stringify([text, fixed])}`,
      );
    return fixed;
  };
  const property = fc.asyncProperty(texts, async (text) => {
    const rounds = [text];
    for (let fixed = await fix(text); fixed !== undefined; fixed = await fix(fixed))
      rounds.push(fixed);
    applied += rounds.length - 1;
  });
  await fc.assert(property, { numRuns: 100 });
  assert.ok(applied > 15, `${applied} suggestions`);
});

describe('Any text with Markdown', () => {
  const signs = fc.constantFrom(
    ...'a b word 1 12 * ** _ ____ ` ``` ~~~ # | [ ] ( ) ]( ![](q1.png) ! < <T> <http://a.b> : \\ \\* \\|'.split(
      ' ',
    ),
    ...'= --- . 。 é 字 \0'.split(' '),
    ...[' ', '    ', '\n', '\n\n', '\t', '# ', '> ', '- ', '+ ', '* ', '1. ', '2. ', '3) '],
    ...['|a|b|\n|-|-|\n', '-|-\n'],
  );
  const formulas = fc.constantFrom('$x$', '$a|b*c$', '$$\n- d\n\ne$$', '\\$', '$');
  const texts = fc
    .array(fc.oneof({ weight: 6, arbitrary: signs }, formulas), { maxLength: 14 })
    .map((all) => all.join(''));

  it('has problems, or appears in the preview as in the program of the guide', () => {
    let compared = 0;
    fc.assert(
      fc.property(texts, (text) => {
        const appears = shown(text);
        if (problemsIn(text).length > 0 || hasInvalidFormula(text)) return;
        compared += 1;
        assert.equal(
          essence(appears),
          essence(commonMarkHtml(text, (file) => `<img src="${file}">`)),
        );
      }),
      { numRuns: 300 },
    );
    assert.ok(compared > 20, `${compared} texts without problems`);
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
      { numRuns: 200 },
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
      { numRuns: 300 },
    );
  });
});
