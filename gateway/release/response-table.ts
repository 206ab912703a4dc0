/** The responses of a release, in memory, by the target of a request. The bodies stay on disk. */
import type { ApiErrorName } from '../../build/release/errors.ts';
import {
  anyOrigin,
  cacheControl,
  documentHeaders,
  entityTag,
  everyResponse,
  vary,
} from '../../build/release/headers.ts';
import type {
  Manifest,
  Resources,
  ShiftAliases,
  StoredResource,
  StoredVariant,
} from '../../build/release/manifest.ts';
import { type Fields, toFields } from '../http.ts';
import { nameOf, pathOf, type Target } from '../target.ts';

export interface Release {
  readonly id: string;
  /** URL paths of example requests: one public, one that needs a key. */
  readonly examples: { readonly open: string; readonly closed: string };
  /** The resource of a target, or why there is none. */
  find(target: Target): Resource | ApiErrorName;
}

/** A response, with everything that does not depend on the request. */
export interface Resource {
  readonly identity: Variant;
  readonly br: Variant | undefined;
  readonly gzip: Variant | undefined;
}

/** The content codings that a release stores responses in (RFC 9110, 8.4.1). */
export type Coding = 'br' | 'gzip' | 'identity';

export interface Variant {
  /** The folder of the release, and the file's path in it. */
  readonly folder: string;
  readonly file: string;
  /** Bytes. */
  readonly size: number;
  readonly etag: string;
  readonly kind: Kind;
}

/** The header fields that all variants of one media type, coding and access share. */
interface Kind {
  /** Of a 200, apart from `ETag` and `Content-Length`. */
  readonly fields: Fields;
  /** Of a 304: those of the 200 that RFC 9110, 15.4.5 requires, apart from `ETag`. */
  readonly validators: Fields;
}

type Access = 'public' | 'protected';

/** A part of a manifest. Shifts come before the resources. */
export type ManifestPart =
  | {
      readonly kind: 'shifts';
      readonly exam: string;
      readonly year: string;
      readonly aliases: ShiftAliases;
    }
  | {
      readonly kind: 'resources';
      readonly access: Access;
      readonly entries: readonly (readonly [path: string, stored: StoredResource])[];
    };

/** Resources in one part: adding them takes a millisecond or two. */
const resourcesPerPart = 250;

/** Splits a manifest, so that adding a large one does not block requests. */
export function* manifestParts(manifest: Manifest): Generator<ManifestPart> {
  for (const [exam, years] of Object.entries(manifest.shifts)) {
    for (const [year, aliases] of Object.entries(years))
      yield { kind: 'shifts', exam, year, aliases };
  }
  yield* resourceParts(manifest.public, 'public');
  yield* resourceParts(manifest.protected, 'protected');
}

function* resourceParts(resources: Resources, access: Access): Generator<ManifestPart> {
  const entries = Object.entries(resources);
  for (let start = 0; start < entries.length; start += resourcesPerPart) {
    yield { kind: 'resources', access, entries: entries.slice(start, start + resourcesPerPart) };
  }
}

interface Shift {
  /** By name. */
  readonly files: Map<string, Resource>;
  readonly diagrams: Map<string, Resource>;
}

/** Maps, not objects: a request for `__proto__` finds nothing. */
export class ResponseTable {
  readonly #folder: string;
  readonly #public = new Map<string, Resource>();
  /** By exam, year, and every accepted spelling of a shift. */
  readonly #exams = new Map<string, Map<string, Map<string, Shift>>>();

  /** @param folder of the release */
  constructor(folder: string) {
    this.#folder = folder;
  }

  add(part: ManifestPart): void {
    if (part.kind === 'shifts') {
      this.#addShifts(part.exam, part.year, part.aliases);
      return;
    }
    for (const [path, stored] of part.entries) {
      const resource = toResource(this.#folder, stored, part.access);
      if (part.access === 'public') this.#public.set(path, resource);
      else this.#addProtected(path, resource);
    }
  }

  /** The release, once all parts have been added. */
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

  /** The first shift of the newest year of the last exam, by its ordinal. */
  #examples(): Release['examples'] {
    const [exam, years] = [...this.#exams].at(-1) ?? [];
    const [year, spellings] = [...(years ?? [])].at(-1) ?? [];
    const files = [...(spellings?.get('s1')?.files.keys() ?? [])];
    const open = `${exam}/${year}`;
    return { open, closed: `${open}/s1/${files.findLast((file) => file.endsWith('.json'))}` };
  }
}

/** @param folder of the release */
function toResource(folder: string, stored: StoredResource, access: Access): Resource {
  const { mediaType, br, gzip, identity } = stored;
  return {
    identity: toVariant(folder, identity, kindOf(mediaType, 'identity', access)),
    br: br && toVariant(folder, br, kindOf(mediaType, 'br', access)),
    gzip: gzip && toVariant(folder, gzip, kindOf(mediaType, 'gzip', access)),
  };
}

function toVariant(folder: string, { file, size, sha256 }: StoredVariant, kind: Kind): Variant {
  // Through a buffer, so that the tag is a string of its own and not a slice that keeps a longer one in memory.
  const etag = Buffer.from(entityTag(sha256), 'latin1').toString('latin1');
  return { folder, file, size, etag, kind };
}

const kinds = new Map<string, Kind>();

function kindOf(mediaType: string, coding: Coding, access: Access): Kind {
  const name = `${access} ${coding} ${mediaType}`;
  const kind = kinds.get(name) ?? createKind(mediaType, coding, access);
  kinds.set(name, kind);
  return kind;
}

function createKind(mediaType: string, coding: Coding, access: Access): Kind {
  const validators = {
    ...everyResponse,
    'Cache-Control': cacheControl[access],
    Vary: vary[access],
    ...(access === 'public' && anyOrigin),
  };
  return {
    validators: toFields(validators),
    fields: toFields({
      'Content-Type': mediaType,
      ...(coding !== 'identity' && { 'Content-Encoding': coding }),
      ...documentHeaders(mediaType),
      ...validators,
    }),
  };
}
