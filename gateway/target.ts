import { reservedNames } from '../build/release/reserved.ts';

/** What the URL of a request asks for. */
export type Target =
  | { readonly kind: 'root' }
  /** A static page, or another path under a name that the service uses itself. */
  | { readonly kind: 'page'; readonly path: string }
  | { readonly kind: 'exam'; readonly exam: string }
  | { readonly kind: 'year'; readonly exam: string; readonly year: string }
  | ({ readonly kind: 'file'; readonly file: string } & ShiftTarget)
  | ({ readonly kind: 'diagram'; readonly file: string } & ShiftTarget)
  | { readonly kind: 'malformed' }
  | { readonly kind: 'invalid-year' };

export interface ShiftTarget {
  readonly exam: string;
  readonly year: string;
  /** As the request names it. */
  readonly shift: string;
}

const malformed: Target = { kind: 'malformed' };

/**
 * Reads the target of a request (section 4 of the specification). A query is passed over, and one slash
 * at the end.
 *
 * @param url as it stands in the request line: origin-form or absolute-form (RFC 9112, 3.2)
 */
export function parseTarget(url: string): Target {
  const segments = decodeSegments(pathOf(url));
  if (!segments) return malformed;
  const [exam, year, shift, fourth, fifth] = segments;
  if (exam === undefined) return { kind: 'root' };
  if (reservedNames.has(exam)) return { kind: 'page', path: segments.join('/') };
  if (year === undefined) return { kind: 'exam', exam };
  const isDiagram = segments.length === 5 && fourth === 'diagrams';
  if (segments.length !== 2 && segments.length !== 4 && !isDiagram) return malformed;
  if (!/^[0-9]{4}$/.test(year)) return { kind: 'invalid-year' };
  if (shift === undefined || fourth === undefined) return { kind: 'year', exam, year };
  if (fifth === undefined) return { kind: 'file', exam, year, shift, file: fourth };
  return { kind: 'diagram', exam, year, shift, file: fifth };
}

function pathOf(url: string): string {
  const withoutQuery = url.split('?', 1)[0] ?? '';
  const absolute = /^https?:\/\/[^/]*(.*)$/i.exec(withoutQuery);
  return absolute ? absolute[1] || '/' : withoutQuery;
}

/** The segments of a path, decoded; undefined when one does not decode, is empty, or is a dot segment. */
function decodeSegments(path: string): string[] | undefined {
  if (!path.startsWith('/') || path.includes('#')) return undefined;
  if (path === '/') return [];
  const segments: string[] = [];
  for (const raw of path.slice(1, path.endsWith('/') ? -1 : undefined).split('/')) {
    const segment = decode(raw);
    if (segment === undefined || segment === '' || segment === '.' || segment === '..') return undefined;
    segments.push(segment);
  }
  return segments;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
