import { type ErrorAnswerName, errorAnswer } from './answers.ts';
import type { HostFile } from './host-files.ts';

/** Below it stand the bodies of errors that a rule of `_redirects` names. No exam's code begins with a line. */
const folder = '_errors';

/** URL path of the body of an error. */
export function errorPath(name: ErrorAnswerName): string {
  return `/${folder}/${name}.json`;
}

const named: readonly ErrorAnswerName[] = ['no-exam', 'no-year', 'no-file'];

/**
 * The bodies of the 404s: by name for a host whose rules name them, and as `404.html` in each folder for one that
 * looks for the nearest.
 *
 * @param exams their codes
 * @param folders those of pages, with a slash before them
 */
export function errorFiles(exams: readonly string[], folders: readonly string[]): HostFile[] {
  const nearest: readonly (readonly [folder: string, name: ErrorAnswerName])[] = [
    ['', 'no-exam'],
    ...exams.map((exam) => [`${exam}/`, 'no-year'] as const),
    ...folders.map((path) => [`${path.slice(1)}/`, 'no-file'] as const),
  ];
  return [
    ...named.map((name) => file(`public${errorPath(name)}`, name)),
    ...nearest.map(([place, name]) => file(`public/${place}404.html`, name)),
  ];
}

function file(path: string, name: ErrorAnswerName): HostFile {
  return { file: path, body: Buffer.from(errorAnswer(name).body) };
}
