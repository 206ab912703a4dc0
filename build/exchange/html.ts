/** Turns HTML into texts of the content format: a subset of Markdown with formulas. */
import { bounds } from '../content/bounds.ts';
import { UserError } from '../release/user-error.ts';
import { childrenOf, type Element, elementsIn, type Node, textIn } from './tree.ts';

/** What a text needs from its question. */
export interface TextContext {
  /** Keeps an image. @returns its file name; undefined if it cannot be kept */
  readonly image: (source: string, alt: string) => string | undefined;
  /** Reports something that the text has and ours cannot have. */
  readonly lose: (what: string) => void;
}

type Mark = '' | '*' | '**' | '***';

/** A part of a paragraph: words, or what is already written as ours. */
interface Run {
  readonly text: string;
  readonly mark: Mark;
  readonly isWords: boolean;
}

const marks: Readonly<Record<string, Mark>> = { b: '**', strong: '**', i: '*', em: '*', cite: '*', var: '*', dfn: '*' };

const paragraphs = new Set(
  'p div section article header footer main aside figure figcaption address dl dt dd pre caption prompt stimulusbody'.split(
    ' ',
  ),
);

/** What is reported of an element. Its text is kept, except that of `dropped`. */
const lost: readonly (readonly [what: string, elements: RegExp])[] = [
  ['headings, quotations and lines', /^(?:h\d|blockquote|hr)$/],
  ['links', /^a$/],
  ['underlining and strikethrough', /^(?:u|ins|s|strike|del)$/],
  ['code', /^(?:code|pre|kbd|samp)$/],
  ['media', /^(?:audio|video|iframe|embed|canvas|svg|object)$/],
  ['scripts and form fields', /^(?:script|style|input|select|textarea|button)$/],
  ['feedback', /feedback/],
  ['templates', /^(?:template|printedvariable)/],
];
const dropped = /^(?:audio|video|iframe|embed|canvas|svg|object|script|style|select|textarea|template.*|.*feedback.*)$/;

/** Writes HTML as a text. Signs that Markdown would interpret get a backslash. @throws UserError if it is too long */
export function textOf(nodes: readonly Node[], context: TextContext): string {
  return joined(blocksOf(nodes, context));
}

/** A list after a paragraph of its item needs no blank line. */
function joined(blocks: readonly string[], inItem = false): string {
  return blocks.reduce((text, block) => {
    if (text === '') return block;
    return text + (inItem && /^(?:- |\d+\. )/.test(block) ? '\n' : '\n\n') + block;
  }, '');
}

/** The paragraphs, lists and tables of HTML. */
function blocksOf(nodes: readonly Node[], context: TextContext): string[] {
  const blocks: string[] = [];
  let runs: Run[] = [];
  const endParagraph = () => {
    const text = paragraphOf(runs, context);
    if (text !== '') blocks.push(text);
    runs = [];
  };
  const visit = (node: Node, mark: Mark) => {
    if (typeof node === 'string') return void runs.push({ text: node, mark, isWords: true });
    const { name, children, attributes } = node;
    const write = (text: string) => runs.push({ text, mark, isWords: false });
    const visitAll = (inner = mark) => {
      for (const child of children) visit(child, inner);
    };
    const isImage = name === 'img' || (name === 'object' && attributes['type']?.startsWith('image/'));
    const [what] = lost.find(([, elements]) => !isImage && elements.test(name)) ?? [];
    if (what !== undefined) context.lose(what);
    const isBlock = paragraphs.has(name) || /^(?:h\d|hr|blockquote|table|[uo]l)$/.test(name);
    if (isBlock) endParagraph();
    if (isImage) {
      const file = context.image(attributes['src'] ?? attributes['data'] ?? '', attributes['alt'] || textIn(node));
      if (file !== undefined) write(`![](${file})`);
    } else if (name === 'br') write('\n');
    else if (name === 'math') write(mathOf(node, context));
    else if (name === 'sub' || name === 'sup') {
      const script = scriptOf(textIn(node), name === 'sub' ? '_' : '^');
      if (script === undefined) context.lose('raised and lowered text');
      if (script === undefined) visitAll();
      else write(script);
    } else if (name === 'table') blocks.push(...tableOf(node, context));
    else if (name === 'ul' || name === 'ol') blocks.push(...listOf(node, context));
    else if (!dropped.test(name)) visitAll(combined(mark, marks[name] ?? ''));
    if (isBlock) endParagraph();
  };
  for (const node of nodes) visit(node, '');
  endParagraph();
  return blocks;
}

