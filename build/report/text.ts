import { join } from 'node:path';
import type { Report } from './diagnostic.ts';

/**
 * The report for a terminal: a paragraph a problem, then a line that counts them.
 *
 * @param contentDir put before each file, so that an editor's terminal can open it
 */
export function textReport({ diagnostics, summary }: Report, contentDir: string): string {
  const paragraphs = diagnostics.map(
    ({ file, line, column, severity, rule, message, suggestion, related = [] }) => {
      const lines = [`${join(contentDir, file)}:${line}:${column} ${severity} ${rule}`, `  ${message}`];
      if (suggestion !== undefined) lines.push(`  Did you mean ${JSON.stringify(suggestion)}?`);
      for (const place of related) {
        lines.push(`  ${join(contentDir, place.file)}:${place.line}:${place.column} ${place.message}`);
      }
      return `${lines.join('\n')}\n\n`;
    },
  );
  const { files, questions, errors, warnings } = summary;
  const counted = `${count(questions, 'question')} in ${count(files, 'file')}`;
  return `${paragraphs.join('')}${counted}: ${count(errors, 'error')}, ${count(warnings, 'warning')}.\n`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
