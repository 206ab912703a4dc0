/**
 * Whether an image's bytes go on to its end, as its format marks it: a download or a copy that broke off
 * is found. What stands between beginning and end is not decoded.
 */

/** The last chunk is IEND (PNG, 5.6). */
export function isWholePng(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(-8, -4)) === 'IEND';
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
