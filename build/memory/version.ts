import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import glob from 'fast-glob';

/** Changes with everything that decides whether content passes. */
export function rulesVersion(): Promise<string> {
  return versionOf(['build/{check,read,validate}/**/*.ts', 'content/schema/*.schema.json']);
}

/** Changes with everything that decides what a shift answers, and whether it passes. */
export function answersVersion(): Promise<string> {
  return versionOf([
    'build/{check,compile,publish,read,release,site/description,validate}/**/*.ts',
    'content/schema/*.schema.json',
  ]);
}

/** Changes with everything that decides what a release holds. */
export function buildVersion(): Promise<string> {
  return versionOf(['build/**', '!build/client/**', 'content/schema/*.schema.json']);
}

/** Changes with everything that decides whether a formula passes. */
export function formulasVersion(): Promise<string> {
  return versionOf(['build/check/formula/*.ts', 'build/check/fingerprint*.ts']);
}

const known = new Map<string, Promise<string>>();

/** Within one run of the program, its files are those that it was started with. */
function versionOf(sources: readonly string[]): Promise<string> {
  const key = sources.join();
  const version = known.get(key) ?? hashOf(sources);
  known.set(key, version);
  return version;
}

/** A hash over files of this program, its packages, and Node, which brings tables of characters. */
async function hashOf(sources: readonly string[]): Promise<string> {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const files = (await glob([...sources, 'package-lock.json'], { cwd, absolute: true })).sort();
  const hash = createHash('sha256').update(process.version);
  for (const bytes of await Promise.all(files.map((file) => readFile(file))))
    hash.update(`${bytes.length}\n`).update(bytes);
  return hash.digest('hex').slice(0, 16);
}
