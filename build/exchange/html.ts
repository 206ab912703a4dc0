/** Turns HTML into texts of the content format: a subset of Markdown with formulas. */
import bounds from '../content/bounds.json' with { type: 'json' };
import { UserError } from '../release/user-error.ts';
import { childrenOf, type Element, elementsIn, type Node, normalized, textIn } from './source.ts';

/** What a text needs from its question. */
export interface TextContext {
  /** Keeps an image. @returns its file name; undefined if it cannot be kept */
  readonly image: (source: string, alt: string) => string | undefined;
  /** Reports something that the text has and ours cannot have. */
  readonly lose: (what: string) => void;
}

/** Around styled words, until it is known what is beside them. */
const bold = '\ue001';
const italic = '\ue002';
const styles: Readonly<Record<string, string>> = {
  b: bold,
  strong: bold,
  i: italic,
  em: italic,
  var: italic,
};
const styleEnd = '\ue003';
/** Stands for a line break around a display formula, of which there is one in any case. */
const displayBreak = '\v';

const block =
  /^(?:p|div|section|article|header|footer|fig\w+|d[ltd]|pre|caption|prompt|stimulus\w+|h[\dr]|blockquote|table|[uo]l)$/;

/** Elements that are reported. Their text is kept, except that of `dropped`. */
const reported =
  /^(?:h\d|blockquote|hr|a|u|ins|s|strike|del|code|pre|kbd|samp|input|button|printedvariable)$/;
const dropped =
  /^(?:audio|video|iframe|embed|canvas|svg|object|script|style|select|textarea|template.*)$/;

/** Writes HTML as a text. Signs that Markdown would interpret get a backslash. @throws UserError if it is too long */
export function textOf(nodes: readonly Node[], context: TextContext): string {
  // Markdown would show a dot before the only item of a list.
  const isSingle = (block: string) => block.startsWith('- ') && !block.includes('\n- ');
  const blocks = blocksOf(nodes, context);
  return joined(
    blocks.map((block) => (isSingle(block) ? block.slice(2).replaceAll('\n  ', '\n') : block)),
  );
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
  const open: string[] = [];
  let text = '';
  const endParagraph = () => {
    blocks.push(
      ...[paragraphOf(text + styleEnd.repeat(open.length), context)].filter(
        (paragraph) => paragraph !== '',
      ),
    );
    text = open.join('');
  };
  const visit = (node: Node) => {
    if (typeof node === 'string') {
      text += wordsOf(node, context);
      return;
    }
    const { name, children, attributes } = node;
    const isImage =
      name === 'img' || (name === 'object' && attributes['type']?.startsWith('image/'));
    if (!isImage && (reported.test(name) || dropped.test(name))) context.lose(`elements: ${name}`);
    const style = Object.hasOwn(styles, name) ? styles[name] : undefined;
    if (block.test(name)) endParagraph();
    if (isImage) {
      const file = context.image(
        attributes['src'] ?? attributes['data'] ?? '',
        attributes['alt'] || textIn(node),
      );
      if (file !== undefined) text += `![](${file})`;
    } else if (name === 'br') text += '\n';
    else if (name === 'math') text += mathOf(node, context);
    else if (name === 'sub' || name === 'sup') text += scriptOf(textIn(node), name, context);
    else if (name === 'table') blocks.push(...tableOf(node, context));
    else if (name === 'ul' || name === 'ol') blocks.push(...listOf(node, context));
    else if (style && !open.includes(style)) {
      text += style;
      open.push(style);
      children.forEach(visit);
      open.pop();
      text += styleEnd;
    } else if (!dropped.test(name) && !/feedback/.test(name)) children.forEach(visit);
    if (block.test(name)) endParagraph();
  };
  nodes.forEach(visit);
  endParagraph();
  return blocks;
}

/** Formulas between MathJax's delimiters: `\(...\)`, `\[...\]`, `$$...$$`. A backslash belongs to the next sign. */
const formulas =
  /\\\(((?:[^\\]|\\[^()])+)\\\)|\\\[((?:[^\\]|\\[^[\]])+)\\\]|\$\$((?:[^\\$]|\\.)+)\$\$/g;

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

/** A raised or lowered text as a formula. */
function scriptOf(text: string, name: 'sub' | 'sup', context: TextContext): string {
  const plain = text
    .replace(/[−–]/g, '-')
    .replace(/[^\p{L}\d+\-=.,()/ ]/gu, '')
    .trim();
  if (plain.length < text.trim().length) context.lose('raised and lowered signs');
  if (plain === '') return '';
  const tex = /^[\d+\-=.,()/ ]+$|^[a-zA-Z]$/.test(plain) ? plain : `\\text{${plain}}`;
  return `$${name === 'sub' ? '_' : '^'}${tex.length === 1 ? tex : `{${tex}}`}$`;
}

