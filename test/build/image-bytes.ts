import { crc32, deflateSync } from 'node:zlib';

/** Images of one colour and any size, written according to the specifications of their formats. */

export function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8; // bits a sample; colour type 0, grey
  const rows = Buffer.alloc((width + 1) * height);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

/** @param frame marker of the frame header: 0xc0 baseline, 0xc2 progressive */
export function jpeg(width: number, height: number, frame = 0xc0): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const oneCode = [1, ...Array<number>(15).fill(0), 0];
  // Each block is two codes of one zero bit; the last byte is filled up with ones.
  const scan = Buffer.alloc(Math.ceil((blocks * 2) / 8));
  const spare = scan.length * 8 - blocks * 2;
  scan[scan.length - 1] = (1 << spare) - 1;
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xe0, [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    jpegSegment(0xdb, [0, ...Array<number>(64).fill(1)]),
    jpegSegment(frame, [8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]),
    jpegSegment(0xc4, [0x00, ...oneCode]),
    jpegSegment(0xc4, [0x10, ...oneCode]),
    jpegSegment(0xda, [1, 1, 0, 0, 63, 0]),
    scan,
    Buffer.from([0xff, 0xd9]),
  ]);
}

function jpegSegment(marker: number, data: readonly number[]): Buffer {
  const length = data.length + 2;
  return Buffer.from([0xff, marker, length >> 8, length & 255, ...data]);
}

/** Lossless (VP8L): five prefix codes of one symbol each, so that no pixel takes any bits. */
export function webp(width: number, height: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE((width - 1) | ((height - 1) << 14));
  // No transform, no colour cache, no meta codes; then 1000 five times, the lowest bit first.
  const codes = Buffer.from([0b10001000, 0b10001000, 0b00000000]);
  const stream = Buffer.concat([Buffer.from([0x2f]), size, codes]);
  const chunk = Buffer.concat([Buffer.from('VP8L'), uint32LittleEndian(stream.length), stream]);
  return Buffer.concat([
    Buffer.from('RIFF'),
    uint32LittleEndian(chunk.length + 4),
    Buffer.from('WEBP'),
    chunk,
  ]);
}

export function gif(width: number, height: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(width, 0);
  size.writeUInt16LE(height, 2);
  // One image block of 1x1 on a canvas of the size; two colours.
  return Buffer.concat([
    Buffer.from('GIF89a'),
    size,
    Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
    Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0, 0x3b]),
  ]);
}

/** The boxes of an AVIF, without the coded image. */
export function avif(width: number, height: number): Buffer {
  return stillPicture('avif', width, height);
}

/** A format in the same container as AVIF, which browsers do not show. */
export function heic(width: number, height: number): Buffer {
  return stillPicture('heic', width, height);
}

function stillPicture(brand: string, width: number, height: number): Buffer {
  const extents = box('ispe', uint32(0), uint32(width), uint32(height));
  const properties = box('iprp', box('ipco', extents));
  const handler = box('hdlr', uint32(0), uint32(0), Buffer.from('pict'), Buffer.alloc(13));
  return Buffer.concat([
    box('ftyp', Buffer.from(brand), uint32(0), Buffer.from(`${brand}mif1`)),
    box('meta', uint32(0), handler, properties),
    box('mdat', Buffer.alloc(16)),
  ]);
}

function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from(type), ...parts]);
  return Buffer.concat([uint32(body.length + 4), body]);
}

export function svg(width: number, height: number): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><path/></svg>`,
  );
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function uint32LittleEndian(value: number): Buffer {
  return uint32(value).reverse();
}
