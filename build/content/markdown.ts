/** Parses texts: formulas, and a subset of Markdown (CommonMark with the tables of GitHub). */
import { parse, postprocess, preprocess } from 'micromark';
import { gfmTable } from 'micromark-extension-gfm-table';
import bounds from './bounds.json' with { type: 'json' };
import { type Formula, formulasOf, proseOf } from './formulas.ts';
import type { Span } from './positions.ts';

/** A part of a text, with its offsets in UTF-16 units of the text as it is written. */
export type TextNode = Span &
  /** Words; or what texts do not have, such as code, as it is written. */
  (
    | { readonly kind: 'words' | 'outside'; readonly words: string }
    | { readonly kind: 'formula'; readonly formula: Formula }
    | { readonly kind: 'break' }
    | Placement
    | Branch
  );

/** `![](file)`, or `![alt](file)` */
export interface Placement {
  readonly kind: 'diagram';
  readonly file: string;
  readonly alt: string;
  /** Whether more than a file name is in the parentheses. */
  readonly hasTitle: boolean;
}

/** A part that has parts: a list has items, a table rows, a row cells. */
export type Branch = (
  | { readonly kind: 'paragraph' | 'strong' | 'emphasis' | 'row' | 'cell' }
  /** The first number; undefined for a list with dots. */
  | { readonly kind: 'list'; readonly first: number | undefined }
  /** The marker is `-`, `*` or `+`, or a number with its `.` or `)`. */
  | { readonly kind: 'item'; readonly marker: Span }
  /** The first row is the header. */
  | { readonly kind: 'table'; readonly align: readonly ('left' | 'center' | 'right' | 'none')[] }
) & { readonly children: readonly TextNode[] };

/** What CommonMark has and texts do not. */
export type Construct =
  | 'heading'
  | 'underline'
  | 'quote'
  | 'rule'
  | 'code'
  | 'indent'
  | 'link'
  | 'address'
  | 'definition'
  | 'depth'
  | 'signs';

export interface ParsedText {
  /** Paragraphs, lists and tables. */
  readonly parts: readonly TextNode[];
  /** Where CommonMark sees something that texts do not have, in order. */
  readonly outside: readonly (Span & { readonly construct: Construct })[];
}

/**
 * Parses any text as CommonMark with tables, except that a formula is a word, an underscore and `<` are ordinary
 * characters, and so is `&`. (Another rule reports HTML.)
 *
 * @param isOption whether it is an option: one of a single line, such as `2043.`, is not a list
 */
export function parseText(text: string, isOption = false): ParsedText {
  const { formulas } = formulasOf(text);
  const parts: TextNode[] = [];
  const outside: (Span & { construct: Construct })[] = [];
  /** The branches around the current token; an item has no token of its own. */
  const open: { readonly node: OpenBranch; readonly token: Token | undefined }[] = [];
  let nextFormula = 0;
  let skipped: Token | undefined;
  let image: { label?: Token; file?: Token; title?: Token } = {};

  const add = (node: TextNode) => (open.at(-1)?.node.children ?? parts).push(node);
  const addWords = (start: number, end: number, words = text.slice(start, end)) => {
    if (start < end) add({ kind: 'words', start, end, words });
  };
  const addData = (start: number, end: number) => {
    let from = start;
    for (;;) {
      const formula = formulas[nextFormula];
      if (!formula || formula.start > end) break;
      nextFormula += 1;
      if (formula.start < from) continue;
      addWords(from, formula.outer.start);
      from = formula.outer.end;
      add({ kind: 'formula', ...formula.outer, formula });
    }
    addWords(from, end);
  };
  const addLiteral = (start: number, end: number) => {
    const words: TextNode = { kind: 'outside', start, end, words: text.slice(start, end) };
    const isInside = isInline(open.at(-1)?.node);
    add(isInside ? words : { kind: 'paragraph', start, end, children: [words] });
  };
  const begin = (branch: BranchKind, { start, end }: Span, token?: Token) => {
    const parent = open.at(-1)?.node;
    if (open.length === bounds.markdownDepth) outside.push({ construct: 'depth', start, end });
    const isTooDeep = parent && open.length >= bounds.markdownDepth;
    const node: OpenBranch = { ...branch, start, end, children: isTooDeep ? parent.children : [] };
    if (!isTooDeep) add(node);
    open.push({ node, token });
  };
  const endItem = () => {
    const item = open.at(-1)?.node;
    if (item?.kind !== 'item') return;
    item.end = item.children.at(-1)?.end ?? item.end;
    open.pop();
  };

  const markdown = text.length > bounds.text ? '' : masked(text);
  if (text.length > bounds.text || (markdown.match(anySign)?.length ?? 0) > bounds.markdownSigns) {
    // Validation rejects it; a preview shows it.
    outside.push({ construct: 'signs', start: 0, end: text.length });
    begin({ kind: 'paragraph' }, { start: 0, end: text.length });
    addData(0, text.length);
    return { parts, outside };
  }
  const isLine = isOption && !text.includes('\n');
  for (const [step, token] of eventsOf(markdown, isLine ? withoutLists : withLists)) {
    const { type } = token;
    const span = { start: token.start.offset, end: token.end.offset };
    const { start, end } = span;
    if (skipped) {
      if (type === 'labelText') image.label ??= token;
      if (type === 'resourceDestinationString') image.file = token;
      if (type === 'resourceTitle') image.title = token;
      if (step !== 'exit' || token !== skipped) continue;
      if (type === 'image') {
        const { label, file, title } = image;
        const written = (part?: Token) =>
          part ? text.slice(part.start.offset, part.end.offset) : '';
        const place = { start, end, file: written(file), alt: written(label) };
        add({ kind: 'diagram', ...place, hasTitle: title !== undefined });
      }
      skipped = undefined;
    } else if (step === 'exit') {
      if (type === 'listOrdered' || type === 'listUnordered') endItem();
      if (open.at(-1)?.token === token) open.pop();
    } else if (type === 'listOrdered' || type === 'listUnordered') {
      const first =
        type === 'listOrdered' ? Number.parseInt(text.slice(start, end), 10) : undefined;
      begin({ kind: 'list', first }, span, token);
    } else if (type === 'listItemPrefix') {
      endItem();
      const length = text.slice(start, end).trim().length;
      begin({ kind: 'item', marker: { start, end: start + length } }, span);
    } else if (type === 'table') {
      begin({ kind: 'table', align: token._align ?? [] }, span, token);
    } else if (type in branches) {
      begin({ kind: branches[type as keyof typeof branches] }, span, token);
    } else if (type === 'data') addData(start, end);
    else if (type === 'characterEscape') addWords(start, end, text.slice(start + 1, end));
    else if (type === 'lineEnding' && isInline(open.at(-1)?.node))
      add({ kind: 'break', start, end });
    else {
      const construct = constructs[type as keyof typeof constructs];
      if (construct) outside.push({ construct, start, end });
      if (opaque.has(type)) {
        skipped = token;
        image = {};
        // Apps do not show it, but a preview of text with a mistake does.
        if (construct) addLiteral(start, end);
      }
    }
  }
  return { parts, outside };
}

