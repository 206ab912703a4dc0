import type { Draw } from '../../draw.ts';
import pieces from './pieces.json' with { type: 'json' };

const { years, shifts } = pieces.folders;
const exams = [...pieces.folders.exams, 'x'.repeat(200)];

type Files = Map<string, Buffer>;

/** Renames or copies the exam, the year or the shift. */
export function mutateFolders(draw: Draw, files: Files): void {
  const paths = [...files.keys()].filter((path) => path.split('/').length >= 4);
  if (paths.length === 0) return;
  const [exam = '', year = '', shift = ''] = draw.pick(paths).split('/');
  const change = draw.weighted<() => void>([
    [3, () => rename(files, `${exam}/`, `${draw.pick(exams)}/`)],
    [3, () => rename(files, `${exam}/${year}/`, `${exam}/${draw.pick(years)}/`)],
    [3, () => rename(files, `${exam}/${year}/${shift}/`, `${exam}/${year}/${draw.pick(shifts)}/`)],
    [1, () => copy(files, `${exam}/${year}/${shift}/`, `${exam}/${year}/${draw.pick(shifts)}/`)],
    [8, () => addShift(draw, files, `${exam}/${year}/`, shift)],
    [2, () => addYear(draw, files, exam, year, shift)],
  ]);
  change();
}

function rename(files: Files, from: string, to: string): void {
  for (const [path, bytes] of [...files]) {
    if (!path.startsWith(from)) continue;
    files.delete(path);
    files.set(to + path.slice(from.length), bytes);
  }
}

function copy(files: Files, from: string, to: string): void {
  for (const [path, bytes] of [...files]) if (path.startsWith(from)) files.set(to + path.slice(from.length), bytes);
}

/** Copies the shift under another name of the same year, with new ids and file names. */
function addShift(draw: Draw, files: Files, folder: string, shift: string): void {
  const name = `${shift.slice(0, 'YYYY-'.length)}${draw.pick(['01-27-s1', '01-27-s2', '05-05-s2', '05-05-s10', '05-05-s9', '12-31-s1', '02-29-s1'])}`;
  copyRenamed(files, `${folder}${shift}/`, `${folder}${name}/`, shift, name);
}

function addYear(draw: Draw, files: Files, exam: string, year: string, shift: string): void {
  const other = draw.pick(['2019', '2026', '1999', '0001', '9999']);
  const name = other + shift.slice(year.length);
  copyRenamed(files, `${exam}/${year}/${shift}/`, `${exam}/${other}/${name}/`, shift, name);
}

function copyRenamed(files: Files, from: string, to: string, shift: string, name: string): void {
  for (const [path, bytes] of [...files]) {
    if (!path.startsWith(from)) continue;
    const file = path.slice(from.length).replaceAll(shift, name);
    files.set(to + file, file.endsWith('.json') ? Buffer.from(bytes.toString().replaceAll(shift, name)) : bytes);
  }
}
