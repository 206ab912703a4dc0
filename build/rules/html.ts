/** The rule on HTML in texts: tags, comments and entities. */
import { type Formula, formulaFinder, proseOf } from '../content/formulas.ts';
import type { Span } from '../content/positions.ts';
import { type Entity, findEntities } from '../content/text.ts';
import elements from './html-elements.json' with { type: 'json' };
import {
  type CheckedText,
  type Finding,
  forwardFinder,
  isBesideAsterisk,
  spanOf,
  type TextRule,
  textFinding,
} from './rule.ts';

export const html: TextRule = {
  name: 'html',
  description:
    'Text has no HTML tags or comments outside formulas, and no HTML entities. ' +
    'A single < or & is allowed, and \\< before a tag that readers see.',
  severity: 'error',
  example: { wrong: '"value": "H<sub>2</sub>O &amp; CO"', right: '"value": "H$_2$O & CO"' },
  concerns: /<[a-zA-Z/!]|&[a-zA-Z0-9#]+;/,
  *check(checked) {
    yield* markupFindings(checked);
    yield* entityFindings(checked);
  },
};

const attributes =
  /(?:\s{1,20}[\w:-]{1,50}\s?=\s?(?:"[^"<>]{0,500}"|'[^'<>]{0,500}'|[^\s"'<>]{1,500})){0,30}/
    .source;
const element = /[a-zA-Z][a-zA-Z0-9]{0,20}(?::[a-zA-Z]{1,20})?/.source;
const markup = new RegExp(`<!--|<(/?)(${element})${attributes}\\s{0,20}(/?)>`, 'g');

/** Finds comments, elements with their tags, and single tags. `a < b` or `x<y and y>z` is not HTML. */
function* markupFindings(checked: CheckedText): Generator<Finding> {
  const prose = proseOf(checked.text);
  const find = forwardFinder(prose);
  let last = 0;
  for (const match of prose.matchAll(markup)) {
    const { start, end } = spanOf(match);
    const [, slash, written, empty] = match;
    if (start < last || prose[start - 1] === '\\') continue;
    if (written === undefined) {
      const close = find('-->', start);
      if (close < 0) continue;
      last = close + '-->'.length;
      yield textFinding(
        checked,
        { start, end: last },
        'An HTML comment will appear literally. Remove it.',
      );
    } else if (isElement(written)) {
      const name = written.toLowerCase();
      const isStart = !slash && !empty;
      const endTag = `</${written}>`;
      const close = isStart ? find(endTag, end) : -1;
      if (isStart && close < 0 && isComparison(prose, { start, end })) continue;
      last = close < 0 ? end : close + endTag.length;
      const isInWord =
        /[\p{L}\p{M}\p{N}$]/u.test(prose[start - 1] ?? '') ||
        /[\p{L}\p{M}\p{N}$]/u.test(prose[last] ?? '');
      const inner =
        close < 0 ? undefined : withoutTags(name, checked.text.slice(end, close), isInWord);
      const message = `<${name}> is HTML and will appear literally. Write plain text, or \\\\< to show tags.`;
      yield textFinding(checked, { start, end: last }, message, name === 'br' ? '\n' : inner);
    }
  }
}

function isElement(written: string): boolean {
  const name = written.toLowerCase();
  // HTML is written in one case: <Main> is a word. Word processors write names such as <o:p>.
  if (written !== name && written !== written.toUpperCase()) return false;
  return htmlElements.has(name) || name.includes(':');
}

/** `a<b>c` compares three numbers: a letter between signs, without spaces around. */
function isComparison(prose: string, { start, end }: Span): boolean {
  return (
    end - start === '<b>'.length &&
    /[\p{L}\p{M}\p{N}_)\]}]/u.test(prose[start - 1] ?? '') &&
    /[\p{L}\p{N}_([{]/u.test(prose[end] ?? '')
  );
}

/** The text of an element as it is written without HTML; undefined where that is not clear. */
function withoutTags(name: string, text: string, isInWord: boolean): string | undefined {
  if (/[<>&]/.test(text)) return undefined;
  if (name === 'u' && /^[\p{L}\p{N} ,.;:'-]+$/u.test(text)) return `$\\underline{\\text{${text}}}$`;
  const stars = /^(?:b|strong)$/.test(name) ? '**' : /^(?:i|em)$/.test(name) ? '*' : '';
  if (stars !== '' && !isInWord && /\S/.test(text) && !/[*\n$]/.test(text))
    return text.replace(/\S(?:.*\S)?/s, `${stars}$&${stars}`);
  if (name !== 'sub' && name !== 'sup')
    return /^(?:p|div|span|font|center|small|big)$/.test(name) ? text : undefined;
  if (!/^[\w+.,()\u2212-]{1,12}$/.test(text)) return undefined;
  const tex = text.replaceAll('\u2212', '-');
  return `$${name === 'sub' ? '_' : '^'}${tex.length === 1 ? tex : `{${tex}}`}$`;
}

function* entityFindings(checked: CheckedText): Generator<Finding> {
  const { text } = checked;
  const formulaAt = formulaFinder(text);
  let last = 0;
  for (const entity of findEntities(text)) {
    const { start } = entity;
    if (start < last) continue;
    const { end, decoded } = wholeEntity(text, entity);
    const formula = formulaAt(start);
    last = end;
    const message = `${text.slice(start, end)} is an HTML entity and will appear literally. Write the character itself.`;
    const finding = textFinding(checked, { start, end }, message, plainCharacter(decoded, formula));
    const certain = end === entity.end && isPlain(text, entity, formula);
    yield { ...finding, certain };
  }
}

/** Whether the character of an entity has no meaning but itself where it stands. */
function isPlain(
  text: string,
  { start, end, decoded }: Entity,
  formula: Formula | undefined,
): boolean {
  const [before = ''] = /[^\n]*$/.exec(text.slice(Math.max(0, start - 100), start)) ?? [];
  if (before.endsWith('\\')) return false;
  if (formula) return /^[<>']$/.test(decoded);
  const beside = (text[start - 1] ?? '') + (text[end] ?? '');
  if (isBesideAsterisk(text, { start, end }) || (/\s/.test(decoded) && beside.includes('*')))
    return false;
  // `<` may begin a tag, `&` an entity, and `>` a quotation.
  if (decoded === '<' || decoded === '&') return /^[\s\d=.,;)]|^$/.test(text.slice(end, end + 1));
  if (decoded === '>') return /[\p{L}\p{N}$)]/u.test(before.replace(blockSigns, ''));
  return /^(?:['"]|[^\0-\x9f\p{M}])$/u.test(decoded);
}

/** What begins lists and quotations in Markdown. */
const blockSigns = /^(?:[\s>+*-]|\d{1,9}[.)])+/;

const mostEncodings = 5;

/** Includes the encodings of an entity's `&`: `&amp;lt;` and `&amp;amp;lt;` are `<`. */
function wholeEntity(
  text: string,
  entity: Entity,
): { readonly end: number; readonly decoded: string } {
  let { end, decoded } = entity;
  for (let time = 1; time < mostEncodings && decoded === '&'; time += 1) {
    const [rest] = /^[a-zA-Z0-9#]{1,40};/.exec(text.slice(end, end + 41)) ?? [];
    const [inner] = rest === undefined ? [] : findEntities(`&${rest}`);
    if (!inner) break;
    end += inner.end - 1;
    decoded = inner.decoded;
  }
  return { end, decoded };
}

/** A character as it is written in a text or a formula; undefined for an invisible one. */
function plainCharacter(decoded: string, formula: Formula | undefined): string | undefined {
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/u.test(decoded)) return undefined;
  if (decoded === '$') return '\\$';
  if (decoded === '&' && formula?.tex.includes('\\begin{')) return '&';
  return formula && /^[#%&_{}]$/.test(decoded) ? `\\${decoded}` : decoded;
}

/** The elements of the HTML standard: the current ones (its index), and the obsolete ones (16.2). */
const htmlElements = new Set(elements);
