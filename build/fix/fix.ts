import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { maxJsonBytes, readBytes } from '../content/file.ts';
import { findContent } from '../content/find.ts';
import { duplicateNames } from '../content/positions.ts';
import { writeFileAtomically } from '../release/drafts.ts';
import { print, readJson, shapes } from './json.ts';
import { repaired } from './repair.ts';

/** Levels of lists and objects that a file may have and still be mended; its schema asks for five. */
const deepest = 32;

/**
 * A content file with everything mended that has one right answer: no byte order mark; the house's
 * formatting; properties in the order of the schema, options in that of their keys; texts that people read
 * in Unicode NFC and without HTML entities. What the build makes of the file differs in nothing but those
 * texts and the order of options. Mending what is mended changes nothing.
 *
 * @param kind which schema the file is to follow; it may break it
 * @returns the text to write; undefined when the file needs no repair, or when none is safe: it is not
 * UTF-8, not JSON, nested too deep, or has two properties of one name, of which a person has to choose
 */
export function fixedText(kind: 'exam' | 'paper', bytes: Uint8Array): string | undefined {
  const written = decode(bytes);
  if (written === undefined) return undefined;
  const text = written.replace(/^\uFEFF/, '');
  if (!isShallowJson(text)) return undefined;
  const fixed = print(repaired(readJson(text), shapes[kind]));
  return fixed === written || duplicateNames(text).length > 0 ? undefined : fixed;
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isShallowJson(text: string): boolean {
  try {
    return !isDeeperThan(deepest, JSON.parse(text));
  } catch {
    return false;
  }
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}

/**
 * Repairs the files of a bank, as far as there is one right answer.
 *
 * @param only the paths to look at, inside the content folder; left out, all of them
 * @returns the paths of the files that were written anew
 * @throws NoContent when there is no such folder; the file system's own errors when a file cannot be written
 */
export async function repairContent(contentDir: string, only?: ReadonlySet<string>): Promise<string[]> {
  const { exams, shifts } = await findContent(contentDir);
  const files = [
    ...exams.map(({ path }) => ({ path, kind: 'exam' as const })),
    ...shifts.flatMap(({ papers }) => papers.map(({ path }) => ({ path, kind: 'paper' as const }))),
  ];
  const repaired: string[] = [];
  for (const { path, kind } of files) {
    if (only && !only.has(path)) continue;
    const bytes = readBytes(join(contentDir, path), maxJsonBytes);
    const text = 'fault' in bytes ? undefined : fixedText(kind, bytes);
    if (text === undefined) continue;
    const file = join(contentDir, path);
    await writeFileAtomically(file, text, { mode: (await stat(file)).mode });
    repaired.push(path);
  }
  return repaired;
}
