import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { pageScript } from '../../site/page-script.ts';
import type { PageAssets } from '../page/document.ts';

export interface Asset {
  readonly mediaType: string;
  readonly body: Buffer;
}

/** The files that pages load, by their paths, and where pages find them. */
export interface Assets {
  readonly files: ReadonlyMap<string, Asset>;
  readonly addresses: PageAssets;
}

const css = 'text/css; charset=utf-8';

/**
 * Reads and bundles what pages load. Each file's path holds a digest, so that a browser may keep it. It begins
 * with `/-/`, which no exam's code does.
 */
export async function readAssets(): Promise<Assets> {
  const files = new Map<string, Asset>();
  const keep = (name: string, mediaType: string, body: Buffer): string => {
    const path = `/-/${digestOf(body)}/${name}`;
    files.set(path, { mediaType, body });
    return path;
  };
  const [site, preview, icon, script, katex] = await Promise.all([
    readFile(new URL('../../site/style.css', import.meta.url)),
    readFile(new URL('../page/preview.css', import.meta.url)),
    readFile(new URL('../../site/favicon.ico', import.meta.url)),
    pageScript('preview'),
    katexFiles(),
  ]);
  for (const [path, asset] of katex.files) files.set(path, asset);
  const addresses = {
    styles: [keep('style.css', css, site), katex.style, keep('preview.css', css, preview)],
    script: keep('preview.js', 'text/javascript; charset=utf-8', script),
    icon: keep('favicon.ico', 'image/x-icon', icon),
  };
  return { files, addresses };
}

/** KaTeX's style, and its fonts where the style looks for them: the form that every browser of today takes. */
async function katexFiles(): Promise<{ files: Map<string, Asset>; style: string }> {
  const folder = dirname(module.createRequire(import.meta.url).resolve('katex/dist/katex.min.css'));
  const body = await readFile(join(folder, 'katex.min.css'));
  const root = `/-/${digestOf(body)}`;
  const style = `${root}/katex.css`;
  const fonts = (await readdir(join(folder, 'fonts'))).filter((name) => name.endsWith('.woff2'));
  const read = fonts.map(async (name): Promise<[string, Asset]> => {
    const font = await readFile(join(folder, 'fonts', name));
    return [`${root}/fonts/${name}`, { mediaType: 'font/woff2', body: font }];
  });
  return { files: new Map([[style, { mediaType: css, body }], ...(await Promise.all(read))]), style };
}

function digestOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 8);
}
