import { endpoints, namePatterns, percentDecoded, reservedNames } from '../build/release/urls.ts';

/** What the URL of a request names. */
export type Target =
  | { readonly kind: 'root' }
  /** A static page, or another path under a reserved name. */
  | { readonly kind: 'page'; readonly path: string }
  | { readonly kind: 'exam'; readonly exam: string }
  | { readonly kind: 'year'; readonly exam: string; readonly year: string }
  /** The index of the questions of a year. */
  | { readonly kind: 'questions'; readonly exam: string; readonly year: string }
  /** A ZIP file of a shift, or of all of a year. */
  | ({ readonly kind: 'pack' } & ShiftTarget)
  | ({ readonly kind: 'file'; readonly file: string } & ShiftTarget)
  | ({ readonly kind: 'diagram'; readonly file: string } & ShiftTarget)
  | { readonly kind: 'malformed' }
  | { readonly kind: 'invalid-year' };

interface ShiftTarget {
  readonly exam: string;
  readonly year: string;
  /** As written in the request: a name or an alias; of a pack also `all`. */
  readonly shift: string;
}

const protectedKinds: ReadonlySet<string> = new Set(
  Object.entries(endpoints).flatMap(([kind, endpoint]) => (endpoint.isProtected ? [kind] : [])),
);

/** Whether a target requires an API key (section 4 of the specification). */
export function isProtected({ kind }: Target): boolean {
  return protectedKinds.has(kind);
}

const malformed: Target = { kind: 'malformed' };
const questionsFile = 'questions.json';
const packSuffix = '.zip';

function isPack(name = ''): boolean {
  return name.length > packSuffix.length && name.endsWith(packSuffix);
}

const wholeYear = new RegExp(`^${namePatterns.year}$`);

/**
 * Parses the target of a request (section 4 of the specification). A trailing slash and the query are ignored.
 *
 * @param url in origin-form
 */
export function parseTarget(url: string): Target {
  const segments = readSegments(url);
  if (!segments) return malformed;
  const [exam, year, shift, fourth, fifth] = segments;
  if (exam === undefined) return { kind: 'root' };
  if (reservedNames.has(exam)) return { kind: 'page', path: pathOf(...segments) };
  if (year === undefined) return { kind: 'exam', exam };
  const isDiagram = segments.length === 5 && fourth === 'diagrams';
  const isOfYear = segments.length === 3 && (shift === questionsFile || isPack(shift));
  if (segments.length !== 2 && segments.length !== 4 && !isOfYear && !isDiagram) return malformed;
  if (!wholeYear.test(year)) return { kind: 'invalid-year' };
  if (shift === undefined) return { kind: 'year', exam, year };
  if (fourth === undefined)
    return shift === questionsFile
      ? { kind: 'questions', exam, year }
      : { kind: 'pack', exam, year, shift: shift.slice(0, -packSuffix.length) };
  if (fifth === undefined) return { kind: 'file', exam, year, shift, file: fourth };
  return { kind: 'diagram', exam, year, shift, file: fifth };
}

/** The path of decoded segments in a release. */
export function pathOf(...segments: readonly string[]): string {
  return segments.map(nameOf).join('/');
}

/** A decoded segment in a path of a release. A slash within it stays encoded, because it separates nothing. */
export function nameOf(segment: string): string {
  return segment.includes('/') ? segment.replaceAll('/', '%2F') : segment;
}

/** The decoded segments of a path; undefined if one does not decode, is empty, or is a dot segment. */
function readSegments(url: string): readonly string[] | undefined {
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  if (!path.startsWith('/') || path.includes('#')) return undefined;
  // Every request comes here. `split` takes twice as long, and most paths need no decoding.
  const isEncoded = path.includes('%');
  const end = path.endsWith('/') ? path.length - 1 : path.length;
  const segments: string[] = [];
  for (let start = 1; start <= end; ) {
    const slash = path.indexOf('/', start);
    const next = slash < 0 ? end : slash;
    const written = path.slice(start, next);
    const segment = isEncoded ? percentDecoded(written) : written;
    if (segment === undefined || segment === '' || segment === '.' || segment === '..')
      return undefined;
    segments.push(segment);
    start = next + 1;
  }
  return segments;
}
