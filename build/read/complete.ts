/**
 * Whether an image's bytes go on to its end, as each format marks it. What a viewer makes of the pixels
 * between is not looked at.
 */
export const complete = {
  /** PNG (RFC 2083, 4.1.4): the last chunk is IEND. */
  png: (bytes: Uint8Array) => latin1(bytes.subarray(-8, -4)) === 'IEND',

  /** JPEG (ITU-T T.81, B.1.1.3): the last marker is EOI; cameras write zeros behind it. */
  jpeg(bytes: Uint8Array): boolean {
    let end = bytes.length;
    while (bytes[end - 1] === 0) end -= 1;
    return bytes[end - 2] === 0xff && bytes[end - 1] === 0xd9;
  },

  /** GIF (GIF89a, 27): the last byte is the trailer. */
  gif: (bytes: Uint8Array) => bytes.at(-1) === 0x3b,

  /** WebP (RFC 9649, 2.4): the header tells how many bytes follow it. */
  webp: (bytes: Uint8Array) => bytes.length >= 8 + new DataView(bytes.buffer).getUint32(4, true),

  /** AVIF (ISO/IEC 14496-12, 4.2): boxes that tell their own length fill the file. */
  avif(bytes: Uint8Array): boolean {
    const view = new DataView(bytes.buffer);
    let at = 0;
    while (at + 8 <= bytes.length) {
      const length = view.getUint32(at);
      if (length === 0) return true;
      at += length === 1 && at + 16 <= bytes.length ? Number(view.getBigUint64(at + 8)) : Math.max(8, length);
    }
    return at === bytes.length;
  },
};

function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}
