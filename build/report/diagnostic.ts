import type { Problem } from '../check/check.ts';
import type { Severity } from '../check/rule.ts';
import type { Locator, Range } from '../read/json.ts';

/** A problem with its place in the text, as every report format prints it. */
export interface Diagnostic extends Range {
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  /** Relative to the content folder. */
  readonly file: string;
  /** JSON pointer (RFC 6901). */
  readonly pointer: string;
  readonly suggestion?: string;
  readonly related?: readonly RelatedLocation[];
}

export interface RelatedLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface Summary {
  readonly files: number;
  readonly questions: number;
  readonly errors: number;
  readonly warnings: number;
}

export interface Report {
  readonly diagnostics: readonly Diagnostic[];
  readonly summary: Summary;
}

/**
 * Gives a problem its lines and columns.
 *
 * @param locatorFor finds places in a content file; in one without text (an image, a folder), its start
 */
export function diagnose(problem: Problem, locatorFor: (path: string) => Locator): Diagnostic {
  const { rule, severity, message, path, pointer, atKey, suggestion, related } = problem;
  return {
    rule,
    severity,
    message,
    file: path,
    ...locatorFor(path)(pointer, atKey),
    pointer,
    ...(suggestion !== undefined && { suggestion }),
    ...(related && {
      related: related.map((place) => {
        const { line, column } = locatorFor(place.path)(place.pointer);
        return { file: place.path, line, column, message: place.message };
      }),
    }),
  };
}

/** By file, then by place in the file, so that the order of a report never depends on how it came about. */
export function byPlace(a: Diagnostic, b: Diagnostic): number {
  return (
    compare(a.file, b.file) ||
    a.line - b.line ||
    a.column - b.column ||
    compare(a.rule, b.rule) ||
    compare(a.message, b.message)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
