import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signatureLength = 8;
/** Bytes per pixel: screenshots are 8-bit RGB without transparency. */
const pixel = 3;

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/**
 * Recompresses a PNG. Chromium filters each line, which suits photos; a page of text is repetitive, and smaller without
 * filters (PNG, 9).
 *
 * @param png a screenshot of Chromium
 */
export function shrinkPng(png: Buffer): Buffer {
  const chunks = [...chunksOf(png)];
  const header = chunks.find(({ type }) => type === 'IHDR')?.data ?? Buffer.alloc(0);
  const [depth, colours, , , interlaced] = header.subarray(8);
  if (depth !== 8 || colours !== 2 || interlaced !== 0) throw new Error('This is no screenshot of Chromium.');
  const compressed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  const lines = unfiltered(inflateSync(compressed), header.readUInt32BE(0) * pixel);
  const written = [
    { type: 'IHDR', data: header },
    { type: 'IDAT', data: deflateSync(lines, { level: 9, memLevel: 9 }) },
    { type: 'IEND', data: Buffer.alloc(0) },
  ];
  return Buffer.concat([png.subarray(0, signatureLength), ...written.map(chunkBytes)]);
}

/** Reverses the filters of all lines, and sets the filter type of each line to 0 (none). */
function unfiltered(lines: Buffer, length: number): Buffer {
  let above: Buffer = Buffer.alloc(length);
  for (let start = 0; start < lines.length; start += length + 1) {
    const filter = lines[start];
    const line = lines.subarray(start + 1, start + 1 + length);
    lines[start] = 0;
    for (let x = 0; x < length; x += 1) {
      const left = x < pixel ? 0 : (line[x - pixel] ?? 0);
      const corner = x < pixel ? 0 : (above[x - pixel] ?? 0);
      line[x] = (line[x] ?? 0) + foretold(filter, left, above[x] ?? 0, corner);
    }
    above = line;
  }
  return lines;
}

/** The value that a filter subtracts from a byte (PNG, 9.2). */
function foretold(filter: number | undefined, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  if (filter !== 4) return 0;
  const [toLeft, toAbove, toCorner] = [above - corner, left - corner, left + above - 2 * corner].map(
    Math.abs,
  ) as [number, number, number];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

function* chunksOf(png: Buffer): Generator<Chunk> {
  for (let start = signatureLength; start < png.length; ) {
    const end = start + 8 + png.readUInt32BE(start);
    yield { type: png.toString('latin1', start + 4, start + 8), data: png.subarray(start + 8, end) };
    start = end + 4;
  }
}

function chunkBytes({ type, data }: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(data.length, 0);
  body.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(body), body.length + 4);
  return bytes;
}