function combined(outer: Mark, inner: Mark): Mark {
  return outer === inner || outer === '***' ? outer : ((outer + inner) as Mark);
}

/** Formulas between the delimiters of MathJax: `\(...\)`, `\[...\]`, `$$...$$`. A backslash belongs to the next sign. */
const formulas = /\\\(((?:[^\\]|\\[^()])+)\\\)|\\\[((?:[^\\]|\\[^[\]])+)\\\]|\$\$((?:[^\\$]|\\.)+)\$\$/g;

/** Stands for a line break around a display formula, of which there is one in any case. */
const displayBreak = '\v';

function formulaOf(tex: string, isDisplay: boolean, { lose }: TextContext): string {
  const clean = tex
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<!\\)\\$/, '\\ ');
  if (clean === '') return '';
  const dollars = /(?<!\\)\$/g;
  if (dollars.test(clean)) lose('dollar signs in formulas');
  const safe = clean.replace(dollars, '\\$');
  return isDisplay ? `${displayBreak}$$${safe}$$${displayBreak}` : `$${safe}$`;
}

/** MathML with an annotation in TeX, or the same in `alttext`. */
function mathOf(math: Element, context: TextContext): string {
  const annotation = elementsIn(math, /^annotation$/).find(({ attributes }) =>
    /tex/i.test(attributes['encoding'] ?? ''),
  );
  const tex = annotation ? textIn(annotation) : (math.attributes['alttext'] ?? '');
  const [, inner = tex] = /^\s*\\[([](.*)\\[)\]]\s*$/s.exec(tex) ?? [];
  if (inner.trim() !== '') return formulaOf(inner, math.attributes['display'] === 'block', context);
  context.lose('MathML without TeX');
  return literal(textIn(math).replace(/\s+/g, ' '));
}

/** A raised or lowered text as a formula; undefined if it has signs that LaTeX has not. */
function scriptOf(text: string, sign: '_' | '^'): string | undefined {
  const plain = text.trim().replace(/[−–]/g, '-');
  if (/^[\d+\-=.,()/ ]+$|^[a-zA-Z]$/.test(plain))
    return plain.length === 1 ? `$${sign}${plain}$` : `$${sign}{${plain}}$`;
  return /^[\p{L}\d +\-=.,()/]+$/u.test(plain) ? `$${sign}{\\text{${plain}}}$` : undefined;
}

