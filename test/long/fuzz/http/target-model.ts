/** The meaning of a request target: a second implementation of the design (HTTP) and section 4 of the specification. */
export type ParsedTarget =
  | { readonly kind: 'malformed' }
  | { readonly kind: 'invalid-year' }
  | { readonly kind: 'root' }
  /** A path of the authentication service. */
  | { readonly kind: 'service' }
  | { readonly kind: 'page'; readonly segments: readonly string[] }
  | { readonly kind: 'exam' | 'year' | 'file' | 'diagram'; readonly segments: readonly string[] };

const ownNames = ['docs', 'dashboard', 'auth', 'favicon.ico', 'robots.txt'];

/**
 * @returns undefined if it has characters that are invalid in a URI (RFC 3986, 2), which a server may reject or accept
 */
export function parseTarget(target: string): ParsedTarget | undefined {
  if (/^\/auth(?:[/?#]|$)/.test(target)) return { kind: 'service' };
  // Queries are ignored, but a server may reject invalid characters in them.
  if (!/^[!$-;=?-Z[\]_a-z~]+$/.test(target))
    return /#/.test(target.split('?')[0] ?? '') ? malformedIfClean(target) : undefined;
  const path = pathOf(target);
  if (path === undefined) return { kind: 'malformed' };
  if (/^\/auth(\/|$)/.test(path)) return { kind: 'service' };
  const segments = segmentsOf(path);
  if (!segments) return { kind: 'malformed' };
  const [exam, year, , fourth] = segments;
  if (exam === undefined) return { kind: 'root' };
  if (ownNames.includes(exam)) return { kind: 'page', segments };
  switch (segments.length) {
    case 1:
      return { kind: 'exam', segments };
    case 2:
      return isYear(year) ? { kind: 'year', segments } : { kind: 'invalid-year' };
    case 4:
      return isYear(year) ? { kind: 'file', segments } : { kind: 'invalid-year' };
    case 5:
      if (fourth !== 'diagrams') return { kind: 'malformed' };
      return isYear(year) ? { kind: 'diagram', segments } : { kind: 'invalid-year' };
    default:
      return { kind: 'malformed' };
  }
}

/** A request target has no fragment (RFC 9112, 3.2). */
function malformedIfClean(target: string): ParsedTarget | undefined {
  return /^\/[!#$-;=?-Z[\]_a-z~]*$/.test(target) ? { kind: 'malformed' } : undefined;
}

/** The path of a target in origin-form or absolute-form. */
function pathOf(target: string): string | undefined {
  const [beforeQuery = ''] = target.split('?');
  if (beforeQuery.startsWith('/')) return beforeQuery;
  const [, authority, path] = /^https?:\/\/([^/?]*)(\/.*)?$/i.exec(beforeQuery) ?? [];
  if (authority === undefined || !isAuthority(authority)) return undefined;
  return path ?? '/';
}

/** A host with an optional port, without user information (RFC 9110, 4.2.4). */
function isAuthority(text: string): boolean {
  const [, host = '', port] = /^(.*?)(?::([0-9]*))?$/.exec(text) ?? [];
  if (port !== undefined && Number(port) > 65_535) return false;
  return /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$|^\[::1\]$/i.test(host);
}

function segmentsOf(path: string): string[] | undefined {
  const names = path.slice(1).split('/');
  if (names.at(-1) === '') names.pop();
  const decoded = names.map(decode);
  const isSound = (segment: string | undefined) => segment !== undefined && !/^\.{0,2}$/.test(segment);
  return decoded.every(isSound) ? (decoded as string[]) : undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes percent-encoded UTF-8 (RFC 3986, 2.1 and 2.5); undefined if it is invalid. */
function decode(segment: string): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(segment)) return undefined;
  const bytes = Buffer.from(
    segment.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function isYear(text: string | undefined): boolean {
  return text !== undefined && /^[0-9]{4}$/.test(text);
}
