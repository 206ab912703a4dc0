/** The files of the site: pages, and the style sheets and scripts that they load. */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import module from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import { diagramContentType, type Output } from '../compile/response.ts';
import { compiledFile } from '../compile.js';
import { maxImageBytes, readBytes } from '../content/file.ts';
import { readImage } from '../content/image.ts';
import type { Bank, ImageField } from '../release/config.ts';
import { imageFindings } from '../rules/diagrams.ts';

/** A file that pages load, and the URL by which they load it. */
interface Asset {
  readonly output: Output;
  readonly url: string;
}

/** The style sheet of all pages. @param rules added to it */
export async function styleAsset(rules: string): Promise<Asset> {
  const text = await readFile(new URL('style.css', import.meta.url), 'utf8');
  return assetAt('docs/style.css', 'text/css; charset=utf-8', Buffer.from(text + rules));
}

/** The packages of the typefaces of text and code, by the name of the file to which the style sheet refers. */
const typefaces = { 'inter.woff2': 'inter', 'mono.woff2': 'jetbrains-mono' };

/** Reads the typefaces of the pages, with the characters of Western languages. */
export function readTypefaces() {
  const { resolve } = module.createRequire(import.meta.url);
  return Promise.all(
    Object.entries(typefaces).map(async ([file, name]) => {
      const folder = dirname(resolve(`@fontsource-variable/${name}/package.json`));
      return { file, body: await readFile(join(folder, `files/${name}-latin-wght-normal.woff2`)) };
    }),
  );
}

/**
 * Reads an image that the configuration names.
 *
 * @param field also names its file in the release
 * @returns undefined if the configuration names none
 * @throws Error if it is not an image that a release may contain: it has changed since the configuration was validated
 */
export function imageAsset(field: ImageField, bank: Bank): Asset | undefined {
  const path = bank[field];
  if (path === undefined) return undefined;
  const file = basename(path);
  const bytes = readBytes(path, maxImageBytes);
  const image = readImage(file, bytes);
  const [finding] = imageFindings({ path, file, image });
  if ('fault' in bytes || 'fault' in image || finding)
    throw new Error(`${path}: ${finding?.message}`);
  return assetAt(`docs/${field}${extname(file)}`, diagramContentType(image.mediaType), bytes);
}

/** Reads a page's script to be served under a public path. @param name as `pageScript` takes it */
export async function scriptAsset(path: string, name: string): Promise<Asset> {
  return assetAt(path, 'text/javascript; charset=utf-8', await pageScript(name));
}

/** Reads a page's script, bundled and minified. @param name in the table of `compile.js` */
export async function pageScript(name: string): Promise<Buffer> {
  return readFile(await compiledFile(`pages/${name}`));
}

/**
 * Makes an asset. Its URL ends in a query with its hash, which the gateway ignores: a page never loads a cached copy of
 * another release, and a page of an older release still finds the file.
 */
export function assetAt(path: string, mediaType: string, body: Buffer): Asset {
  const version = hash('sha256', body).slice(0, 8);
  return { output: publicFile(path, mediaType, body), url: `/${path}?v=${version}` };
}

/** Makes a public file, served under its own path. @param file its path below `public/` */
export function publicFile(
  path: string,
  mediaType: string,
  body: Buffer,
  file: string = path,
): Output {
  return { path, file, mediaType, body };
}

/** Makes a page. @param file its path below `public/`; by default it is served under the path of a folder */
export function publicPage(
  path: string,
  text: string,
  file: string = `${path}/index.html`,
): Output {
  return publicFile(path, 'text/html; charset=utf-8', Buffer.from(text), file);
}
