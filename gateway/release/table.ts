/** The responses of a release, in memory, by the target of a request. The bodies stay on disk. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ApiErrorName } from '../../build/release/errors.ts';
import type { Release as StoredRelease } from '../../build/release/read.ts';
import { type YearIndex, yearsOf } from '../../build/release/root.ts';
import { nameOf, pathOf, type Target } from '../target.ts';
import { createPack, type Pack, type PackedFile } from './pack.ts';
import { type Resource, toResource, type Variant } from './resource.ts';

export interface Release {
  readonly id: string;
  /** URL paths of example requests: one public, one that needs a key. */
  readonly examples: { readonly open: string; readonly closed: string };
  /** The tables of its years, by the hash of their indexes: the next release uses those that have not changed. */
  readonly years: ReadonlyMap<string, YearTable>;
  /** The resource of a target, or why there is none. */
  find(target: Target): Resource | Pack | ApiErrorName;
}

/** A year. Maps, not objects: a request for `__proto__` finds nothing. */
interface YearTable {
  /** By every accepted spelling. */
  readonly shifts: ReadonlyMap<string, Shift>;
  /** All of the year; undefined if a ZIP file cannot have it. */
  readonly pack: Pack | undefined;
}

interface Shift {
  /** By name. */
  readonly files: ReadonlyMap<string, Resource>;
  readonly diagrams: ReadonlyMap<string, Resource>;
  readonly pack: Pack | undefined;
}

/**
 * Reads the responses of a release, year by year, so that other requests have their turn.
 *
 * @param known tables of years of the release before
 * @param extra public responses that are not of the release, by path
 * @throws DamagedRelease
 */
export async function readTable(
  release: StoredRelease,
  known: ReadonlyMap<string, YearTable> = new Map(),
  extra: Iterable<readonly [string, Resource]> = [],
): Promise<Release> {
  const { root, readYear, pathOf: pathOfObject } = release;
  const open = new Map<string, Resource>(extra);
  for (const [path, stored] of Object.entries(root.public))
    open.set(path, toResource(stored, 'public', pathOfObject));
  const exams = new Map<string, Map<string, YearTable>>();
  const years = new Map<string, YearTable>();
  for (const { exam, year, index } of yearsOf(root)) {
    const table = known.get(index.sha256) ?? yearTable(await readYear(index), pathOfObject);
    years.set(index.sha256, table);
    exams.set(exam, (exams.get(exam) ?? new Map<string, YearTable>()).set(year, table));
    await nextTurn();
  }
  return { id: root.id, examples: examplesOf(exams), years, find };

  function find(target: Target): Resource | Pack | ApiErrorName {
    switch (target.kind) {
      case 'root':
      case 'malformed':
        return 'malformedUrl';
      case 'invalid-year':
        return 'invalidYear';
      case 'page':
        return open.get(target.path) ?? 'fileNotFound';
      case 'exam':
        return open.get(nameOf(target.exam)) ?? 'examNotFound';
      default:
        return findInYear(target);
    }
  }

  function findInYear(target: Extract<Target, { readonly year: string }>) {
    const ofExam = exams.get(target.exam);
    if (!ofExam) return 'examNotFound';
    const year = ofExam.get(target.year);
    if (!year) return 'yearNotFound';
    const path = pathOf(target.exam, target.year);
    if (target.kind === 'year') return open.get(path) ?? 'yearNotFound';
    if (target.kind === 'questions') return open.get(`${path}/questions.json`) ?? 'fileNotFound';
    if (target.kind === 'pack' && target.shift === 'all') return year.pack ?? 'fileNotFound';
    const shift = year.shifts.get(target.shift);
    if (!shift) return 'shiftNotFound';
    if (target.kind === 'pack') return shift.pack ?? 'fileNotFound';
    const files = target.kind === 'file' ? shift.files : shift.diagrams;
    return files.get(nameOf(target.file)) ?? 'fileNotFound';
  }
}

const diagramsFolder = 'diagrams/';

function yearTable(index: YearIndex, pathOf: Variant['pathOf']): YearTable {
  const { exam, year, aliases, list } = index;
  const folder = `${exam}/${year}`;
  const common: PackedFile[] = list
    ? [[`${folder}/index.json`, list, toResource(list, 'protected', pathOf)]]
    : [];
  const all = [...common];
  const byName = new Map<string, Shift>();
  for (const [name, stored] of Object.entries(index.shifts)) {
    const files = new Map<string, Resource>();
    const diagrams = new Map<string, Resource>();
    const packed: PackedFile[] = [];
    for (const [file, resource] of Object.entries(stored)) {
      const served = toResource(resource, 'protected', pathOf);
      if (file.startsWith(diagramsFolder)) diagrams.set(file.slice(diagramsFolder.length), served);
      else files.set(file, served);
      packed.push([`${folder}/${name}/${file}`, resource, served]);
    }
    all.push(...packed);
    byName.set(name, { files, diagrams, pack: packOf([...common, ...packed]) });
  }
  const shifts = new Map<string, Shift>();
  for (const [alias, name] of Object.entries(aliases)) {
    const shift = byName.get(name);
    if (shift) shifts.set(alias, shift);
  }
  return { shifts, pack: packOf(all) };

  // Releases of the format before have no lists, and no checksums for ZIP files.
  function packOf(files: readonly PackedFile[]): Pack | undefined {
    return list && createPack(files);
  }
}

/** The first shift of the newest year of the last exam, by its ordinal. */
function examplesOf(exams: ReadonlyMap<string, ReadonlyMap<string, YearTable>>) {
  const [exam, years] = [...exams].at(-1) ?? [];
  const [year, table] = [...(years ?? [])].at(-1) ?? [];
  const files = [...(table?.shifts.get('s1')?.files.keys() ?? [])];
  const open = `${exam}/${year}`;
  return { open, closed: `${open}/s1/${files.findLast((file) => /^[^.]+\.json$/.test(file))}` };
}
