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
 * The origin-form of a request target (RFC 9112, 3.2): path and query, without scheme and host.
 *
 * @param url as it stands in the request line
 * @returns undefined when it is neither in origin-form nor in absolute-form for http or https
 */
export function originForm(url: string): string | undefined {
  if (url.startsWith('/')) return url;
  const absolute = /^https?:\/\/[^/?#@]+([/?].*)?$/is.exec(url);
  if (!absolute || !URL.canParse(url)) return undefined;
  const [, rest = ''] = absolute;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * Reads the target of a request (section 4 of the specification). A query is passed over, and one slash
 * at the end.
 *
 * @param url in origin-form
 */
export function parseTarget(url: string): Target {
  const segments = decodeSegments(url.split('?', 1)[0] ?? '');
  if (!segments) return malformed;
  const [exam, year, shift, fourth, fifth] = segments;
  if (exam === undefined) return { kind: 'root' };
  if (reservedNames.has(exam)) return { kind: 'page', path: pathOf(...segments) };
  if (year === undefined) return { kind: 'exam', exam };
  const isDiagram = segments.length === 5 && fourth === 'diagrams';
  if (segments.length !== 2 && segments.length !== 4 && !isDiagram) return malformed;
  if (!/^[0-9]{4}$/.test(year)) return { kind: 'invalid-year' };
  if (shift === undefined || fourth === undefined) return { kind: 'year', exam, year };
  if (fifth === undefined) return { kind: 'file', exam, year, shift, file: fourth };
  return { kind: 'diagram', exam, year, shift, file: fifth };
}

/** The path of decoded segments, as a release names it. A slash inside a segment stays encoded: it parts nothing. */
export function pathOf(...segments: readonly string[]): string {
  return segments.map((segment) => segment.replaceAll('/', '%2F')).join('/');
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
