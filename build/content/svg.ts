/** Parses SVG: its size, and everything in it that is not on the lists of what a still drawing has. */
import sax from 'sax';
import { percentDecoded } from '../release/urls.ts';
import bounds from './bounds.json' with { type: 'json' };
import type { Span } from './positions.ts';
import names from './svg.json' with { type: 'json' };
import { manyMarks } from './text.ts';

/** Pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Something in an SVG that is not on the lists: offsets in UTF-16 units of its text. */
export interface SvgProblem extends Span {
  readonly kind: SvgProblemKind;
  /** The element, attribute, address or piece of a style. */
  readonly what: string;
}

export type SvgProblemKind = keyof typeof names.problems;

interface ParsedSvg extends Size {
  readonly problems: readonly SvgProblem[];
  readonly embedded: readonly (Span & { readonly value: string })[];
}

/** Pixels of each absolute unit (CSS Values and Units, 6.2); no unit is a pixel. */
const units: Readonly<Record<string, number>> = names.units;

export class NoXml extends Error {
  override readonly name = 'NoXml';
  /** The offset of the error, in UTF-16 units. */
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const listed = (groups: Readonly<Record<string, readonly string[]>>) =>
  words(Object.values(groups).flat().join(' '));

const { namespaces } = names;

/** What `metadata` contains: title, author and licence, which browsers ignore. */
const metadataNamespaces: ReadonlySet<string> = new Set([
  namespaces.rdf,
  ...names.metadataNamespaces,
]);

/** Elements that draw or describe, and that run, load, link and move nothing. */
export const elements = listed(names.elements);

/** Properties that styles set, most of them also attributes. */
export const properties = listed(names.properties);

/** Other attributes whose values are numbers and words, like those of properties. */
export const attributes = listed(names.attributes);

/** Attributes with any value: names, and texts for readers. */
const textAttributes = words('class id lang requiredExtensions requiredFeatures role');
const namedTexts = /^(?:aria|data)-[\w.-]+$/;
const xlinkAttributes = words('actuate show title type');
const xmlAttributes = words('lang space');

/** Functions in values. `url` is not one of them: only `url(#id)` is allowed. */
const functions = listed(names.functions);

/** What is read as a whole in a style: comments, strings, and references to an element of the file. */
const cssPieces =
  /\/\*.*?(?:\*\/|$)|"[^"\\\n\r\f]*"|'[^'\\\n\r\f]*'|(?<![-\w])url\(\s*(["']?)#[\p{L}\p{N}_.:-]+\1\s*\)/gisu;
