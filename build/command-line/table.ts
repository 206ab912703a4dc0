import stringWidth from 'string-width';
import { escapeInvisible } from './command.ts';

/**
 * Formats a table with a header, its columns aligned as terminals show them.
 *
 * @param headers the titles of the columns
 * @param rows as many cells each
 */
export function table(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  // A name that someone else chose must not control the terminal.
  const lines = [headers, ...rows].map((row) => row.map(escapeInvisible));
  const widths = headers.map((_, column) =>
    Math.max(...lines.map((row) => stringWidth(row[column] ?? ''))),
  );
  return lines
    .map((row) => {
      const cells = row.map(
        (cell, column) => cell + ' '.repeat((widths[column] ?? 0) - stringWidth(cell)),
      );
      return `${cells.join('  ').trimEnd()}\n`;
    })
    .join('');
}

/** Formats a moment to the minute, in UTC: `2026-12-01 00:00`; `-` if there is none. @param iso ISO 8601 */
export function minute(iso: string | null): string {
  return iso === null ? '-' : iso.slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ');
}
