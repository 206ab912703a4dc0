/** Turns HTML into texts of the content format: a subset of Markdown with formulas. */
import { defaultHandlers, type Handle, toMdast } from 'hast-util-to-mdast';
import bounds from '../content/bounds.json' with { type: 'json' };
import { UserError } from '../release/user-error.ts';
import { type TextContext, type TreeData, treeOf } from './html-tree.ts';
import { type Node, normalized } from './source.ts';

export type { TextContext };

/** A node of mdast, with the properties that are read here. */
interface MarkdownNode {
  readonly type: string;
  readonly value?: string;
  readonly url?: string;
  readonly ordered?: boolean | null;
  readonly start?: number | null;
  readonly children?: readonly MarkdownNode[];
  readonly data?: TreeData;
}

/** Around styled words, until it is known what is beside them. */
const bold = '\ufdd1';
const italic = '\ufdd2';
const styleEnd = '\ufdd3';
/** An asterisk of Markdown. */
const asterisk = '\ufdd4';
/** Stands for a line break around a display formula, of which there is one in any case. */
const displayBreak = '\v';

const asFormula: Handle = (state, element) => {
  const { tex, isDisplay } = (element.data ?? {}) as TreeData;
  if (tex === undefined) return defaultHandlers['img']?.(state, element);
  return { type: 'inlineMath', value: tex, data: { isDisplay } } as never;
};

const asList: Handle = (state, element) => {
  const list = defaultHandlers['ol']?.(state, element) as object;
  return { ...list, data: element.data } as never;
};

const asCode: Handle = (state, element) =>
  ({ type: 'paragraph', children: state.all(element) }) as never;

const conversion = {
  document: true,
  quotes: ['“”', '‘’'],
  handlers: { img: asFormula, ol: asList, ul: asList, code: asCode },
};

/** Writes HTML as a text. Signs that Markdown would interpret get a backslash. @throws UserError if it is too long */
export function textOf(nodes: readonly Node[], context: TextContext): string {
  const tree = { type: 'root', children: treeOf(nodes, context) };
  const { children = [] } = toMdast(tree as never, conversion) as MarkdownNode;
  // Markdown would show a dot before the only item of a list.
  const isSingle = (block: string) => block.startsWith('- ') && !block.includes('\n- ');
  const blocks = blocksOf(children, context).map((block) =>
    isSingle(block) ? block.slice(2).replaceAll('\n  ', '\n') : block,
  );
  return withMarks(joined(blocks), context);
}

/** Keeps the marks of a text from right to left, and reports those that are removed elsewhere. */
function withMarks(text: string, { lose }: TextContext): string {
  const isKept = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}]|^[\P{L}]*$/u.test(text);
  return text.replace(isKept ? otherInvisible : invisible, (found) => {
    const code = found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    lose(`invisible characters: U+${code}`);
    return '';
  });
}

const invisible = /(?!\u200c|\u200d|\n)[\p{Cc}\p{Cf}\p{Noncharacter_Code_Point}]/gu;
const otherInvisible =
  /(?![\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\n]|\u200c|\u200d)[\p{Cc}\p{Cf}\p{Noncharacter_Code_Point}]/gu;

/** A list after a paragraph of its item needs no blank line, unless it is one of numbers that begin elsewhere. */
function joined(blocks: readonly string[], inItem = false): string {
  return blocks.reduce((text, block) => {
    if (text === '') return block;
    return text + (inItem && /^(?:- |1[.)] )/.test(block) ? '\n' : '\n\n') + block;
  }, '');
}

/** The paragraphs, lists and tables of a document. */
function blocksOf(nodes: readonly MarkdownNode[], context: TextContext): string[] {
  const blocks: string[] = [];
  // Markdown joins two lists with the same signs.
  let sign = '.';
  let isAfterList = false;
  for (const node of nodes) {
    const { type, ordered, data, children = [] } = node;
    if (type === 'list') {
      const isNumbered = ordered === true && !data?.markers;
      if (isNumbered) sign = isAfterList && sign === '.' ? ')' : '.';
      blocks.push(...listOf(node, sign, context));
      isAfterList = isNumbered;
      continue;
    }
    const written =
      type === 'table'
        ? tableOf(node, context)
        : type === 'paragraph'
          ? [paragraphOf(inline(children, context), context)]
          : children.length > 0
            ? blocksOf(children, context)
            : [paragraphOf(inline([node], context), context)];
    blocks.push(...written.filter((block) => block !== ''));
    isAfterList &&= written.every((block) => block === '');
  }
  return blocks;
}

/** The words, formulas and images of a paragraph, with stand-ins for its styles. */
function inline(nodes: readonly MarkdownNode[], context: TextContext): string {
  let text = '';
  let last: MarkdownNode | undefined;
  for (const node of nodes) {
    const { type, value = '', url = '', children = [], data } = node;
    const style = type === 'strong' ? bold : type === 'emphasis' ? italic : '';
    if (type === 'inlineMath') {
      const isJoined = last?.type === 'inlineMath' && !last.data?.isDisplay && !data?.isDisplay;
      // Two formulas side by side are one: SO₄²⁻.
      if (isJoined) text = `${text.slice(0, -1)}${/^[_^]/.test(value) ? '' : ' '}${value}$`;
      else text += data?.isDisplay ? `${displayBreak}$$${value}$$${displayBreak}` : `$${value}$`;
    } else if (type === 'break') text += '\n';
    else if (type === 'image') text += `![](${url})`;
    else if (style !== '') text += `${style}${inline(children, context)}${styleEnd}`;
    else if (children.length > 0) text += inline(children, context);
    else text += literal(value);
    last = node;
  }
  return text;
}

