import type { Range } from '../content/position.ts';
import type { SourceLine } from '../content/source.ts';
import type { Severity } from '../rules/rule.ts';

/** A problem with its place in the text, as every report format prints it. */
export interface Diagnostic extends Location {
  readonly rule: string;
  readonly severity: Severity;
  /** JSON pointer (RFC 6901). */
  readonly pointer: string;
  /** What belongs in the place of what is at fault. */
  readonly suggestion?: string;
  /** Other places that disagree with this one. */
  readonly related?: readonly Location[];
}

/** A stretch of a file, and what there is to say of it. */
export interface Location extends Range {
  readonly message: string;
  /** Relative to the content folder. */
  readonly file: string;
  /** The lines of the stretch and those around it; none in a file without text. */
  readonly excerpt: readonly SourceLine[];
}

export interface Summary {
  readonly files: number;
  readonly questions: number;
  readonly errors: number;
  readonly warnings: number;
}

export interface Report {
  /** In the order of their files and places. */
  readonly diagnostics: readonly Diagnostic[];
  readonly summary: Summary;
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
