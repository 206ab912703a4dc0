import type { PaperPlace, ShiftPlace } from './bank.ts';

/** The list of exceptions, at the top of the content folder. */
export const exceptionsPath = 'exceptions.json';

/** What a file of the content folder is, by its path alone. */
export type Place =
  | { readonly kind: 'exam'; readonly path: string; readonly code: string }
  | { readonly kind: 'exceptions'; readonly path: string }
  | ({ readonly kind: 'paper'; readonly path: string } & PaperPlace)
  | ({ readonly kind: 'diagram'; readonly path: string; readonly file: string } & ShiftPlace)
  | { readonly kind: 'stray'; readonly path: string };

/** @param path inside the content folder, with `/` between its parts */
export function placeOf(path: string): Place {
  const parts = path.split('/');
  const [exam = '', year = '', shift = '', file = '', diagram = ''] = parts;
  if (path === exceptionsPath) return { kind: 'exceptions', path };
  if (parts.length === 2 && year === 'exam.json') return { kind: 'exam', path, code: exam };
  if (parts.length === 4 && file.endsWith('.json')) {
    return { kind: 'paper', path, exam, year, shift, subject: file.slice(0, -'.json'.length) };
  }
  if (parts.length === 5 && file === 'diagrams') {
    return { kind: 'diagram', path, exam, year, shift, file: diagram };
  }
  return { kind: 'stray', path };
}
