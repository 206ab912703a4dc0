import { summaryLine } from './count.ts';
import type { Report } from './diagnostic.ts';
import { problemText, type TextSetting } from './problem-text.ts';

/** The report for a terminal: a paragraph a problem, then a line that counts them. */
export function textReport({ diagnostics, summary }: Report, setting: TextSetting): string {
  const paragraphs = diagnostics.map((problem) => `${problemText(problem, setting)}\n\n`);
  return `${paragraphs.join('')}${summaryLine(summary)}\n`;
}
