import { isName, namePatterns } from '../release/urls.ts';

/** What a pull mirrors: an exam, or one year of it. */
export interface Scope {
  readonly exam: string;
  readonly year: number | undefined;
}

/** @param text `neet` or `neet/2024` @returns undefined when it is neither */
export function parseScope(text: string): Scope | undefined {
  const [exam = '', year, ...more] = text.split('/');
  if (!isName('exam', exam) || (year !== undefined && !isName('year', year)) || more.length > 0)
    return undefined;
  return { exam, year: year === undefined ? undefined : Number(year) };
}

/** `neet` or `neet/2024` */
export function scopeName({ exam, year }: Scope): string {
  return year === undefined ? exam : `${exam}/${yearName(year)}`;
}

/** Four digits. */
export function yearName(year: number): string {
  return String(year).padStart(4, '0');
}

/** Characters of a name. File systems allow 255, of which `.json` and names of drafts take some. */
const maxNameLength = 200;

const { exam, year, shift, subject, diagram } = namePatterns;
const mirrorPath = new RegExp(`^${exam}/${year}/${shift}/(?:${subject}\\.json|diagrams/${diagram})$`);

/**
 * Whether a name of a service may be used in a path on disk. The names of the API have no slash and no leading dot.
 */
export function isSafeName(kind: 'shift' | 'subject' | 'diagram', name: unknown): name is string {
  return typeof name === 'string' && name.length <= maxNameLength && isName(kind, name);
}

/** Whether a path, from a manifest that anyone may have edited, is that of a paper or a diagram. */
export function isMirrorPath(path: unknown): path is string {
  return (
    typeof path === 'string' &&
    mirrorPath.test(path) &&
    path.split('/').every(({ length }) => length <= maxNameLength + '.json'.length)
  );
}

/** @param shift `neet/2024/2024-05-05-s1` */
export function paperPath(shift: string, subject: string): string {
  return `${shift}/${subject}.json`;
}

/** @param shift `neet/2024/2024-05-05-s1` */
export function diagramPath(shift: string, file: string): string {
  return `${shift}/diagrams/${file}`;
}