/** Words with a backslash before signs that Markdown interprets anywhere; what looks like HTML becomes a formula. */
function literal(words: string): string {
  return words
    .normalize('NFC')
    .replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}]/gu, '')
    .replace(/[\\*`$]|\](?=[([:]|$)/g, '\\$&')
    .replace(/<(?=\/?[a-zA-Z][^<>]*>|!--|[^\s<>]+[:@])/g, '$<$$')
    .replace(/&(?=#?\w+;)/g, '$\\&$$');
}

/** At the start of a line: a heading, quotation, list, table, line or code. */
const lineStart = /^(?:(\d{1,9})([.)])(?=\s|$)|(?=#{1,6}(?:\s|$)|>|[-+](?:\s|$)|=+$|~~~|\|?\s*:?-[-:| ]*$))/gm;

function paragraphOf(runs: readonly Run[], context: TextContext): string {
  const groups: { text: string; mark: Mark }[] = [];
  let words = '';
  for (const [index, { text, mark, isWords }] of runs.entries()) {
    if (isWords) words += text;
    const next = runs[index + 1];
    if (isWords && next?.isWords && next.mark === mark) continue;
    if (words.length > bounds.text) throw new UserError(`The text is longer than ${bounds.text} characters.`);
    const written = isWords ? wordsOf(words, context) : text;
    words = '';
    const last = groups.at(-1);
    if (last?.mark === mark) last.text += written;
    else groups.push({ text: written, mark });
  }
  let text = '';
  for (const [index, group] of groups.entries()) text += marked(group, text, groups[index + 1]?.text ?? '', context);
  return text
    .replace(/[ \n]*\v[ \n\v]*/g, '\n')
    .replace(/ *\n */g, '\n')
    .replace(/\n{2,}/g, '\n\n')
    .trim()
    .replace(lineStart, (_, number = '', sign = '') => `${number}\\${sign}`);
}

function wordsOf(text: string, context: TextContext): string {
  const plain = text.replace(/[\s\u00a0]+/g, ' ');
  let written = '';
  let end = 0;
  for (const { 0: found, 1: inline, 2: bracketed, 3: dollars = '', index } of plain.matchAll(formulas)) {
    const formula = formulaOf(inline ?? bracketed ?? dollars, inline === undefined, context);
    written += literal(plain.slice(end, index)) + formula;
    end = index + found.length;
  }
  return written + literal(plain.slice(end));
}

/** Bold and italic words. Markdown has none within a word. */
function marked(
  group: { readonly text: string; readonly mark: Mark },
  before: string,
  after: string,
  context: TextContext,
) {
  const { text, mark } = group;
  const core = text.trim();
  if (mark === '' || core === '' || /^!\[\]\(\S*\)$/.test(core)) return text;
  const start = text.indexOf(core);
  const [lead, trail] = [text.slice(0, start), text.slice(start + core.length)];
  if (/[\p{L}\p{M}\p{N}$)\]}*\\]$/u.test(before + lead) || /^[\p{L}\p{M}\p{N}$*\\]/u.test(trail + after)) {
    context.lose('bold or italics within a word');
    return text;
  }
  return lead + mark + core + mark + trail;
}

/** A list. Markdown would show a dot before the only item of one, so that has none. */
function listOf(list: Element, context: TextContext): string[] {
  const isOrdered = list.name === 'ol';
  const items = childrenOf(list).map((item) =>
    joined(blocksOf(item.name === 'li' ? item.children : [item], context), true),
  );
  if (!isOrdered && items.length === 1) return items;
  const first = Math.trunc(Number(list.attributes['start'] ?? 1)) || 1;
  const written = items.map((item, index) => {
    const marker = isOrdered ? `${Math.max(first, 0) + index}. ` : '- ';
    return marker + item.replace(/\n(?!\n|$)/g, `\n${' '.repeat(marker.length)}`);
  });
  return written.length > 0 ? [written.join('\n')] : [];
}

/** A table, after its caption. The first row is the header; a cell is one line. */
function tableOf(table: Element, context: TextContext): string[] {
  const rows = elementsIn(table, /^tr$/).map((row) => childrenOf(row).filter(({ name }) => /^t[dh]$/.test(name)));
  if (rows.flat().some(({ attributes }) => attributes['rowspan'] ?? attributes['colspan']))
    context.lose('merged cells');
  const texts = rows.map((cells) => cells.map((cell) => cellText(blocksOf(cell.children, context))));
  const columns = Math.max(...texts.map((cells) => cells.length));
  const caption = blocksOf(childrenOf(table, 'caption'), context);
  if (rows.length === 0) return caption;
  const line = (cells: readonly string[]) =>
    `|${Array.from({ length: columns }, (_, column) => ` ${cells[column] ?? ''} `).join('|')}|`;
  const rule = Array.from({ length: columns }, (_, column) => ruleOf(rows[0]?.[column]));
  const [header = [], ...body] = texts;
  return [...caption, [line(header), `|${rule.join('|')}|`, ...body.map(line)].join('\n')];
}

function ruleOf(cell: Element | undefined): string {
  const { style = '', class: names = '', align = '' } = cell?.attributes ?? {};
  const [, side = align] = /(?:text-align:\s*|qti-align-)(left|center|right)/.exec(`${style} ${names}`) ?? [];
  return { left: ':---', center: ':---:', right: '---:' }[side] ?? '---';
}

function cellText(blocks: readonly string[]): string {
  const line = blocks.join(' ').replace(/\s*\n\s*/g, ' ');
  return line.replace(/\\.|\$\$?[^$]*\$|\|/g, (found) => (found === '|' ? '\\|' : found));
}
