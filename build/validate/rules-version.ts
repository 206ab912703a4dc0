import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import glob from 'fast-glob';

/** What decides whether content passes: the rules and what reads for them, the schemas, the packages. */
const sources = ['build/{check,read,validate}/**/*.ts', 'content/schema/*.schema.json', 'package-lock.json'];

/** Changes with everything that decides whether content passes, Node's own tables of characters among it. */
export async function rulesVersion(): Promise<string> {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const files = (await glob(sources, { cwd, absolute: true })).sort();
  const hash = createHash('sha256').update(process.version);
  for (const bytes of await Promise.all(files.map((file) => readFile(file))))
    hash.update(`${bytes.length}\n`).update(bytes);
  return hash.digest('hex').slice(0, 16);
}
