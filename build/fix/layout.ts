import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  countProperties,
  type FileBytes,
  findContent,
  jsonFile,
  maxJsonBytes,
  readBytes,
} from '../content/file.ts';
import { duplicateNames } from '../content/positions.ts';
import { writeFileAtomically } from '../release/files.ts';
import { type FormattedKind, formatJson } from './json.ts';

/** Deepest nesting that is formatted; the schema has five levels. */
const deepest = 32;

/**
 * Formats a content file: removes a byte order mark, lays out the JSON, and sorts properties in schema order and options by
 * key. The build's output changes only in the order of options. Idempotent.
 *
 * @param kind the schema of the file, which may be invalid
 * @returns the text to write; undefined when the file is formatted, or cannot be: it is unreadable, not UTF-8, not JSON,
 * nested too deep, or has duplicate property names
 */
export function formattedText(kind: FormattedKind, bytes: FileBytes): string | undefined {
  const file = jsonFile(bytes, '', kind);
  if (file.state !== 'parsed' || Number.isNaN(countProperties(file.value, deepest)))
    return undefined;
  const formatted = formatJson(file.text, kind);
  const isFormatted = formatted === file.text && !file.byteOrderMark;
  return isFormatted || duplicateNames(file.text).length > 0 ? undefined : formatted;
}

/**
 * Formats the files of a bank.
 *
 * @param only paths to format, relative to the content folder; all if omitted
 * @returns the paths of the files that were rewritten
 * @throws UserError when there is no such folder; the file system's own errors when a file cannot be written
 */
export async function formatContent(
  contentDir: string,
  only?: ReadonlySet<string>,
): Promise<string[]> {
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
    const file = join(contentDir, path);
    const text = formattedText(kind, readBytes(file, maxJsonBytes));
    if (text === undefined) continue;
    await writeFileAtomically(file, text, { mode: (await stat(file)).mode });
    formatted.push(path);
  }
  return formatted;
}
