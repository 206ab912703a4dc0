import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { maxJsonBytes, readBytes } from '../content/file.ts';
import { findContent } from '../content/find.ts';
import { duplicateNames } from '../content/positions.ts';
import { writeFileAtomically } from '../release/drafts.ts';
import { formatJson } from './json.ts';

/** Deepest nesting that is repaired; the schema has five levels. */
const deepest = 32;

/**
 * Repairs a content file: removes a byte order mark, formats the JSON, sorts properties in schema order and options by key,
 * and converts readable texts to Unicode NFC without HTML entities. The build's output changes only in those texts and
 * the order of options. Idempotent.
 *
 * @param kind the schema of the file, which may be invalid
 * @returns the text to write; undefined when nothing needs repair, or no repair is safe: the file is not UTF-8, not JSON,
 * nested too deep, or has duplicate property names
 */
export function fixedText(kind: 'exam' | 'paper', bytes: Uint8Array): string | undefined {
  let written: string;
  let text: string;
  try {
    written = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    text = written.replace(/^\uFEFF/, '');
    if (!isShallow(JSON.parse(text), deepest)) return undefined;
  } catch {
    return undefined;
  }
  const fixed = formatJson(text, kind);
  return fixed === written || duplicateNames(text).length > 0 ? undefined : fixed;
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1));
}

/**
 * Repairs the files of a bank wherever there is exactly one correct repair.
 *
 * @param only paths to repair, relative to the content folder; all if omitted
 * @returns the paths of the files that were rewritten
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
