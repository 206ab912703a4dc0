/** Reads the images of diagrams: their format, their size, and whether they are complete. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { crc32 } from 'node:zlib';
import { GIF } from 'image-size/types/gif';
import { JPG } from 'image-size/types/jpg';
import { PNG } from 'image-size/types/png';
import { WEBP } from 'image-size/types/webp';
import bounds from './bounds.json' with { type: 'json' };
import { maxImageBytes, readBytes } from './file.ts';
import type { Span } from './positions.ts';
import { NoXml, parseSvg, type Size, type SvgProblem } from './svg.ts';
import type { Image, UnreadableImage } from './types.ts';

interface Format {
  readonly name: string;
  readonly mediaType: Image['mediaType'];
  readonly extensions: readonly string[];
  readonly validate: (bytes: Uint8Array) => boolean;
  /** Throws when the bytes are not of this format after all. */
  readonly calculate: (bytes: Uint8Array) => Size & { readonly problems?: readonly SvgProblem[] };
  /** Whether the bytes include the end of the image, as they do not after an incomplete download. */
  readonly isWhole: (bytes: Uint8Array) => boolean;
}

const avif = { validate: isAvif, calculate: avifSize };
const svg = { validate: isMarkup, calculate: checkSvg };

const formats: readonly Format[] = [
  { name: 'PNG', mediaType: 'image/png', extensions: ['.png'], ...PNG, isWhole: isWholePng },
  {
    name: 'JPEG',
    mediaType: 'image/jpeg',
    extensions: ['.jpg', '.jpeg'],
    ...JPG,
    isWhole: isWholeJpeg,
  },
  { name: 'WebP', mediaType: 'image/webp', extensions: ['.webp'], ...WEBP, isWhole: isWholeWebp },
  { name: 'GIF', mediaType: 'image/gif', extensions: ['.gif'], ...GIF, isWhole: isWholeGif },
  { name: 'AVIF', mediaType: 'image/avif', extensions: ['.avif'], ...avif, isWhole: isWholeAvif },
  // The XML parser reads it to the end.
  { name: 'SVG', mediaType: 'image/svg+xml', extensions: ['.svg'], ...svg, isWhole: () => true },
];

/**
 * Reads a diagram from the disk.
 *
 * @param path on the disk
 * @param file its name, which must have an extension of its format
 */
export function readDiagram(path: string, file: string): Image | UnreadableImage {
  return readImage(file, readBytes(path, maxImageBytes));
}

/** Reads a diagram from its bytes, if it has any. The format is detected from the content, not from the name. */
export function readImage(
  file: string,
  content: Uint8Array | UnreadableImage,
): Image | UnreadableImage {
  if ('fault' in content) return content;
  // A copy: image-size reads beyond the end of a view of a larger buffer.
  const bytes = new Uint8Array(content);
  const format = formats.find(({ validate }) => attempt(() => validate(bytes)) === true);
  if (format?.mediaType === 'image/svg+xml' && (!isUtf8(bytes) || bytes.includes(0)))
    return { fault: 'The SVG is not UTF-8. Save it as UTF-8.' };
  const size = format && attempt(() => format.calculate(bytes));
  if (size instanceof NoXml)
    return { fault: `The SVG is not well-formed XML: ${size.message}.`, at: size.at };
  if (!format || !size || !isSize(size) || attempt(() => format.isWhole(bytes)) !== true) {
    return {
      fault:
        'The file is not a readable image: it is empty, truncated, or not a PNG, JPEG, WebP, GIF, AVIF or SVG.',
    };
  }
  if (!format.extensions.includes(extname(file))) {
    return {
      fault: `The format of the file is ${format.name}, so its name must end in ${format.extensions.join(' or ')}.`,
      extension: format.extensions[0],
    };
  }
  return {
    mediaType: format.mediaType,
    width: Math.round(size.width),
    height: Math.round(size.height),
    sha256: createHash('sha256').update(bytes).digest('hex'),
    problems: size.problems ?? [],
  };
}

/** A box (ISO/IEC 14496-12, 4.2): its type, and the offsets of its content. */
interface Box extends Span {
  readonly type: string;
}

/** Boxes whose content begins with four bytes of version and flags. */
const versioned = new Set(['meta', 'ispe']);

/**
 * The boxes of a file, or inside one of its boxes, up to one that is not inside. image-size reads them, too, but searches
 * the whole file again for each size.
 */
function* boxesIn(bytes: Uint8Array, { start, end }: Span): Generator<Box> {
  const view = new DataView(bytes.buffer);
  let at = start;
  while (at + 8 <= end) {
    const short = view.getUint32(at);
    const type = latin1(bytes.subarray(at + 4, at + 8));
    // 0 means that the box ends where the file ends; 1, that a length of 64 bits follows the type.
    const isLong = short === 1 && at + 16 <= end;
    const length = isLong ? Number(view.getBigUint64(at + 8)) : short || end - at;
    const header = (isLong ? 16 : 8) + (versioned.has(type) ? 4 : 0);
    if (length < header || length > end - at) return;
    yield { type, start: at + header, end: at + length };
    at += length;
  }
}

