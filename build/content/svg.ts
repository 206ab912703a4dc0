import sax from 'sax';

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

/** A text that is no XML. */
export class NoXml extends Error {
  override readonly name = 'NoXml';
  /** Where it stops being XML, in UTF-16 units. */
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/**
 * The size of an SVG document: its width and height, or what of them its view box tells (SVG 2, 8.2).
 *
 * @throws NoXml when it is no well-formed XML; Error when its root is not `svg`, or it tells no size
 */
export function svgSize(text: string): Size {
  // sax would pass over it; the one that may be there is no part of the text.
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
