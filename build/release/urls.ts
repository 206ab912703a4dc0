/**
 * The names in the API's URLs (section 4 of the specification). Every other module that parses a URL or a path uses
 * these.
 */

/** The path of the list of exams. No exam code contains a dot. */
export const examListPath = 'exams.json';

/** The path of the feed of changes, which is beside the releases. */
export const changesPath = 'changes.json';

/** First path segments that the service uses itself. No exam may have one of them as its code. */
export const reservedNames: ReadonlySet<string> = new Set([
  'auth',
  changesPath,
  'dashboard',
  'docs',
  examListPath,
  'favicon.ico',
  'llms.txt',
  'robots.txt',
]);

/** The folders whose missing pages are HTML for browsers, in a page of their own that static hosts find by its name. */
export const pageFolders = ['docs', 'dashboard'] as const;

export const missingPage = '404.html';

/** The endpoints of the API by the kind of resource that their URLs name, and whether they require a key. */
export const endpoints = {
  exam: { path: '/{exam}', isProtected: false },
  year: { path: '/{exam}/{year}', isProtected: false },
  questions: { path: '/{exam}/{year}/questions.json', isProtected: false },
  pack: { path: '/{exam}/{year}/{pack}', isProtected: true },
  file: { path: '/{exam}/{year}/{shift}/{file}', isProtected: true },
  diagram: { path: '/{exam}/{year}/{shift}/diagrams/{filename}', isProtected: true },
} as const;

export type EndpointKind = keyof typeof endpoints;

/** The names that a path consists of, as regular expressions without anchors; `subject` is without `.json`. */
export const namePatterns = {
  exam: '[a-z][a-z0-9]*',
  year: '[0-9]{4}',
  shift: '[0-9]{4}-[0-9]{2}-[0-9]{2}-s[1-9][0-9]*',
  subject: '[a-z][a-z0-9-]*',
  language: '[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|[0-9]{3}))?',
  diagram: '[A-Za-z0-9][A-Za-z0-9._-]*',
} as const;

export type NameKind = keyof typeof namePatterns;

const wholeName = Object.fromEntries(
  Object.entries(namePatterns).map(([kind, pattern]) => [kind, new RegExp(`^${pattern}$`)]),
) as Readonly<Record<NameKind, RegExp>>;

/** Whether a text is a valid name of this kind. */
export function isName(kind: NameKind, text: string): boolean {
  return wholeName[kind].test(text);
}

/** The parts of a full shift name, `<YYYY>-<MM>-<DD>-s<n>`. */
export interface ShiftName {
  readonly year: string;
  /** `YYYY-MM-DD`; it may be a day that does not exist. */
  readonly date: string;
  readonly number: number;
}

/** Returns undefined for anything but a full shift name. */
export function parseShiftName(shift: string): ShiftName | undefined {
  if (!isName('shift', shift)) return undefined;
  const date = shift.slice(0, 'YYYY-MM-DD'.length);
  return {
    year: date.slice(0, 'YYYY'.length),
    date,
    number: Number(shift.slice('YYYY-MM-DD-s'.length)),
  };
}

/** @throws RangeError when `shift` is not a full shift name */
export function parseShift(shift: string): ShiftName {
  const name = parseShiftName(shift);
  if (!name) throw new RangeError(`${shift} is not a full shift name`);
  return name;
}

/** Decodes percent-encoded text; undefined if it is malformed. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Whether a host is this machine. @param host a name or an IP address, also an IPv6 address in brackets as in URLs */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  return address === 'localhost' || address === '::1' || /^(::ffff:)?127(\.\d+){3}$/i.test(address);
}

export const expectedOrigin = 'only a scheme and a host, such as https://api.example.org';

/** Parses the origin of a service. @returns undefined if the text is none */
export function parseOrigin(text: string): string | undefined {
  const origin = text.replace(/\/$/, '');
  const isOrigin =
    /^https?:\/\//.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
  return isOrigin ? origin : undefined;
}