/** Words with a backslash before signs that Markdown interprets anywhere; what looks like HTML becomes a formula. */
function literal(words: string): string {
  return normalized(words)
    .replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}]/gu, '')
    .replace(/[\\*`$]|\](?=[([:]|$)/g, '\\$&')
    .replace(/<(?=\/?[a-zA-Z][^<>]*>|!--|[^\s<>]+[:@])/g, '$<$$')
    .replace(/&(?=#?\w+;)/g, '$\\&$$');
}

/** At the start of a line: a heading, quotation, list, table, line or code. */
const lineStart =
  /^(?:(\d{1,9})([.)])(?=\s|$)|(?=#{1,6}(?:\s|$)|>|[-+](?:\s|$)|=+$|~~~|\|?\s*:?-[-:| ]*$))/gm;

/** Styled words without others in them, with the characters before and after. */
const styled =
  /(?<=(.?)[\ue001\ue002]*)([\ue001\ue002])(\s*)([^\ue001-\ue003]*?)(\s*)\ue003(?=[\ue001-\ue003]*(.?))/s;
/** An asterisk of Markdown. */
const asterisk = '\ue004';

function paragraphOf(text: string, context: TextContext): string {
  if (text.length > bounds.text)
    throw new UserError(`The text is longer than ${bounds.text} characters.`);
  let written = text;
  for (let found = styled.exec(written); found; found = styled.exec(written)) {
    const [{ length }, before = '', style, lead = '', words = '', trail = '', after = ''] = found;
    // Markdown has no bold or italic part of a word.
    const isPart = lead === '' && /[\p{L}\p{M}\p{N}$)\]}*\\\ue004]/u.test(before);
    const isBefore = trail === '' && /[\p{L}\p{M}\p{N}$*\\]/u.test(after);
    const isPlain = words === '' || /^!\[\]\(\S*\)$/.test(words);
    if ((isPart || isBefore) && !isPlain) context.lose('bold or italics within a word');
    const mark = isPart || isBefore || isPlain ? '' : asterisk.repeat(style === bold ? 2 : 1);
    const start = written.slice(0, found.index);
    const end = written.slice(found.index + length);
    written = `${start}${lead}${mark}${words}${mark}${trail}${end}`;
  }
  return written
    .replaceAll(asterisk, '*')
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
  for (const { 0: found, 1: inline, 2: bracketed, 3: dollars = '', index } of plain.matchAll(
    formulas,
  )) {
    const formula = formulaOf(inline ?? bracketed ?? dollars, inline === undefined, context);
    written += literal(plain.slice(end, index)) + formula;
    end = index + found.length;
  }
  return written + literal(plain.slice(end));
}

function listOf(list: Element, context: TextContext): string[] {
  const isOrdered = list.name === 'ol';
  const items = childrenOf(list).map((item) =>
    joined(blocksOf(item.name === 'li' ? item.children : [item], context), true),
  );
  const first = Math.trunc(Number(list.attributes['start'] ?? 1)) || 1;
  const written = items.map((item, index) => {
    const marker = isOrdered ? `${Math.max(first, 0) + index}. ` : '- ';
    return marker + item.replace(/\n(?!\n|$)/g, `\n${' '.repeat(marker.length)}`);
  });
  return written.length > 0 ? [written.join('\n')] : [];
}

/** A table, after its caption. The first row is the header; a cell is one line. */
function tableOf(table: Element, context: TextContext): string[] {
  // Not those of tables in its cells.
  const rows = childrenOf(table)
    .flatMap((part) => (part.name === 'tr' ? [part] : childrenOf(part, 'tr')))
    .map((row) => childrenOf(row).filter(({ name }) => /^t[dh]$/.test(name)));
  if (rows.flat().some(({ attributes }) => attributes['rowspan'] ?? attributes['colspan']))
    context.lose('merged cells');
  const texts = rows.map((cells) =>
    cells.map((cell) => cellText(blocksOf(cell.children, context))),
  );
  const columns = texts.reduce((most, cells) => Math.max(most, cells.length), 0);
  const [header = [], ...body] = texts.map((cells) => [
    ...cells,
    ...Array(columns - cells.length).fill(''),
  ]);
  const lines = [header, header.map(() => '---'), ...body].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
  return [
    ...blocksOf(childrenOf(table, 'caption'), context),
    ...(columns > 0 ? [lines.join('\n')] : []),
  ];
}

function cellText(blocks: readonly string[]): string {
  const line = blocks.join(' ').replace(/\s*\n\s*/g, ' ');
  return line.replace(/\\.|\$\$?[^$]*\$|\|/g, (found) => (found === '|' ? '\\|' : found));
}