/** One of the brands in the file type box is that of AVIF; HEIC has the same container. */
function isAvif(bytes: Uint8Array): boolean {
  const [first] = boxesIn(bytes, wholeOf(bytes));
  if (first?.type !== 'ftyp') return false;
  return /^(?:.{4})*?avif/s.test(latin1(bytes.subarray(first.start, first.end)));
}

/** The size of the largest image: a grid and its parts have one each. */
function avifSize(bytes: Uint8Array): Size {
  const view = new DataView(bytes.buffer);
  let found: readonly Span[] = [wholeOf(bytes)];
  for (const type of ['meta', 'iprp', 'ipco', 'ispe'])
    found = found.flatMap((outer) => [...boxesIn(bytes, outer)].filter((box) => box.type === type));
  return found
    .map(({ start }) => ({ width: view.getUint32(start), height: view.getUint32(start + 4) }))
    .reduce((one, other) => (one.width * one.height < other.width * other.height ? other : one));
}

/** The size of an SVG, and its problems, with those of the images that are embedded in it. */
function checkSvg(bytes: Uint8Array): Size & { readonly problems: readonly SvgProblem[] } {
  const { embedded, problems, ...size } = parseSvg(utf8(bytes));
  let pixels = 0;
  const isAllowed = (address: string): boolean => {
    const [, type = '', content = ''] = /^\s*data:image\/(\w+);base64,(.*)$/is.exec(address) ?? [];
    const image = readImage(`image.${type.toLowerCase()}`, Buffer.from(content, 'base64'));
    if ('fault' in image || Math.max(image.width, image.height) > bounds.imageSide) return false;
    pixels += image.width * image.height;
    return pixels <= bounds.imageSide ** 2;
  };
  const damaged = embedded.find(({ value }) => !isAllowed(value));
  if (!damaged) return { ...size, problems };
  const { start, end } = damaged;
  return { ...size, problems: [...problems, { kind: 'embedded', what: '<image>', start, end }] };
}

/** Anything that begins like markup is parsed as SVG, also in the encodings of which the bytes are no UTF-8. */
function isMarkup(bytes: Uint8Array): boolean {
  return /^[\0\s\ufeff\ufffd]*</.test(utf8(bytes.subarray(0, 64)));
}

function utf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes);
}

function isSize<Found extends Size>(size: Found | NoXml): size is Found {
  if (size instanceof NoXml) return false;
  const { width, height } = size;
  return Number.isFinite(width) && Number.isFinite(height) && width >= 0.5 && height >= 0.5;
}

/** The result of a function, or the error of a text that is not XML; undefined when it throws anything else. */
function attempt<Result>(read: () => Result): Result | NoXml | undefined {
  try {
    return read();
  } catch (error) {
    return error instanceof NoXml ? error : undefined;
  }
}

/** PNG, 5.2. */
const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/**
 * Every chunk has a checksum of its type and data (PNG, 5.3), and IEND follows pixels (5.6). Programs ignore what follows
 * IEND.
 */
function isWholePng(bytes: Uint8Array): boolean {
  if (!pngSignature.every((byte, at) => bytes[at] === byte)) return false;
  let hasPixels = false;
  const view = new DataView(bytes.buffer);
  for (let at = pngSignature.length; at + 12 <= bytes.length; ) {
    const end = at + 12 + view.getUint32(at);
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== view.getUint32(end - 4))
      return false;
    const type = latin1(bytes.subarray(at + 4, at + 8));
    if (type === 'IEND') return hasPixels;
    hasPixels ||= type === 'IDAT';
    at = end;
  }
  return false;
}

/** There is a scan, and the marker EOI after it (ITU-T T.81, B.1.1.3). Cameras write more behind it, such as a preview. */
function isWholeJpeg(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer);
  const scan = file.indexOf('\xff\xda', 0, 'latin1');
  return scan > 0 && file.indexOf('\xff\xd9', scan + 4, 'latin1') > 0;
}

/** The last byte is the trailer (GIF89a, 27), and there is an image before it (20). */
function isWholeGif(bytes: Uint8Array): boolean {
  return bytes.at(-1) === 0x3b && bytes.includes(0x2c, 13);
}

/** The header has the number of bytes after its first eight (RFC 9649, 2.4). */
function isWholeWebp(bytes: Uint8Array): boolean {
  return bytes.length >= 8 + new DataView(bytes.buffer).getUint32(4, true);
}

/** Its boxes fill the file. */
function isWholeAvif(bytes: Uint8Array): boolean {
  let end = 0;
  for (const box of boxesIn(bytes, wholeOf(bytes))) end = box.end;
  return end === bytes.length;
}

function wholeOf(bytes: Uint8Array): Span {
  return { start: 0, end: bytes.length };
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}
