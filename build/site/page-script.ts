import { readFile } from 'node:fs/promises';
import { compiledFile } from '../program.js';

/**
 * Reads the script of a page, bundled and minified; `program.js` lists them.
 *
 * @param name of the page's script
 */
export async function pageScript(name: string): Promise<Buffer> {
  return readFile(await compiledFile(`pages/${name}`));
}