const cssCharacters = /^[-\p{L}\p{M}\p{N}\s_.,#%+*!()/]*$/u;
/** What a value that is not allowed was probably meant to do. */
const loading = /url\s*\(|image|src|@import|\/\/|\\/i;
const selectorCharacters = /^[-\w\s.,#*>+~:()]+$/;

/** A pattern, marker, mask or filter of an attribute or style. */
const painted = /url\(\s*["']?#([^"')\s]+)/gi;
const ownElement = /^\s*#[^\s"'()<>\\]+\s*$/;
const embeddedImage = /^\s*data:image\/(?:png|jpe?g|gif|webp);base64,[A-Za-z0-9+/=\s]+$/i;

const xmlDeclaration = new RegExp(
  [
    /^<\?xml[ \t\r\n]+version *= *["']1\.0["']/,
    /(?:[ \t\r\n]+encoding *= *["'](?<encoding>[\w.:-]*)["'])?/,
    /(?:[ \t\r\n]+standalone *= *["'](?:yes|no)["'])?[ \t\r\n]*\?>/,
  ]
    .map(({ source }) => source)
    .join(''),
);
/** Comments, CDATA sections, anything else that begins with `<!` or `<?`, and what sax accepts but browsers do not. */
const otherMarkup = /<!--.*?-->|<!\[CDATA\[.*?\]\]>|<[!?][^\s<>[?]*|\]\]>|<\/?\s/gs;
const writtenAttribute = /([^\s"'=<>/]+)\s*=\s*(?:"[^"]*"|'[^']*')/g;
/** TextDecoder removes one byte order mark, and sax ignores another. */
const notXml = /^\ufeff|[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** An element counts again wherever something refers to it. */
const { svgElements: mostElements, svgDepth: deepestElement } = bounds;

const mostNamespaces = 100;
/** Problems of a file that are reported. Nobody reads more at once. */
const mostProblems = 100;

/** HTML's named characters are not part of XML. The types lack the option. */
const options: sax.SAXOptions & { readonly strictEntities: true } = { strictEntities: true };

type Flaw = Pick<SvgProblem, 'kind' | 'what'>;

interface QualifiedName {
  readonly name: string;
  readonly prefix: string;
  readonly local: string;
  /** The namespace; empty for an attribute without a prefix. */
  readonly uri: string;
}

interface WrittenAttribute extends Span {
  readonly name: string;
  readonly value: string;
}

/** By prefix; that of elements without one is empty. */
type Namespaces = ReadonlyMap<string, string>;

/** An element whose end tag has not been read. */
interface OpenElement {
  readonly declared: Namespaces;
  readonly isStyle: boolean;
  readonly inMetadata: boolean;
  /** It was reported, or an element around it. */
  readonly isRejected: boolean;
  readonly contentStart: number;
  readonly close: () => void;
}

/**
 * Parses an SVG document. Its size is that of its width and height or its view box (SVG 2, 8.2).
 *
 * @returns also what is not on the lists, in the order of the text: the same element, attribute or value once; and the
 *   attributes with an embedded image, which is not checked
 * @throws NoXml when it is not well-formed XML; Error when its root is not `svg`, or it has no size
 */
export function parseSvg(text: string): ParsedSvg {
  const unfit = text.search(notXml);
  if (unfit >= 0) throw new NoXml('A control character, or an encoding other than UTF-8', unfit);
  const problems = new Map<string, SvgProblem>();
  /** @param key problems with the same one are reported once */
  const report = ({ kind, what }: Flaw, { start, end }: Span, key = what) => {
    const id = `${kind} ${key}`;
    if (problems.size < mostProblems && !problems.has(id))
      problems.set(id, { kind, what: what.slice(0, 100), start, end });
  };
  const parser = sax.parser(true, options);
  const open: OpenElement[] = [];
  const drawn = countDrawn();
  const embedded: WrittenAttribute[] = [];
  let root: { readonly tag: sax.Tag; readonly name: QualifiedName & Span } | undefined;
  let css = '';
  parser.onerror = ({ message }) => {
    const [reason = ''] = message.split('\n');
    const isEntity = reason === 'Invalid character entity';
    throw new NoXml(
      isEntity ? 'After "&" only amp, lt, gt, quot, apos and numbers are allowed' : reason,
      Math.max(0, parser.position - 1),
    );
  };
  parser.onopentag = (opened) => {
    const tag = opened as sax.Tag;
    const start = parser.startTagPosition - 1;
    const parent = open.at(-1);
    if (root && !parent) throw new NoXml('A second root element', start);
    const written = attributesOf(tag, text, { start, end: parser.position });
    const declared = withDeclared(parent?.declared ?? alwaysDeclared, written);
    const element = qualifiedName(tag.name, declared, start);
    const name = { ...element, start, end: start + 1 + tag.name.length };
    root ??= { tag, name };
    const isSvg = element.uri === namespaces.svg;
    const inMetadata = parent?.inMetadata === true || (isSvg && element.local === 'metadata');
    const flaw = parent?.isRejected ? undefined : elementFlaw(element, parent, open.length);
    const isRejected = flaw !== undefined || parent?.isRejected === true;
    open.push({
      declared,
      isStyle: isSvg && element.local === 'style',
      inMetadata,
      isRejected,
      contentStart: parser.position,
      close: drawn.open(written),
    });
    css = '';
    if (flaw)
      report(flaw, name, flaw.kind === 'editor' || flaw.kind === 'html' ? element.uri : undefined);
    for (const attribute of isRejected ? [] : written) {
      if (declaration.test(attribute.name)) continue;
      const ofName = qualifiedName(attribute.name, declared, attribute.start, true);
      const ofAttribute = attributeFlaw(element, ofName, attribute.value, inMetadata);
      if (ofAttribute)
        report(ofAttribute, attribute, ofAttribute.kind === 'editor' ? ofName.uri : undefined);
      else if (element.local === 'image' && ofName.local === 'href') embedded.push(attribute);
    }
  };
  parser.ontext = (piece) => {
    const around = open.at(-1);
    if (around?.isStyle) css += piece;
    if (around && manyMarks.test(piece))
      report(
        { kind: 'marks', what: 'A text' },
        { start: around.contentStart, end: text.indexOf('<', around.contentStart) },
      );
  };
  parser.oncdata = (piece) => {
    const start = text.lastIndexOf('<![CDATA[', parser.position);
    if (open.at(-1)?.isStyle) css += piece;
    else report({ kind: 'section', what: '<![CDATA[' }, { start, end: start + '<![CDATA['.length });
  };
  parser.onclosetag = () => {
    const { isStyle, isRejected, contentStart, close } = open.pop() as OpenElement;
    close();
    const flaw = isStyle && !isRejected ? sheetFlaw(css) : undefined;
    if (!flaw) return;
    const at = text.slice(0, parser.position).indexOf(flaw.what, contentStart);
    report(
      flaw,
      at < 0
        ? { start: contentStart, end: parser.position }
        : { start: at, end: at + flaw.what.length },
    );
  };
  parser.write(text).close();
  const markup = markupFlaw(text);
  if (markup) report(markup, { start: markup.start, end: markup.start + markup.what.length });
  if (root?.name.local !== 'svg') throw new Error('no svg element');
  if (problems.size === 0 && !(drawn.count() <= mostElements))
    report({ kind: 'size', what: '<svg>' }, root.name);
  return {
    ...sizeOf(root.tag),
    problems: [...problems.values()].sort((a, b) => a.start - b.start),
    embedded,
  };
}

/**
 * Finds what is neither an element nor a comment, a CDATA section, or a declaration of UTF-8 at the start.
 *
 * @throws NoXml for what sax accepts but browsers do not
 */
function markupFlaw(text: string): (Flaw & { readonly start: number }) | undefined {
  for (const { 0: what, index: start } of text.matchAll(otherMarkup)) {
    const declared = what === '<?xml' && start === 0 ? xmlDeclaration.exec(text) : undefined;
    if (!/^<[!?]/.test(what)) throw new NoXml(`Unexpected ${what.trim()}`, start);
    const encoding = declared?.groups?.['encoding'];
    if (encoding !== undefined && encoding.toLowerCase() !== 'utf-8')
      return { kind: 'encoding', what: encoding, start: text.indexOf(encoding) };
    // HTML parsers end `<!-->` at once, and would read what follows as elements.
    if (!declared && !/^<!(?:--(?!-?>)|\[CDATA\[)/.test(what))
      return {
        kind: /^<!doctype$/i.test(what) ? 'doctype' : 'instruction',
        what: what.slice(0, 20),
        start,
      };
  }
  return undefined;
}

/** @param depth the number of elements around it */
function elementFlaw(
  tag: QualifiedName,
  parent: OpenElement | undefined,
  depth: number,
): Flaw | undefined {
  const what = `<${tag.name}>`;
  if (depth >= deepestElement) return { kind: 'depth', what };
  if (parent?.inMetadata && metadataNamespaces.has(tag.uri) && tag.prefix !== '') return undefined;
  if (tag.uri === namespaces.svg && elements.has(tag.local) && !parent?.isStyle) return undefined;
  if (tag.uri === namespaces.html || tag.local === 'foreignObject') return { kind: 'html', what };
  if (tag.uri === namespaces.svg) return { kind: 'element', what };
  return { kind: tag.uri === '' ? 'namespace' : 'editor', what };
}

/** The attributes of a tag, with their positions. @throws NoXml when one is written twice, which sax ignores */
function attributesOf(
  { name: tag, attributes: values }: sax.Tag,
  text: string,
  { start, end }: Span,
): WrittenAttribute[] {
  const names = new Set<string>();
  const first = start + 1 + tag.length;
  return [...text.slice(first, end).matchAll(writtenAttribute)].map(
    ({ 0: written, 1: name = '', index }) => {
      const at = first + index;
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined || names.has(name) || written.includes('<'))
        throw new NoXml(`The attribute ${name.slice(0, 100)} is written twice or contains <`, at);
      names.add(name);
      return { name, value, start: at, end: at + written.length };
    },
  );
}

const declaration = /^xmlns(?::|$)/;
const alwaysDeclared: Namespaces = new Map(Object.entries({ '': '', xml: namespaces.xml }));

/** @throws NoXml for what browsers ignore: a prefix that must not be declared, or without a namespace */
function withDeclared(outer: Namespaces, written: readonly WrittenAttribute[]): Namespaces {
  const own = written.filter(({ name }) => declaration.test(name));
  if (own.length === 0) return outer;
  const declared = new Map(outer);
  for (const { name, value, start } of own) {
    const prefix = name.slice('xmlns:'.length);
    if (
      /^xml|:/.test(prefix) ||
      (value === '' && name !== 'xmlns') ||
      declared.size >= mostNamespaces
    )
      throw new NoXml(`${name.slice(0, 100)} is not allowed here`, start);
    declared.set(prefix, value);
  }
  return declared;
}

/** @throws NoXml when its prefix is not declared */
function qualifiedName(
  name: string,
  declared: Namespaces,
  at: number,
  ofAttribute = false,
): QualifiedName {
  const colon = name.indexOf(':');
  const prefix = name.slice(0, Math.max(0, colon));
  const uri = ofAttribute && prefix === '' ? '' : declared.get(prefix);
  if (colon === 0 || name.endsWith(':') || uri === undefined)
    throw new NoXml(`The prefix of ${name.slice(0, 100)} is not declared with xmlns`, at);
  return { name, prefix, local: name.slice(colon + 1), uri };
}

function attributeFlaw(
  tag: QualifiedName,
  { name, local, uri }: QualifiedName,
  value: string,
  inMetadata: boolean,
): Flaw | undefined {
  if (/^on/i.test(local)) return { kind: 'handler', what: name };
  const isXlink = uri === namespaces.xlink;
  if (local === 'href' && (uri === '' || isXlink)) {
    if ((tag.local === 'image' ? embeddedImage : ownElement).test(value)) return undefined;
    const isProgram = /^\s*(?:java|vb)script:/i.test(value.replace(/[\s\p{Cc}]/gu, ''));
    return { kind: isProgram ? 'program' : 'address', what: value.trim() || `${name}=""` };
  }
  if (isXlink && xlinkAttributes.has(local)) return undefined;
  if (uri === namespaces.xml && xmlAttributes.has(local)) return undefined;
  if (uri === namespaces.rdf && inMetadata) return undefined;
  if (uri !== '')
    return { kind: uri === namespaces.xml || isXlink ? 'attribute' : 'editor', what: name };
  if (local === 'style') return declarationsFlaw(value);
  if (textAttributes.has(local) || namedTexts.test(local)) return undefined;
  if (!properties.has(local) && !attributes.has(local))
    return { kind: local === 'content' ? 'editor' : 'attribute', what: name };
  return valueFlaw(withoutPieces(value), value);
}

/** Replaces each comment, string and reference by spaces of the same length. */
function withoutPieces(css: string): string {
  return css.replace(cssPieces, (piece) => ' '.repeat(piece.length));
}

/** @param plain the value without its pieces @param what what is reported */
function valueFlaw(plain: string, what: string): Flaw | undefined {
  const calls = [...plain.matchAll(/(?<![-\p{L}\p{N}_])([-\p{L}\p{N}_]*)\(/gu)];
  const isKnown = calls.every(([, name = '']) => functions.has(name.toLowerCase()));
  if (isKnown && cssCharacters.test(plain)) return undefined;
  return { kind: loading.test(what) ? 'address' : 'value', what };
}

/** What is wrong in declarations: `fill: red; stroke: blue`. */
function declarationsFlaw(css: string): Flaw | undefined {
  const plain = withoutPieces(css);
  for (const { 0: declaration, index } of plain.matchAll(/[^;]+/g)) {
    if (declaration.trim() === '') continue;
    const what = css.slice(index, index + declaration.length).trim();
    const [, name = '', value = ''] = /^\s*([-a-z]+)\s*:(.*)$/is.exec(declaration) ?? [];
    const flaw = valueFlaw(value, what);
    if (flaw) return flaw;
    if (!properties.has(name.toLowerCase())) return { kind: 'style', what };
  }
  return undefined;
}

/** What is wrong in the content of `style`. It consists of rules: `text, .axis > path { fill: red }`. */
function sheetFlaw(css: string): Flaw | undefined {
  // HTML parsers do not know CDATA sections everywhere.
  const at = css.indexOf('<');
  if (at >= 0) return { kind: 'style', what: css.slice(at, at + 20) };
  const plain = withoutPieces(css);
  for (const { 0: rule, 1: selector = '', 2: block, index } of plain.matchAll(
    /([^{}]+)(?:\{([^{}]*)\})?|[{}]/g,
  )) {
    if (rule.trim() === '') continue;
    const what = css.slice(index, index + rule.length).trim();
    if (block === undefined || !selectorCharacters.test(selector))
      return { kind: loading.test(what) ? 'address' : 'style', what };
    const start = index + selector.length + 1;
    const flaw = declarationsFlaw(css.slice(start, start + block.length));
    if (flaw) return flaw;
  }
  return undefined;
}

/** An element with an id: how many elements it has, itself included, and what they refer to. */
interface NamedElement {
  readonly elements: number;
  readonly uses: readonly string[];
}

/** Counts the elements that are drawn: one counts again wherever `use` refers to it. */
function countDrawn() {
  let elements = 0;
  const uses: string[] = [];
  const named = new Map<string, NamedElement>();
  const counts = new Map<string, number>();
  const countOf = ({ elements, uses }: NamedElement, depth: number): number =>
    uses.reduce((count, id) => count + countOfId(id, depth + 1), elements);
  const countOfId = (id: string, depth: number): number => {
    const element = named.get(id);
    const known = element ? counts.get(id) : 0;
    if (known !== undefined) return known;
    // Elements in a circle are drawn without end.
    counts.set(id, Number.POSITIVE_INFINITY);
    const count =
      element && depth <= bounds.svgReferences ? countOf(element, depth) : Number.POSITIVE_INFINITY;
    counts.set(id, count);
    return count;
  };
  return {
    /** @returns is to be called at the end of the element */
    open(written: readonly WrittenAttribute[]): () => void {
      const id = written.find(({ name }) => name === 'id')?.value;
      const first = { elements, uses: uses.length };
      elements += 1;
      for (const { name, value } of written)
        if (/(?:^|:)href$/.test(name) && ownElement.test(value)) uses.push(idIn(value));
        else for (const [, id = ''] of value.matchAll(painted)) uses.push(id);
      return () => {
        if (id === undefined || named.has(id)) return;
        named.set(id, { elements: elements - first.elements, uses: uses.slice(first.uses) });
      };
    },
    count: () => countOf({ elements, uses }, 0),
  };
}

function idIn(reference: string): string {
  const id = reference.trim().slice(1);
  return percentDecoded(id) ?? id;
}

function sizeOf({ attributes: { width, height, viewBox } }: sax.Tag): Size {
  const [boxWidth, boxHeight] = boxSize(viewBox);
  const known = { width: pixels(width), height: pixels(height) };
  const ratio = boxWidth / boxHeight;
  const size = {
    width: known.width ?? (known.height === undefined ? boxWidth : known.height * ratio),
    height: known.height ?? (known.width === undefined ? boxHeight : known.width / ratio),
  };
  if (!(size.width > 0 && size.height > 0)) throw new Error('no size');
  return size;
}

/** Width and height of a view box: four numbers with spaces, a comma, or both between. */
function boxSize(viewBox = ''): readonly [number, number] {
  const [, , width, height, ...more] = viewBox
    .trim()
    .split(/\s*,\s*|\s+/)
    .map(Number);
  return width === undefined || height === undefined || more.length > 0
    ? [Number.NaN, Number.NaN]
    : [width, height];
}

/** A length in pixels; undefined when there is none, or it depends on the page. */
function pixels(length = ''): number | undefined {
  const [, number, unit = ''] = /^\s*([0-9.]+(?:e[+-]?\d+)?)([a-z]*)\s*$/i.exec(length) ?? [];
  const scale = units[unit.toLowerCase()];
  return number === undefined || scale === undefined ? undefined : Number(number) * scale;
}
