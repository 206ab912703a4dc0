import { join } from 'node:path';
import type { Report, Summary } from './diagnostic.ts';

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
  const { errors, warnings } = summary;
  const counts = `${contentCount(summary)}: ${count(errors, 'error')}, ${count(warnings, 'warning')}.\n`;
  return printable(paragraphs.join('') + counts);
}

/** How much content there is: `168 questions in 29 files`. */
export function contentCount({ questions, files }: Summary): string {
  return `${count(questions, 'question')} in ${count(files, 'file')}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** What a file's name holds never steers the terminal. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, (control) => {
    return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
