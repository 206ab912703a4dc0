import { type Range, startOfFile } from '../content/position.ts';
import type { Source } from '../content/source.ts';
import type { Problem } from '../rules/problem.ts';
import type { Part } from '../rules/rule.ts';
import type { Diagnostic, Location } from './diagnostic.ts';

interface Place {
  readonly message: string;
  readonly path: string;
  readonly pointer: string;
  readonly part?: Part;
}

/**
 * Gives a problem its lines and columns, and the lines around it.
 *
 * @param sourceOf the text of a content file; undefined for one without text (a photograph, a folder)
 */
export function locate(
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
  { message, path, pointer, part }: Place,
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
