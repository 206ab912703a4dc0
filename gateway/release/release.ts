import type { ApiErrorName } from '../../build/release/errors.ts';
import type { ShiftAliases, StoredResource } from '../../build/release/manifest.ts';
import { nameOf, pathOf, type Target } from '../target.ts';
import { type Access, type Resource, toResource } from './resource.ts';

/** A release in memory: where every answer stands. The bodies stay on disk. */
export interface Release {
  readonly id: string;
  /** URL paths to try the release with: one that anyone may read, one that needs a key. */
  readonly examples: { readonly open: string; readonly closed: string };
  /** The answer to a target, or why there is none. */
  find(target: Target): Resource | ApiErrorName;
}

/** A piece of a manifest: large ones are taken up piece by piece. Shifts come before the resources. */
export type ReleasePiece =
  | { readonly kind: 'shifts'; readonly exam: string; readonly year: string; readonly aliases: ShiftAliases }
  | {
      readonly kind: 'resources';
      readonly access: Access;
      readonly entries: readonly (readonly [path: string, stored: StoredResource])[];
    };

interface Shift {
  /** By their names. */
  readonly files: Map<string, Resource>;
  readonly diagrams: Map<string, Resource>;
}

/** Maps, not objects: a request for `__proto__` finds nothing. */
export class ReleaseTables {
  readonly #folder: string;
  readonly #public = new Map<string, Resource>();
  /** By exam and year: every accepted spelling of a shift. */
  readonly #exams = new Map<string, Map<string, Map<string, Shift>>>();

  /** @param folder of the release */
  constructor(folder: string) {
    this.#folder = folder;
  }

  add(piece: ReleasePiece): void {
    if (piece.kind === 'shifts') {
      this.#addShifts(piece.exam, piece.year, piece.aliases);
      return;
    }
    for (const [path, stored] of piece.entries) {
      const resource = toResource(this.#folder, stored, piece.access);
      if (piece.access === 'public') this.#public.set(path, resource);
      else this.#addProtected(path, resource);
    }
  }

  /** The release, when all of its pieces have been added. */
  release(id: string): Release {
    return { id, examples: this.#examples(), find: (target) => this.#find(target) };
  }

  #addShifts(exam: string, year: string, aliases: ShiftAliases): void {
    const shifts = new Map<string, Shift>();
    for (const name of new Set(Object.values(aliases))) {
      shifts.set(name, { files: new Map(), diagrams: new Map() });
    }
    const spellings = new Map<string, Shift>();
    for (const [alias, name] of Object.entries(aliases)) {
      const shift = shifts.get(name);
      if (shift) spellings.set(alias, shift);
    }
    const years = this.#exams.get(exam) ?? new Map<string, Map<string, Shift>>();
    this.#exams.set(exam, years.set(year, spellings));
  }

  #addProtected(path: string, resource: Resource): void {
    const [exam = '', year = '', name = '', fourth = '', fifth] = path.split('/');
    const shift = this.#exams.get(exam)?.get(year)?.get(name);
    if (fifth === undefined) shift?.files.set(fourth, resource);
    else shift?.diagrams.set(fifth, resource);
  }

  #find(target: Target): Resource | ApiErrorName {
    switch (target.kind) {
      case 'root':
      case 'malformed':
        return 'malformedUrl';
      case 'invalid-year':
        return 'invalidYear';
      case 'page':
        return this.#public.get(target.path) ?? 'fileNotFound';
      case 'exam':
        return this.#public.get(nameOf(target.exam)) ?? 'examNotFound';
      case 'year': {
        if (!this.#exams.has(target.exam)) return 'examNotFound';
        return this.#public.get(pathOf(target.exam, target.year)) ?? 'yearNotFound';
      }
      case 'file':
      case 'diagram': {
        const years = this.#exams.get(target.exam);
        if (!years) return 'examNotFound';
        const spellings = years.get(target.year);
        if (!spellings) return 'yearNotFound';
        const shift = spellings.get(target.shift);
        if (!shift) return 'shiftNotFound';
        const files = target.kind === 'file' ? shift.files : shift.diagrams;
        return files.get(nameOf(target.file)) ?? 'fileNotFound';
      }
    }
  }

  /** The first shift of the newest year of the last exam, by its shorthand. */
  #examples(): Release['examples'] {
    const [exam, years] = [...this.#exams].at(-1) ?? [];
    const [year, spellings] = [...(years ?? [])].at(-1) ?? [];
    const files = [...(spellings?.get('s1')?.files.keys() ?? [])];
    const open = `${exam}/${year}`;
    return { open, closed: `${open}/s1/${files.findLast((file) => file.endsWith('.json'))}` };
  }
}
