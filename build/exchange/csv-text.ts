/** Writes questions as CSV, for a spreadsheet and back: `pastpaper import` finds them again by their ids. */
import type { ExportedQuestion } from './render.ts';
import { columnFields } from './table.ts';

/** Fields without a column. An import leaves them as they are. */
export const unknownToCsv = ['lang', 'diagrams', 'answerRange'];

const columns = columnFields.filter((name) => name !== 'wrong');

/** Writes a row for each question. A byte order mark tells Excel that it is UTF-8. */
export function csvText(questions: readonly ExportedQuestion[]): string {
  const most = questions.reduce((count, { options }) => Math.max(count, options.length), 0);
  const letters = Array.from({ length: most }, (_, index) => String.fromCharCode(65 + index));
  const names = columns.flatMap((name) => (name === 'options' ? letters : [name]));
  const rows = questions.map((question) => {
    const { options, accepted, marking, shared, losses } = question;
    if (accepted && accepted.length > 1) losses.add('accepted');
    if (shared) losses.add('passage');
    if (options.some(({ diagram }) => diagram)) losses.add('diagrams of options');
    if (marking.unanswered || marking.partial) losses.add('marks');
    const values = new Map<string, unknown>(Object.entries({ ...question, ...marking }));
    for (const { key, value = '' } of options) values.set(key, value);
    return names.map((name) => String(values.get(name) ?? ''));
  });
  const quoted = (cell: string) =>
    /[",;\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  return `\ufeff${[names, ...rows].map((row) => `${row.map(quoted).join(',')}\r\n`).join('')}`;
}
