import type { Diagnostic, Location, Report } from '../check/diagnostic.ts';

/** The report for programs, on one line: the fields of the design, in its order. */
export function jsonReport({ diagnostics, summary }: Report): string {
  const { files, questions, errors, warnings } = summary;
  const report = {
    diagnostics: diagnostics.map(diagnosticFields),
    summary: { files, questions, errors, warnings },
  };
  return `${JSON.stringify(report)}\n`;
}

function diagnosticFields(diagnostic: Diagnostic) {
  const { rule, severity, message, file, line, column, endLine, endColumn, pointer } = diagnostic;
  const { suggestion, related } = diagnostic;
  return {
    rule,
    severity,
    message,
    file,
    line,
    column,
    endLine,
    endColumn,
    pointer,
    ...(suggestion !== undefined && { suggestion }),
    ...(related && { related: related.map(relatedFields) }),
  };
}

function relatedFields({ file, line, column, message }: Location) {
  return { file, line, column, message };
}