/** Words with a backslash before signs that Markdown interprets anywhere; what looks like HTML becomes a formula. */
function literal(words: string): string {
  return normalized(words)
    .replace(/[\ufdd0-\ufdef\v]/g, '')
    .replace(/[\\*`$]|\](?=[([:]|$)/g, '\\$&')
    .replace(/<(?=\/?[a-zA-Z][^<>]*>|!--|[^\s<>]+[:@])/g, '$<$$')
    .replace(/&(?=#?\w+;)/g, '$\\&$$');
}

/** At the start of a line: a heading, quotation, list, table, line or code. */
const lineStart =
  /^(?:(\d{1,9})([.)])(?=\s|$)|(?=#{1,6}(?:\s|$)|>|[-+](?:\s|$)|=+$|~~~|\|?\s*:?-[-:| ]*$))/gm;

/** Styled words without others in them, with the characters before and after. */
const styled =
  /(?<=(.?)[\ufdd1\ufdd2]*)([\ufdd1\ufdd2])(\s*)([^\ufdd1-\ufdd3]*?)(\s*)\ufdd3(?=[\ufdd1-\ufdd3]*(.?))/s;

function paragraphOf(text: string, context: TextContext): string {
  if (text.length > bounds.text)
    throw new UserError(`The text is longer than ${bounds.text} characters.`);
  let written = text;
  for (let found = styled.exec(written); found; found = styled.exec(written)) {
    const [{ length }, before = '', style, lead = '', words = '', trail = '', after = ''] = found;
    // Markdown has no bold or italic part of a word.
    const isPart = lead === '' && /[\p{L}\p{M}\p{N}$)\]}*\\\ufdd4]/u.test(before);
    const isBefore = trail === '' && /[\p{L}\p{M}\p{N}$*\\]/u.test(after);
    const isPlain = words === '' || /^!\[\]\(\S*\)$/.test(words) || /^\$[^$]*\$$/.test(words);
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
    .replace(/(?<=\S)\u00a0+(?=\S)/g, (spaces) => ' '.repeat(spaces.length > 1 ? spaces.length : 1))
    .replace(/^\s+|[\s]+$/g, '')
    .replace(lineStart, (_, number = '', sign = '') => `${number}\\${sign}`);
}

function listOf(list: MarkdownNode, sign: string, context: TextContext): string[] {
  const markers = list.data?.markers;
  const first = Math.max(list.start ?? 1, 0);
  const written = (list.children ?? []).flatMap((item, index) => {
    const blocks = blocksOf(item.children ?? [], context);
    if (markers) {
      const marker = markers[index] ?? '';
      const text = blocks.reduce(
        (all, block) => `${all}${all === '' ? '' : block.startsWith('|') ? '\n\n' : '\n'}${block}`,
        '',
      );
      return `${marker}${marker && ' '}${text}`
        .trim()
        .replace(lineStart, (_, number = '', dot = '') => `${number}\\${dot}`);
    }
    const marker = list.ordered ? `${first + index}${sign} ` : '- ';
    const indent = ' '.repeat(marker.length);
    return marker + joined(blocks, true).replace(/\n(?!\n|$)/g, `\n${indent}`);
  });
  return written.length > 0 ? [written.join('\n')] : [];
}

/** The first row of a table is its header; a cell is one line. */
function tableOf(table: MarkdownNode, context: TextContext): string[] {
  const rows = (table.children ?? []).map(({ children: cells = [] }) =>
    cells.map(({ children = [] }) => cellText(children, context)),
  );
  const isHeadless =
    rows.length > 1 &&
    (table.children?.[0]?.children ?? []).every(({ children = [] }) => children.length === 0);
  const [header = [], ...body] = isHeadless ? rows.slice(1) : rows;
  const lines = [header, header.map(() => '---'), ...body].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
  return header.length > 0 && rows.flat().some((cell) => cell !== '') ? [lines.join('\n')] : [];
}

function cellText(nodes: readonly MarkdownNode[], context: TextContext): string {
  const isFlow = nodes.some(({ type }) => /^(?:paragraph|list|table)$/.test(type));
  const blocks = isFlow ? blocksOf(nodes, context) : [paragraphOf(inline(nodes, context), context)];
  // Word's cells are often items of a list.
  const items = blocks.map((one) => (/^- [^\n]*$/.test(one) ? one.slice(2) : one));
  const line = items.join(' ').replace(/\s*\n\s*/g, ' ');
  return line.replace(/\\.|\$\$?[^$]*\$|\|/g, (found) => (found === '|' ? '\\|' : found));
}
