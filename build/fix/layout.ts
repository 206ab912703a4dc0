import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { maxJsonBytes, readBytes } from '../content/file.ts';
import { findContent } from '../content/find.ts';
import { duplicateNames } from '../content/positions.ts';
import { writeFileAtomically } from '../release/files.ts';
import { countProperties } from '../rules/file.ts';
import { type FormattedKind, formatJson } from './json.ts';

/** Deepest nesting that is formatted; the schema has five levels. */
const deepest = 32;

/**
 * Formats a content file: removes a byte order mark, lays out the JSON, and sorts properties in schema order and options by
 * key. The build's output changes only in the order of options. Idempotent.
 *
 * @param kind the schema of the file, which may be invalid
 * @returns the text to write; undefined when the file is formatted, or cannot be: it is not UTF-8, not JSON, nested too
 * deep, or has duplicate property names
 */
export function formattedText(kind: FormattedKind, bytes: Uint8Array): string | undefined {
  let written: string;
  let text: string;
  try {
    written = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    text = written.replace(/^\uFEFF/, '');
    if (Number.isNaN(countProperties(JSON.parse(text), deepest))) return undefined;
  } catch {
    return undefined;
  }
  const formatted = formatJson(text, kind);
  return formatted === written || duplicateNames(text).length > 0 ? undefined : formatted;
}

/**
 * Formats the files of a bank.
 *
 * @param only paths to format, relative to the content folder; all if omitted
 * @returns the paths of the files that were rewritten
 * @throws NoContent when there is no such folder; the file system's own errors when a file cannot be written
 */
export async function formatContent(contentDir: string, only?: ReadonlySet<string>): Promise<string[]> {
  const { exams, shifts } = await findContent(contentDir);
  const files = [
    ...exams.map(({ path }) => ({ path, kind: 'exam' as const })),
    ...shifts.flatMap(({ details, papers, translations }) => [
      ...details.map(({ path }) => ({ path, kind: 'shift' as const })),
      ...papers.map(({ path }) => ({ path, kind: 'paper' as const })),
      ...translations.map(({ path }) => ({ path, kind: 'translation' as const })),
    ]),
  ];
  const formatted: string[] = [];
  for (const { path, kind } of files) {
    if (only && !only.has(path)) continue;
    const bytes = readBytes(join(contentDir, path), maxJsonBytes);
    const text = 'fault' in bytes ? undefined : formattedText(kind, bytes);
    if (text === undefined) continue;
    const file = join(contentDir, path);
    await writeFileAtomically(file, text, { mode: (await stat(file)).mode });
    formatted.push(path);
  }
  return formatted;
}
