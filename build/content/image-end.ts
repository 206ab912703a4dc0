/**
 * Whether an image's bytes go on to its end, as its format marks it: a download or a copy that broke off
 * is found. What stands between beginning and end is not decoded.
 */
import { crc32 } from 'node:zlib';

/** Its first byte tells whether something took the file for text (PNG, 5.2). */
const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Every chunk bears a checksum of its type and data (PNG, 5.3), and the last one is IEND (5.6). */
export function isWholePng(bytes: Uint8Array): boolean {
  if (!pngSignature.every((byte, at) => bytes[at] === byte)) return false;
  const view = new DataView(bytes.buffer);
  for (let at = pngSignature.length; at + 12 <= bytes.length; ) {
    const end = at + 12 + view.getUint32(at);
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== view.getUint32(end - 4))
      return false;
    const type = new TextDecoder('latin1').decode(bytes.subarray(at + 4, at + 8));
    if (type === 'IEND') return end === bytes.length;
    at = end;
  }
  return false;
}

/** The last marker is EOI (ITU-T T.81, B.1.1.3); cameras write zeros behind it. */
export function isWholeJpeg(bytes: Uint8Array): boolean {
  let end = bytes.length;
  while (bytes[end - 1] === 0) end -= 1;
  return bytes[end - 2] === 0xff && bytes[end - 1] === 0xd9;
}

/** The last byte is the trailer (GIF89a, 27). */
export function isWholeGif(bytes: Uint8Array): boolean {
  return bytes.at(-1) === 0x3b;
}

/** The header tells how many bytes follow its first eight (RFC 9649, 2.4). */
export function isWholeWebp(bytes: Uint8Array): boolean {
  return bytes.length >= 8 + new DataView(bytes.buffer).getUint32(4, true);
}

/** Boxes that tell their own length fill the file; the last may tell 0, to the end (ISO/IEC 14496-12, 4.2). */
export function isWholeAvif(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer);
  let at = 0;
  while (at + 8 <= bytes.length) {
    const length = view.getUint32(at);
    if (length === 0) return true;
    // 1 stands for a length of 64 bits behind the box's type.
    at += length === 1 ? Number(view.getBigUint64(at + 8)) : Math.max(length, 8);
  }
  return at === bytes.length;
}
