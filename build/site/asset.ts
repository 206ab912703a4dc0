import { createHash } from 'node:crypto';
import type { Output } from '../publish/outputs.ts';

/** A file that pages load, and the address by which they load it. */
export interface Asset {
  readonly output: Output;
  readonly url: string;
}

/**
 * A file under a public path. Its address ends in a query of its digest, which the gateway passes over: a page
 * never meets the kept copy of another release, and a page of an older release still finds the file.
 */
export function assetAt(path: string, mediaType: string, body: Buffer): Asset {
  const version = createHash('sha256').update(body).digest('hex').slice(0, 8);
  return { output: publicFile(path, mediaType, body), url: `/${path}?v=${version}` };
}

/** A public file under its own path. */
export function publicFile(path: string, mediaType: string, body: Buffer): Output {
  return { path, file: `public/${path}`, mediaType, body };
}

/** A page under the path of a folder: its file is the folder's index. */
export function publicPage(path: string, text: string): Output {
  return {
    path,
    file: `public/${path}/index.html`,
    mediaType: 'text/html; charset=utf-8',
    body: Buffer.from(text),
  };
}
