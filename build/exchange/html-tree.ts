/** Reduces HTML to what texts can have: paragraphs, lists, tables, bold, italics, images and formulas. Reports the rest. */
import { numeralOf } from './numerals.ts';
import { childrenOf, type Element, type Node, textIn } from './source.ts';
import { dollarFormula, mathOf, mathTags, scriptOf, teX, texIn } from './tex.ts';

/** What a text needs from its question. */
export interface TextContext {
  /** Keeps an image. @returns its file name; undefined if it cannot be kept */
  readonly image: (source: string, alt: string) => string | undefined;
  /** Reports something that the text has and ours cannot have. */
  readonly lose: (what: string) => void;
}

export type TreeNode = TreeElement | { readonly type: 'text'; readonly value: string };

/** An element of hast. A formula is an image with LaTeX, which converters keep among words. */
export interface TreeElement {
  readonly type: 'element';
  readonly tagName: string;
  readonly properties: Readonly<Record<string, string | number>>;
  readonly children: TreeNode[];
  readonly data?: TreeData;
}

export interface TreeData {
  readonly tex?: string;
  readonly isDisplay?: boolean;
  /** Raised or lowered text, which belongs to the formula around it. */
  readonly isScript?: boolean;
  /** Markers of a list that are not consecutive numbers or dots. */
  readonly markers?: readonly string[];
}

const blockNames = new Set(
  `p div section article aside main nav header footer figure figcaption dl dt dd pre caption prompt stimulusbody h1 h2 h3
  h4 h5 h6 hr hgroup blockquote table tbody thead tfoot tr td th ul ol li menu dir details summary address center fieldset
  legend form contentbody rubricblock listing xmp`.split(/\s+/),
);
/** Elements with nothing but their children, beside blocks, and those that are turned into others. */
const plainNames = new Set(
  `span font small big label abbr acronym nobr bdi bdo time data output wbr br q ruby rb rbc rp rt rtc sub sup b strong i
  em var dfn cite math img object html body picture source map area noscript col colgroup gap`.split(
    /\s+/,
  ),
);
const block = { test: (name: string) => blockNames.has(name) };
const plain = {
  test: (name: string) =>
    plainNames.has(name) ||
    (blockNames.has(name) && !/^(?:pre|h[\dr]|blockquote|listing|xmp)$/.test(name)),
};
/** Elements whose text is not kept. */
const dropped =
  /^(?:audio|video|iframe|embed|canvas|svg|object|script|style|select|textarea|template.*|title|link|meta)$/;
const silent = /^(?:style|title|link|meta|template)$/;
const bold = /^(?:b|strong)$/;
const italic = /^(?:i|em|var|dfn|cite|address)$/;

/** A property of the `style` attribute. */
function styleOf({ attributes: { style = '' } }: Element, property: string): string {
  const found = new RegExp(`(?:^|;)\\s*${property}\\s*:\\s*([^;]+)`, 'i').exec(style);
  return found?.[1]?.trim().toLowerCase() ?? '';
}

type Style = 'strong' | 'em';

