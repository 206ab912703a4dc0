/** Parses SVG: its size, and the parts of it that are not safe to serve. */
import sax from 'sax';
import type { Span } from './positions.ts';

/** Pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Pixels of each absolute unit (CSS Values and Units, 6.2); no unit is a pixel. */
const units: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  pt: 96 / 72,
  pc: 16,
};

/** A text is not XML. */
export class NoXml extends Error {
  override readonly name = 'NoXml';
  /** The offset of the error, in UTF-16 units. */
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/**
 * The size of an SVG document, from its width and height or its view box (SVG 2, 8.2).
 *
 * @throws NoXml when it is not well-formed XML; Error when its root is not `svg`, or it has no size
 */
export function svgSize(text: string): Size {
  // sax ignores a second mark. The first one is not part of the text.
  if (text.startsWith('\ufeff')) throw new NoXml('A second byte order mark', 0);
  const parser = sax.parser(true, { xmlns: false });
  let root: sax.Tag | undefined;
  parser.onopentag = (tag) => {
    root ??= tag as sax.Tag;
  };
  parser.onerror = ({ message }) => {
    const [reason = ''] = message.split('\n');
    throw new NoXml(reason, Math.max(0, parser.position - 1));
  };
  parser.write(text).close();
  if (root?.name.replace(/^.*:/, '') !== 'svg') throw new Error('no svg element');
  return sizeOf(root.attributes);
}

function sizeOf({ width, height, viewBox }: sax.Tag['attributes']): Size {
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

/** A part of an SVG that runs a program or loads something from elsewhere: offsets in UTF-16 units of its text. */
export interface SvgHazard extends Span {
  readonly kind: 'script' | 'handler' | 'foreign' | 'outside' | 'entity' | 'stylesheet';
  /** The element, attribute or address. */
  readonly what: string;
}

/** An SVG that does not match is safe, and needs not be parsed. */
const suspicious =
  /<(?:[\w-]+:)?(?:script|foreignobject|iframe|object|embed|audio|video|handler|listener)|[\s"'/]on\w+\s*=|href|[\s:]src\s*=|:base|url\s*\(|@import|attributename|<!entity|<\?xml-stylesheet|\\|&#/i;

/**
 * The unsafe parts of an SVG, in the order of the text.
 *
 * @param text well-formed XML
 */
export function svgHazards(text: string): readonly SvgHazard[] {
  return suspicious.test(text) ? hazardsOf(text) : [];
}

function hazardsOf(text: string): SvgHazard[] {
  const hazards: SvgHazard[] = [];
  const elements: string[] = [];
  const parser = sax.parser(true, { xmlns: false, position: true });
  let textStart = 0;
  const stretch = (): Span => ({ start: parser.startTagPosition - 1, end: parser.position });
  parser.ondoctype = (doctype) => {
    const at = doctype.indexOf('<!ENTITY');
    if (at < 0) return;
    const start = text.indexOf('<!ENTITY');
    hazards.push({ kind: 'entity', what: '<!ENTITY', start, end: start + '<!ENTITY'.length });
  };
  parser.onprocessinginstruction = ({ name }) => {
    if (name !== 'xml-stylesheet') return;
    const start = text.lastIndexOf('<?', parser.position - 1);
    hazards.push({ kind: 'stylesheet', what: `<?${name}`, start, end: parser.position });
  };
  parser.onopentag = (tag) => {
    elements.push(localName(tag.name));
    hazards.push(...ofElement(tag as sax.Tag, text, stretch()));
    textStart = parser.position;
  };
  parser.onclosetag = () => void elements.pop();
  const onText = (css: string) => {
    if (elements.at(-1) !== 'style') return;
    const address = outsideOfCss(css);
    if (address === undefined) return;
    const start = text.indexOf(address, textStart);
    const found = start >= 0 && start < parser.position;
    hazards.push({
      kind: 'outside',
      what: address,
      ...(found ? { start, end: start + address.length } : { start: textStart, end: parser.position }),
    });
  };
  parser.ontext = onText;
  parser.oncdata = onText;
  parser.write(text).close();
  return hazards.sort((a, b) => a.start - b.start);
}

const scripts: ReadonlySet<string> = new Set(['script', 'handler', 'listener']);
const foreign: ReadonlySet<string> = new Set([
  'foreignobject',
  'iframe',
  'object',
  'embed',
  'audio',
  'video',
]);

function ofElement({ name, attributes }: sax.Tag, text: string, tag: Span): SvgHazard[] {
  const element = localName(name);
  const ofName = { what: `<${name}>`, start: tag.start, end: tag.start + 1 + name.length };
  if (scripts.has(element)) return [{ kind: 'script', ...ofName }];
  if (foreign.has(element)) return [{ kind: 'foreign', ...ofName }];
  return Object.entries(attributes).flatMap(([attribute, value]) => {
    const hazard = ofAttribute(localName(attribute), value, attributes);
    if (!hazard) return [];
    return [{ kind: hazard, what: value.slice(0, 100), ...attributeStretch(text, tag, attribute) }].map(
      (one) => (one.kind === 'handler' ? { ...one, what: attribute } : one),
    );
  });
}

function ofAttribute(
  name: string,
  value: string,
  attributes: sax.Tag['attributes'],
): SvgHazard['kind'] | undefined {
  if (/^on[a-z]+$/.test(name)) return 'handler';
  if (/^\s*javascript:/i.test(value.replace(/[\s\p{Cc}]/gu, ''))) return 'script';
  if (name === 'href' || name === 'src') return isInside(value) ? undefined : 'outside';
  if (name === 'base') return 'outside';
  if (name === 'attributename') return /^(?:on|(?:.*:)?href$)/i.test(value.trim()) ? 'handler' : undefined;
  if (['to', 'from', 'by', 'values'].includes(name) && /href/i.test(attributes['attributeName'] ?? ''))
    return 'outside';
  return outsideOfCss(value) === undefined ? undefined : 'outside';
}

/** Whether an address is in the document itself, or is an image in a data URL. */
function isInside(address: string): boolean {
  return /^\s*(?:#|data:image\/(?:png|jpeg|gif|webp|avif)[;,])/i.test(address) || address.trim() === '';
}

/** An address outside the document that a style loads; undefined when there is none. */
function outsideOfCss(css: string): string | undefined {
  const plain = css
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, code: string) => codePoint(code))
    .replace(/\\/g, '');
  for (const [, , address = ''] of plain.matchAll(/url\s*\(\s*(["']?)([^"')]*)/gi))
    if (!isInside(address)) return address;
  return /@import\s+["']([^"']*)/i.exec(plain)?.[1];
}

function codePoint(hex: string): string {
  const code = Number.parseInt(hex, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** `href` for `xlink:href`; in lower case, since HTML parsers ignore case. */
function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1).toLowerCase();
}

function attributeStretch(text: string, tag: Span, attribute: string): Span {
  const written = text.slice(tag.start, tag.end);
  const escaped = attribute.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&');
  const found = new RegExp(`[\\s"'](${escaped}\\s*=\\s*(?:"[^"]*"|'[^']*'))`).exec(written);
  if (!found?.[1]) return tag;
  const start = tag.start + found.index + 1;
  return { start, end: start + found[1].length };
}
