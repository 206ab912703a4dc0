import type { Diagnostic, Report } from '../check/diagnostic.ts';

/** The report for programs, on one line. */
export function jsonReport({ diagnostics, summary }: Report): string {
  return `${JSON.stringify({ diagnostics: diagnostics.map(diagnosticFields), summary })}\n`;
}

/** Absent fields are left out. */
function diagnosticFields(diagnostic: Diagnostic) {
  const { rule, severity, message, file, line, column, endLine, endColumn, pointer, suggestion } = diagnostic;
  const related = diagnostic.related?.map(({ file, line, column, message }) => ({ file, line, column, message }));
  return { rule, severity, message, file, line, column, endLine, endColumn, pointer, suggestion, related };
}
