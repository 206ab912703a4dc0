import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { imageSize } from 'image-size';
import type { Image, UnreadableImage } from './bank.ts';

/** The image formats that a diagram may have: the extensions of each, and its media type. */
const formats: Record<string, { extensions: readonly string[]; mediaType: string }> = {
  png: { extensions: ['.png'], mediaType: 'image/png' },
  jpg: { extensions: ['.jpg', '.jpeg'], mediaType: 'image/jpeg' },
  webp: { extensions: ['.webp'], mediaType: 'image/webp' },
  gif: { extensions: ['.gif'], mediaType: 'image/gif' },
  avif: { extensions: ['.avif'], mediaType: 'image/avif' },
  svg: { extensions: ['.svg'], mediaType: 'image/svg+xml' },
};

/** What a diagram's bytes say of it: the format by its content, not by its name. */
export function readImage(file: string, bytes: Uint8Array): Image | UnreadableImage {
  let size: ReturnType<typeof imageSize>;
  try {
    size = imageSize(bytes);
  } catch {
    return { fault: 'is no image that can be read: it is empty, cut short, or of another kind' };
  }
  const format = formats[size.type ?? ''];
  if (!format)
    return { fault: `is of the kind ${size.type}; a diagram is PNG, JPEG, WebP, GIF, AVIF or SVG` };
  if (!format.extensions.includes(extname(file))) {
    return { fault: `is of the kind ${size.type}, so its name ends in ${format.extensions.join(' or ')}` };
  }
  return {
    mediaType: format.mediaType,
    width: Math.round(size.width),
    height: Math.round(size.height),
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}
