import { readdir, readFile } from 'node:fs/promises';
import module from 'node:module';
import { dirname, join } from 'node:path';

/** Reads KaTeX's style sheet and its fonts as WOFF2, which all supported browsers read. */
export async function readKatex() {
  const folder = dirname(module.createRequire(import.meta.url).resolve('katex/dist/katex.min.css'));
  const style = await readFile(join(folder, 'katex.min.css'), 'utf8');
  const names = (await readdir(join(folder, 'fonts')))
    .filter((name) => name.endsWith('.woff2'))
    .sort();
  return {
    style: style.replace(/,url\([^)]*\.(?:woff|ttf)\) format\("\w+"\)/g, ''),
    fonts: await Promise.all(
      names.map(async (name) => ({
        path: `fonts/${name}`,
        body: await readFile(join(folder, 'fonts', name)),
      })),
    ),
  };
}
