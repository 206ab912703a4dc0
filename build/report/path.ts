import { join } from 'node:path';
import type { Location } from './diagnostic.ts';
import { visible } from './visible.ts';

/** Where a place is, as terminals and editors open it: `content/neet/exam.json:3:15`. */
export function placeOf(contentDir: string, { file, line, column }: Location): string {
  return `${visible(join(contentDir, file))}:${line}:${column}`;
}