/** A sign of Markdown, the end of a line, or the start of an item. */
const anySign = /[\\*`|[\]<>!#\n]|(?:[-+]|\d[.)])(?=\s)/g;

/** The file names of the diagrams that a text places. */
export function placedDiagrams(text: string): string[] {
  return text.includes('](') ? placementsIn(parseText(text).parts) : [];
}

function placementsIn(parts: readonly TextNode[]): string[] {
  return parts.flatMap((part) => {
    if ('children' in part) return placementsIn(part.children);
    return part.kind === 'diagram' ? [part.file] : [];
  });
}

type Token = ReturnType<typeof postprocess>[number][1];

type WithoutChildren<One> = One extends Branch ? Omit<One, 'children'> : never;
type BranchKind = WithoutChildren<Branch>;
type OpenBranch = BranchKind & { start: number; end: number; children: TextNode[] };

function eventsOf(text: string, parser: ReturnType<typeof parse>) {
  // A parser is used again, because combining its extensions takes longer than most texts. It knows definitions of one text.
  Object.assign(parser, { defined: [], lazy: {} });
  return postprocess(parser.document().write(preprocess()(text, undefined, true)));
}

const extensions = [
  gfmTable(),
  { disable: { null: ['htmlText', 'htmlFlow', 'characterReference'] } },
];
const withLists = parse({ extensions });
const withoutLists = parse({ extensions: [...extensions, { disable: { null: ['list'] } }] });

/**
 * A text as the Markdown parser gets it, of the same length. Formulas count as words. Underscores are an ordinary sign,
 * because papers have blanks to fill in: ____. A byte order mark would be left out.
 */
function masked(text: string): string {
  return proseOf(text, 'x').replace(/\\[\s\S]|[_\ufeff]/g, (sign) =>
    sign[0] === '\\' ? sign : '\ufe4d',
  );
}

/** Whether a line break in it is one that readers see. */
function isInline(branch: OpenBranch | undefined): boolean {
  return branch !== undefined && /^(?:paragraph|strong|emphasis|cell)$/.test(branch.kind);
}

const branches = {
  paragraph: 'paragraph',
  atxHeadingText: 'paragraph',
  setextHeadingText: 'paragraph',
  strong: 'strong',
  emphasis: 'emphasis',
  tableRow: 'row',
  tableHeader: 'cell',
  tableData: 'cell',
} as const;

const constructs = {
  atxHeading: 'heading',
  setextHeadingLine: 'underline',
  blockQuoteMarker: 'quote',
  thematicBreak: 'rule',
  codeFenced: 'code',
  codeText: 'code',
  codeIndented: 'indent',
  link: 'link',
  autolink: 'address',
  definition: 'definition',
} as const;

/** Tokens whose inner tokens are not parts of the text. */
const opaque: ReadonlySet<Token['type']> = new Set<Token['type']>([
  ...([
    'setextHeadingLine',
    'thematicBreak',
    'codeFenced',
    'codeText',
    'codeIndented',
    'autolink',
  ] as const),
  ...(['definition', 'image', 'resource', 'reference', 'tableDelimiterRow'] as const),
]);