/** Reduces HTML. Formulas are found wherever their parts are in the elements of a paragraph. */
export function treeOf(nodes: readonly Node[], context: TextContext): TreeNode[] {
  const { lose } = context;
  const blocks = new Map<Element, boolean>();
  const hasBlock = (element: Element): boolean => {
    const known = blocks.get(element);
    if (known !== undefined) return known;
    const has = childrenOf(element).some((child) => block.test(child.name) || hasBlock(child));
    blocks.set(element, has);
    return has;
  };
  let tables = 0;
  const styled = (styles: readonly Style[], children: TreeNode[]): TreeNode[] =>
    styles.reduce((inner, style) => (inner.length > 0 ? [made(style, inner)] : []), children);

  /** @param open styles of the elements around it; @param pending those that blocks have to repeat inside */
  const visit = (node: Node, open: readonly Style[], pending: readonly Style[]): TreeNode[] => {
    if (typeof node === 'string') return styled(pending, [{ type: 'text', value: node }]);
    const { name, attributes, children } = node;
    const tex = teX(node);
    if (tex) return styled(pending, formula(tex.tex, tex.isDisplay));
    if (isDuplicate(node)) return [];
    if (name === 'math') {
      const { tex: found, isDisplay, text } = mathOf(node);
      if (found !== undefined) return formula(found, isDisplay);
      lose('MathML without TeX');
      return [{ type: 'text', value: text }];
    }
    const isImage =
      name === 'img' || (name === 'object' && attributes['type']?.startsWith('image/'));
    if (isImage) {
      const source = attributes['src'] ?? attributes['data'] ?? '';
      const file = context.image(source, attributes['alt'] || textIn(node));
      return file === undefined ? [] : [made('img', [], { src: file })];
    }
    if (dropped.test(name) || /feedback/.test(name)) {
      if (!silent.test(name) && !/feedback/.test(name)) lose(`elements: ${name}`);
      return [];
    }
    if (
      attributes['hidden'] !== undefined ||
      styleOf(node, 'display') === 'none' ||
      styleOf(node, 'visibility') === 'hidden'
    ) {
      if (textIn(node).trim() !== '') lose('hidden text');
      return [];
    }
    if (name === 'rp') return [];
    reportStyles(node);
    if (name === 'br') return [made('br', [])];
    const position = styleOf(node, 'vertical-align');
    if (/^su[bp]$/.test(name) || /^(?:super|sub)$/.test(position)) {
      const isRaised = name === 'sup' || position === 'super';
      const script = scriptOf(node, isRaised, lose);
      return script === '' ? [] : [made('img', [], {}, { tex: script, isScript: true })];
    }
    if (name === 'rt') {
      const inner = children.flatMap((child) => visit(child, open, pending));
      return inner.length > 0 ? [words('('), ...inner, words(')')] : [];
    }
    if (/^(?:pre|listing|xmp)$/.test(name) || /^(?:pre|break)/.test(styleOf(node, 'white-space'))) {
      const lines = textIn(node)
        .replace(/\r\n?/g, '\n')
        .replace(/^\n|\n+$/g, '')
        .split('\n');
      const shown = lines.flatMap((line, index) => [
        ...(index > 0 ? [made('br', [])] : []),
        words(
          line.replace(/\t/g, '    ').replace(/^ +| {2,}/g, (run) => '\u00a0'.repeat(run.length)),
        ),
      ]);
      return [made('code', shown)];
    }
    const own: Style[] = [
      ...(isBold(node) && !open.includes('strong') ? (['strong'] as const) : []),
      ...(isItalic(node) && !open.includes('em') ? (['em'] as const) : []),
    ];
    const inside = [...open, ...own];
    const isBlock = block.test(name);
    const isSplit = isBlock || hasBlock(node);
    // Markdown has no paragraph in bold words, only bold words in paragraphs.
    const carried = isSplit ? [...pending, ...own] : [];
    const isNested = name === 'table' && tables > 0;
    if (isNested) lose('tables in tables');
    if (name === 'table') tables += 1;
    const inner = children.flatMap((child) => visit(child, inside, carried));
    if (name === 'table') tables -= 1;
    if (isNested || (tables > 1 && block.test(name))) return [made('div', inner)];
    if (!isBlock) {
      if (name === 'q') return [made('q', styled(own, inner))];
      return isSplit ? inner : styled([...pending, ...own], inner);
    }
    if (name === 'ol' || name === 'ul') return [listOf(node, inner)];
    if (name === 'table')
      return [...captionsOf(node, inside), made('table', withoutCaptions(inner))];
    if (/^t[dh]$/.test(name)) return [made(name, inner, spans(node))];
    if (/^(?:li|t(?:body|head|foot|r))$/.test(name)) return [made(name, inner)];
    if (name === 'caption') return [];
    return [made(hasBlock(node) || name !== 'p' ? 'div' : 'p', inner)];
  };

  const reportStyles = (node: Element) => {
    const { name } = node;
    if (!plain.test(name)) lose(`elements: ${name}`);
    const decoration = `${styleOf(node, 'text-decoration')} ${styleOf(node, 'text-decoration-line')}`;
    if (/underline/.test(decoration) && name !== 'a') lose('elements: u');
    if (/line-through/.test(decoration)) lose('elements: s');
    if (
      /^(?:upper|lower|small|capital)/.test(
        styleOf(node, 'text-transform') + styleOf(node, 'font-variant'),
      )
    )
      lose('changed case');
    const colour = styleOf(node, 'color') || node.attributes['color'] || '';
    if (
      colour !== '' &&
      !/^(?:black|inherit|initial|#0{3,6}|rgba?\(0, ?0, ?0\b.*|#[123][\da-f]([123][\da-f]){2}|windowtext)$/.test(
        colour,
      )
    )
      lose('colours');
    const background = styleOf(node, 'background-color') || styleOf(node, 'background');
    if (/^(?:yellow|#ff|rgb\(255, ?255, ?0)/.test(background) && !/^#f{3,6}\b/.test(background))
      lose('colours');
    if (name === 'td' || name === 'th')
      if (Object.keys(spans(node)).length > 0) lose('merged cells');
  };

  const formula = (tex: string, isDisplay: boolean): TreeNode[] => {
    const written = texIn(tex, lose);
    return written === '' ? [] : [made('img', [], {}, { tex: written, isDisplay })];
  };

  const captionsOf = (table: Element, open: readonly Style[]): TreeNode[] =>
    childrenOf(table, 'caption').map((caption) =>
      made(
        'div',
        caption.children.flatMap((child) => visit(child, open, [])),
      ),
    );

  const tree = nodes.flatMap((node) => visit(node, [], []));
  return withFormulas(tree, lose);
}

function made(
  tagName: string,
  children: TreeNode[],
  properties: TreeElement['properties'] = {},
  data?: TreeData,
): TreeElement {
  return { type: 'element', tagName, properties, children, ...(data && { data }) };
}

function words(value: string): TreeNode {
  return { type: 'text', value };
}

function isBold(node: Element): boolean {
  const weight = styleOf(node, 'font-weight');
  if (/^(?:bold|bolder|[6-9]00)$/.test(weight)) return true;
  return bold.test(node.name) && !/^(?:normal|400)$/.test(weight);
}

function isItalic(node: Element): boolean {
  const style = styleOf(node, 'font-style');
  return /^(?:italic|oblique)/.test(style) || (italic.test(node.name) && style !== 'normal');
}

/** What KaTeX and MathJax draw for the eye, beside the formula itself. */
function isDuplicate({ attributes: { class: names = '', ariahidden } }: Element): boolean {
  return (
    /(?:^|\s)(?:katex-html|MathJax(?:_\w+)?|MJX_Assistive_MathML)(?:\s|$)/.test(names) &&
    (ariahidden === 'true' || /MathJax/.test(names))
  );
}

function withoutCaptions(children: readonly TreeNode[]): TreeNode[] {
  return children.filter((child) => child.type === 'element');
}

/** Columns and rows that a cell covers; more than a page shows are ignored. */
function spans({ attributes: { colspan, rowspan } }: Element): Record<string, number> {
  const valid = (text = '1') => {
    const span = Number.parseInt(text, 10);
    return span > 1 && span <= 20 ? span : 1;
  };
  const [columns, rows] = [valid(colspan), valid(rowspan)];
  return { ...(columns > 1 && { colSpan: columns }), ...(rows > 1 && { rowSpan: rows }) };
}

/** A list, with its markers if they are letters, missing, or not consecutive. */
function listOf(list: Element, children: TreeNode[]): TreeElement {
  const items = childrenOf(list, 'li');
  const [first] = items;
  const css = /\b(?:(?:upper|lower)-(?:alpha|latin|roman|greek)|none|decimal)\b/;
  const [style = ''] =
    css.exec(`${styleOf(list, 'list-style-type')} ${styleOf(list, 'list-style')}`) ??
    (first && css.exec(styleOf(first, 'list-style-type'))) ??
    [];
  const kind = style || list.attributes['type'] || '1';
  if (list.name === 'ul')
    return made('ul', children, {}, kind === 'none' ? { markers: items.map(() => '') } : undefined);
  const isReversed = list.attributes['reversed'] !== undefined;
  let number = Number.parseInt(list.attributes['start'] ?? '', 10);
  if (Number.isNaN(number)) number = isReversed ? items.length : 1;
  const start = number;
  const numbers = items.map(({ attributes: { value = '' } }) => {
    const own = Number.parseInt(value, 10);
    if (!Number.isNaN(own)) number = own;
    const shown = number;
    number += isReversed ? -1 : 1;
    return shown;
  });
  const isConsecutive = numbers.every((one, index) => one === (numbers[0] ?? 0) + index);
  if (/^(?:1|decimal|disc|circle|square)$/.test(kind) && isConsecutive && (numbers[0] ?? 1) >= 0)
    return made('ol', children, { start: numbers[0] ?? Math.max(start, 0) });
  return made('ol', children, {}, { markers: numbers.map((one) => numeralOf(one, kind)) });
}

interface Leaf {
  readonly node: TreeNode;
  readonly text: string;
}

/** In place of an image: no formula contains one. */
const barrier = '\ufdd9';

/** Finds formulas between TeX's delimiters in the words of each paragraph, whatever elements they are divided into. */
function withFormulas(nodes: readonly TreeNode[], lose: TextContext['lose']): TreeNode[] {
  const replaced = new Map<TreeNode, TreeNode[]>();
  let run: Leaf[] = [];
  const endRun = () => {
    findIn(run, replaced, lose);
    run = [];
  };
  const collect = (node: TreeNode): void => {
    if (node.type === 'text') run.push({ node, text: node.value });
    else if (node.tagName === 'br') run.push({ node, text: '\n' });
    else if (node.tagName === 'img')
      run.push({ node, text: node.data?.isScript ? (node.data.tex ?? '') : barrier });
    else if (node.tagName === 'code') endRun();
    else {
      const isBlock = block.test(node.tagName);
      if (isBlock) endRun();
      node.children.forEach(collect);
      if (isBlock) endRun();
    }
  };
  nodes.forEach(collect);
  endRun();
  const rebuilt = (node: TreeNode): TreeNode[] => {
    const instead = replaced.get(node);
    if (instead) return instead;
    if (node.type === 'text' || node.children.length === 0) return [node];
    return [{ ...node, children: node.children.flatMap(rebuilt) }];
  };
  return nodes.flatMap(rebuilt);
}

function findIn(
  leaves: readonly Leaf[],
  replaced: Map<TreeNode, TreeNode[]>,
  lose: TextContext['lose'],
): void {
  const text = leaves.map((leaf) => leaf.text).join('');
  if (!/[\\$]|\[tex\]/.test(text)) return;
  const found = [...text.matchAll(mathTags)].map((match) => {
    const [whole, inline, bracketed, dollars, tag] = match;
    const tex = inline ?? bracketed ?? dollars ?? tag ?? '';
    const isDisplay = bracketed !== undefined || dollars !== undefined;
    return { start: match.index, end: match.index + whole.length, tex, isDisplay };
  });
  let rest = text;
  for (const { start, end } of found)
    rest = rest.slice(0, start) + barrier.repeat(end - start) + rest.slice(end);
  for (const [written] of rest.matchAll(dollarFormula))
    if (/[\\^_={}<>+*/]|^\$[\d.]*\s?[a-zA-Z]\d*\$$/.test(written))
      lose(`formulas between single dollars: ${written.slice(0, 100)}`);
  let offset = 0;
  let next = 0;
  for (const { node, text: own } of leaves) {
    const end = offset + own.length;
    const pieces: TreeNode[] = [];
    let from = offset;
    let isChanged = false;
    while (next < found.length) {
      const match = found[next];
      if (!match || match.start >= end) break;
      isChanged = true;
      if (match.start >= offset) {
        if (from < match.start) pieces.push(words(text.slice(from, match.start)));
        const tex = texIn(match.tex, lose);
        if (tex !== '') pieces.push(made('img', [], {}, { tex, isDisplay: match.isDisplay }));
      }
      from = Math.min(end, match.end);
      if (match.end > end) break;
      next += 1;
    }
    if (isChanged) {
      if (from < end) pieces.push(words(text.slice(from, end)));
      replaced.set(node, pieces);
    }
    offset = end;
  }
}
