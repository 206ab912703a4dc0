import { join } from 'node:path';
import { type FileBytes, maxJsonBytes, readBytes } from '../content/file.ts';
import { type Range, Source, type SourceLine, startOfFile } from '../content/positions.ts';
import type { FindingPlace, Part, Problem, Severity } from '../rules/rule.ts';

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

/** Gives problems their lines and columns. */
export function locateAll(
  problems: readonly Problem[],
  sourceOf: (path: string) => Source | undefined,
): Diagnostic[] {
  return problems.map((problem) => locate(problem, sourceOf));
}

/**
 * Decodes the files that problems point into, each once and only if needed.
 *
 * @param read returns undefined for a file that is not at hand
 * @returns undefined for a file without text and for one that cannot be read
 */
export function sourcesOf(
  read: (path: string) => FileBytes | undefined,
): (path: string) => Source | undefined {
  const sources = new Map<string, Source | undefined>();
  return (path) => {
    if (!sources.has(path)) {
      const bytes = /\.(json|svg)$/.test(path) ? read(path) : undefined;
      const isText = bytes && !('fault' in bytes);
      sources.set(path, isText ? new Source(new TextDecoder('utf-8').decode(bytes)) : undefined);
    }
    return sources.get(path);
  };
}

/** The texts of content files, which are read again when a problem points into them. */
export function contentSources(contentDir: string): (path: string) => Source | undefined {
  return sourcesOf((path) => readBytes(join(contentDir, path), maxJsonBytes));
}

/**
 * Gives a problem its lines and columns, and the lines around it.
 *
 * @param sourceOf the text of a content file; undefined for one without text (a photograph, a folder)
 */
function locate(
  { rule, severity, suggestion, related, ...place }: Problem,
  sourceOf: (path: string) => Source | undefined,
): Diagnostic {
  return {
    rule,
    severity,
    ...location(place, sourceOf),
    pointer: place.pointer,
    ...(suggestion !== undefined && { suggestion }),
    ...(related && { related: related.map((other) => location(other, sourceOf)) }),
  };
}

function location(
  { message, path, pointer, part }: FindingPlace,
  sourceOf: (path: string) => Source | undefined,
): Location {
  const source = sourceOf(path);
  if (!source) return { message, file: path, ...startOfFile, excerpt: [] };
  const range = rangeOf(source, pointer, part);
  return { message, file: path, ...range, excerpt: source.excerpt(range) };
}

function rangeOf(source: Source, pointer: string, part: Part | undefined): Range {
  switch (part?.of) {
    case undefined:
      return source.valueRange(pointer);
    case 'name':
      return source.valueRange(pointer, 'name');
    case 'value':
      return source.valueRange(pointer, part);
    case 'file':
      return source.range(part.start, part.end);
  }
}
