import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { maxJsonBytes, readBytes } from '../content/file.ts';
import { findContent } from '../content/find.ts';
import { writeWhole } from '../release/write-whole.ts';
import { fixedText } from './fix.ts';

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
    await writeWhole(file, text, { mode: (await stat(file)).mode });
    repaired.push(path);
  }
  return repaired;
}
