import { join } from 'node:path';
import { type FileBytes, maxJsonBytes, readBytes } from '../content/file.ts';
import { compareTexts } from '../content/groups.ts';
import { type Range, Source, type SourceLine, startOfFile } from '../content/positions.ts';
import type { FindingPlace, Part, Problem, Repeat, Severity } from '../rules/rule.ts';

/** A problem with its place in the text, as every report format prints it. */
export interface Diagnostic extends Location {
  readonly rule: string;
  readonly severity: Severity;
  /** JSON pointer (RFC 6901). */
  readonly pointer: string;
  /** What belongs in the place of what is at fault. */
  readonly suggestion?: string | undefined;
  /** The text of the file that `--fix` writes in the place of the range; undefined where a person has to decide. */
  readonly fix?: string | undefined;
  /** What `--fix` writes in further places of the same value. */
  readonly fixes?: readonly (Range & { readonly fix: string })[] | undefined;
  /** The suggestion is a part of the file, as it is typed; otherwise it is a text, which JSON escapes. */
  readonly isTyped?: true | undefined;
  /** Other places that disagree with this one. */
  readonly related?: readonly Location[] | undefined;
}

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

/** Counts errors and warnings. */
export function countSeverities(
  diagnostics: readonly Diagnostic[],
): Pick<Summary, 'errors' | 'warnings'> {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: diagnostics.length - errors };
}

export interface Report {
  /** In the order of their files and places. */
  readonly diagnostics: readonly Diagnostic[];
  readonly summary: Summary;
}

/** By file, then by place in the file, so that the order of a report never depends on how it came about. */
export function byPlace(a: Diagnostic, b: Diagnostic): number {
  return (
    compareTexts(a.file, b.file) ||
    a.line - b.line ||
    a.column - b.column ||
    compareTexts(a.rule, b.rule) ||
    compareTexts(a.message, b.message)
  );
}

/** Gives problems that point into content files their lines and columns. The files are read again. */
export function locateInContent(contentDir: string, problems: readonly Problem[]): Diagnostic[] {
  return locate(problems, (path) => readBytes(join(contentDir, path), maxJsonBytes));
}

/**
 * Gives problems their lines and columns, and the lines around them. A file that none points into is not decoded.
 *
 * @param read returns undefined for a file that is not at hand
 */
export function locate(
  problems: readonly Problem[],
  read: (path: string) => FileBytes | undefined,
): Diagnostic[] {
  const sources = new Map<string, Source | undefined>();
  return problems.map(({ rule, severity, suggestion, certain, repeats, related, ...place }) => ({
    rule,
    severity,
    ...location(place),
    pointer: place.pointer,
    suggestion,
    fix: suggestion !== undefined && certain ? asWritten(suggestion, place.part) : undefined,
    ...(repeats && repeats.length > 0 && { fixes: fixes(place, repeats) }),
    ...(place.part?.of === 'file' && { isTyped: true as const }),
    related: related?.map(location),
  }));

  function fixes({ path, pointer }: FindingPlace, repeats: readonly Repeat[]) {
    const source = sources.get(path);
    return repeats.flatMap(({ suggestion, ...span }) => {
      const part = { of: 'value', ...span } as const;
      return source
        ? [{ ...source.valueRange(pointer, part), fix: asWritten(suggestion, part) }]
        : [];
    });
  }

  function location({ message, path, pointer, part }: FindingPlace): Location {
    if (!sources.has(path)) sources.set(path, sourceOf(path, read));
    const source = sources.get(path);
    if (!source) return { message, file: path, ...startOfFile, excerpt: [] };
    const range =
      part?.of === 'file'
        ? source.range(part.start, part.end)
        : source.valueRange(pointer, part?.of === 'name' ? 'name' : part);
    return { message, file: path, ...range, excerpt: source.excerpt(range) };
  }
}

/** The text of a file for a value, a part of a value or a property's name: JSON. A part of the file is text already. */
function asWritten(text: string, part: Part | undefined): string {
  if (part?.of === 'file') return text;
  const json = JSON.stringify(text);
  return part?.of === 'value' ? json.slice(1, -1) : json;
}

/** Returns undefined for a file without text (a photograph, a folder) and for one that cannot be read. */
function sourceOf(path: string, read: (path: string) => FileBytes | undefined): Source | undefined {
  const bytes = /\.(json|svg)$/.test(path) ? read(path) : undefined;
  return bytes && !('fault' in bytes)
    ? new Source(new TextDecoder('utf-8').decode(bytes))
    : undefined;
}
