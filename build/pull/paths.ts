/**
 * The names that a copy has on disk. They come from a service, or from a file that anyone may have changed, so
 * nothing but these is ever joined to a folder: no slash, no dot in front, no more than a file system takes.
 */
const names = {
  exam: '[a-z][a-z0-9]{0,99}',
  year: String.raw`\d{4}`,
  shift: String.raw`\d{4}-\d{2}-\d{2}-s[1-9]\d{0,8}`,
  subject: '[a-z][a-z0-9-]{0,99}',
  diagram: '[A-Za-z0-9][A-Za-z0-9._-]{0,199}',
} as const;

const whole = Object.fromEntries(
  Object.entries(names).map(([kind, pattern]) => [kind, new RegExp(`^${pattern}$`)]),
) as Readonly<Record<keyof typeof names, RegExp>>;

const anyPath = new RegExp(
  `^${names.exam}/${names.year}/${names.shift}/(?:${names.subject}\\.json|diagrams/${names.diagram})$`,
);

export function isName(kind: keyof typeof names, text: unknown): text is string {
  return typeof text === 'string' && whole[kind].test(text);
}

/** Whether a path inside a copy's folder is that of a paper or a diagram. */
export function isCopyPath(path: unknown): path is string {
  return typeof path === 'string' && anyPath.test(path);
}

/** @param shift `neet/2024/2024-05-05-s1` */
export function paperPath(shift: string, subject: string): string {
  return `${shift}/${subject}.json`;
}

/** @param shift `neet/2024/2024-05-05-s1` */
export function diagramPath(shift: string, file: string): string {
  return `${shift}/diagrams/${file}`;
}

/** What a pull keeps in step: an exam, or one year of it. */
export interface Scope {
  readonly exam: string;
  readonly year: number | undefined;
}

/** @param text `neet` or `neet/2024` @returns undefined when it is neither */
export function parseScope(text: string): Scope | undefined {
  const [, exam, year] = /^([a-z][a-z0-9]*)(?:\/(\d{4}))?$/.exec(text) ?? [];
  return exam === undefined ? undefined : { exam, year: year === undefined ? undefined : Number(year) };
}

/** As it was written. */
export function scopeName({ exam, year }: Scope): string {
  return year === undefined ? exam : `${exam}/${yearName(year)}`;
}

/** Four digits. */
export function yearName(year: number): string {
  return String(year).padStart(4, '0');
}
