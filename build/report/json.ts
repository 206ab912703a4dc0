import type { Report } from './diagnostic.ts';

/** The report for programs, on one line. */
export function jsonReport({ diagnostics, summary }: Report): string {
  return `${JSON.stringify({ diagnostics, summary })}\n`;
}
