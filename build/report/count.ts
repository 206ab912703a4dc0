import type { Summary } from './diagnostic.ts';

/** What was found in how much content, in a sentence: `168 questions in 29 files: 0 errors, 0 warnings.` */
export function summaryLine(summary: Summary): string {
  const { errors, warnings } = summary;
  return `${contentCount(summary)}: ${count(errors, 'error')}, ${count(warnings, 'warning')}.`;
}

/** How much content there is: `168 questions in 29 files`. */
export function contentCount({ questions, files }: Summary): string {
  return `${count(questions, 'question')} in ${count(files, 'file')}`;
}

/** A number and what it counts: `1 error`, `2 errors`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
