/** The rule on HTML in texts: tags, comments and entities. */
import { type Formula, formulaFinder, proseOf } from '../content/formulas.ts';
import type { Span } from '../content/positions.ts';
import { type Entity, findEntities } from '../content/text.ts';
import { type CheckedText, type Finding, type TextRule, textFinding } from './rule.ts';

export const html: TextRule = {
  name: 'html',
  description:
    'Texts hold no HTML: no tags or comments outside formulas, and no entities anywhere. A lone < or & is no HTML.',
  severity: 'error',
  example: { wrong: '"value": "H<sub>2</sub>O &amp; CO"', right: '"value": "H$_2$O & CO"' },
  concerns: /<[a-zA-Z/!]|&[a-zA-Z0-9#]+;/,
  *check(checked) {
    for (const markup of markupOf(proseOf(checked.text))) yield markupFinding(checked, markup);
    yield* entityFindings(checked);
  },
};

function markupFinding(checked: CheckedText, markup: Markup): Finding {
  const { name, inner } = markup;
  if (name === '') return textFinding(checked, markup, 'An HTML comment will appear literally. Remove it.');
  const suggestion =
    name === 'br' ? '\n' : inner && withoutTags(name, checked.text.slice(inner.start, inner.end));
  const message = `<${name}> is HTML and will appear literally. Write plain text, and formulas in $...$.`;
  return textFinding(checked, markup, message, suggestion);
}

/** The text of an element as it is written without HTML; undefined where that is not clear. */
function withoutTags(name: string, text: string): string | undefined {
  if (/[<>&]/.test(text)) return undefined;
  if (name !== 'sub' && name !== 'sup') return styleElements.has(name) ? text : undefined;
  if (!/^[\w+.,()\u2212-]{1,12}$/.test(text)) return undefined;
  const tex = text.replaceAll('\u2212', '-');
  return `$${name === 'sub' ? '_' : '^'}${tex.length === 1 ? tex : `{${tex}}`}$`;
}

/** Elements that only change how text looks. */
const styleElements: ReadonlySet<string> = new Set(
  'b big center cite div em font i nobr p s small span strong tt u'.split(' '),
);

function* entityFindings(checked: CheckedText): Generator<Finding> {
  const { text } = checked;
  const formulaAt = formulaFinder(text);
  let last = 0;
  for (const entity of findEntities(text)) {
    const { start } = entity;
    if (start < last) continue;
    const { end, decoded } = wholeEntity(text, entity);
    last = end;
    const message = `${text.slice(start, end)} is an HTML entity and will appear literally. Write the character itself.`;
    yield textFinding(checked, { start, end }, message, plainCharacter(decoded, formulaAt(start)));
  }
}

/** How often a character may have been encoded. */
const mostEncodings = 5;

/** Includes the encodings of an entity's `&`: `&amp;lt;` and `&amp;amp;lt;` are `<`. */
function wholeEntity(text: string, entity: Entity): { readonly end: number; readonly decoded: string } {
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

/** An HTML element with its tags, a single tag, or a comment. */
interface Markup extends Span {
  /** In lower case; '' for a comment. */
  readonly name: string;
  /** Between the tags of an element. */
  readonly inner?: Span;
}

interface Tag extends Span {
  readonly name: string;
  readonly kind: 'start' | 'end' | 'empty';
}

/** The HTML in prose. Comparisons such as `a < b` or `x<y and y>z` are not HTML. */
function markupOf(prose: string): Markup[] {
  const tags = tagsOf(prose);
  const partners = partnersOf(tags);
  const found: Markup[] = commentsOf(prose);
  let last = 0;
  for (const [index, tag] of tags.entries()) {
    if (tag.start < last || (tag.kind === 'start' && !partners.has(index) && isComparison(prose, tag)))
      continue;
    const partner = tags[partners.get(index) ?? -1];
    const inner = partner && { start: tag.end, end: partner.start };
    last = partner?.end ?? tag.end;
    found.push({ start: tag.start, end: last, name: tag.name, ...(inner && { inner }) });
  }
  return found.sort((a, b) => a.start - b.start);
}

const tagPattern =
  /<(\/?)([a-zA-Z][a-zA-Z0-9]{0,20}(?::[a-zA-Z]{1,20})?)(?:\s{1,20}[\w:-]{1,50}\s?=\s?(?:"[^"<>]{0,500}"|'[^'<>]{0,500}'|[^\s"'<>]{1,500})){0,30}\s{0,20}(\/?)>/g;

function tagsOf(prose: string): Tag[] {
  return [...prose.matchAll(tagPattern)].flatMap(
    ({ 0: text, 1: slash, 2: written = '', 3: empty, index }) => {
      const name = written.toLowerCase();
      // Word processors write names such as <o:p>.
      if (!htmlElements.has(name) && !name.includes(':')) return [];
      // HTML is written in one case: <Main> is a word.
      if (written !== name && written !== written.toUpperCase()) return [];
      const kind = slash ? 'end' : empty || voidElements.has(name) ? 'empty' : 'start';
      return [{ name, kind, start: index, end: index + text.length }];
    },
  );
}

/** The end tag of each start tag, by their indices. */
function partnersOf(tags: readonly Tag[]): Map<number, number> {
  const partners = new Map<number, number>();
  const open = new Map<string, number[]>();
  for (const [index, { name, kind }] of tags.entries()) {
    const waiting = open.get(name) ?? [];
    open.set(name, waiting);
    if (kind === 'start') waiting.push(index);
    const start = kind === 'end' ? waiting.pop() : undefined;
    if (start !== undefined) partners.set(start, index);
  }
  return partners;
}

/** `a<b>c` compares three numbers: a letter between signs, without spaces around. */
function isComparison(prose: string, { start, end }: Tag): boolean {
  return (
    end - start === '<b>'.length &&
    /[\w)\]}]/.test(prose[start - 1] ?? '') &&
    /[\w([{]/.test(prose[end] ?? '')
  );
}

function commentsOf(prose: string): Markup[] {
  const comments: Markup[] = [];
  let start = prose.indexOf('<!--');
  while (start >= 0) {
    const close = prose.indexOf('-->', start);
    if (close < 0) break;
    comments.push({ start, end: close + '-->'.length, name: '' });
    start = prose.indexOf('<!--', close);
  }
  return comments;
}

/** The elements of the HTML standard: the current ones (its index), and the obsolete ones (16.2). */
const htmlElements: ReadonlySet<string> = new Set(
  (
    'a abbr address area article aside audio b base bdi bdo blockquote body br button canvas caption cite code col ' +
    'colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure footer form h1 h2 ' +
    'h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark math menu ' +
    'meta meter nav noscript object ol optgroup option output p picture pre progress q rp rt ruby s samp script search ' +
    'section select slot small source span strong style sub summary sup svg table tbody td template textarea tfoot th ' +
    'thead time title tr track u ul var video wbr ' +
    'acronym applet basefont bgsound big blink center dir font frame frameset isindex keygen listing marquee menuitem ' +
    'multicol nextid nobr noembed noframes param plaintext rb rtc spacer strike tt xmp'
  ).split(' '),
);

/** Elements without an end tag (13.1.2). */
const voidElements: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
