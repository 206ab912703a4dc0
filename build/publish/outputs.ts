import type { CompiledExam, CompiledShift } from '../compile/compile.ts';
import type { ReleaseTables } from '../release/manifest.ts';

/** One answer to be stored: where a request finds it, where it stands in the release, and its bytes. */
export interface Output {
  /** Whether it needs a key; the two kinds stand in trees of their own. */
  readonly access: 'public' | 'protected';
  /** URL path without slashes at its ends. */
  readonly path: string;
  /** Path inside the release. */
  readonly file: string;
  readonly mediaType: string;
  /** The bytes, or the content file that they are copied from. */
  readonly body: Buffer | { readonly contentPath: string };
}

const json = 'application/json; charset=utf-8';

/** Every answer of the API that the bank holds. */
export function* bankOutputs(exams: readonly CompiledExam[]): Generator<Output> {
  for (const { resource, years } of exams) {
    yield publicJson(resource.exam, resource);
    for (const { resource: yearResource, shifts } of years) {
      const path = `${resource.exam}/${yearResource.year}`;
      yield publicJson(path, yearResource);
      for (const shift of shifts) yield* shiftOutputs(`${path}/${shift.shift}`, shift);
    }
  }
}

/** The aliases of each exam's years, as the manifest holds them. */
export function shiftTables(exams: readonly CompiledExam[]): ReleaseTables['shifts'] {
  return Object.fromEntries(
    exams.map(({ resource, years }) => [
      resource.exam,
      Object.fromEntries(years.map(({ resource: { year }, aliases }) => [year, Object.fromEntries(aliases)])),
    ]),
  );
}

function* shiftOutputs(folder: string, { files, diagrams }: CompiledShift): Generator<Output> {
  for (const file of files) {
    const path = `${folder}/${file.subject}.json`;
    yield { access: 'protected', path, file: `protected/${path}`, mediaType: json, body: bytesOf(file) };
  }
  for (const { file, path: contentPath, image } of diagrams) {
    if ('fault' in image) throw new Error(`The checks let ${contentPath} pass, which is no image.`);
    const path = `${folder}/diagrams/${file}`;
    yield {
      access: 'protected',
      path,
      file: `protected/${path}`,
      mediaType: image.mediaType,
      body: { contentPath },
    };
  }
}

/** A folder's index file, so that `neet` and `neet/2024` can both be served from one tree. */
function publicJson(path: string, resource: unknown): Output {
  return {
    access: 'public',
    path,
    file: `public/${path}/index.json`,
    mediaType: json,
    body: bytesOf(resource),
  };
}

function bytesOf(resource: unknown): Buffer {
  return Buffer.from(JSON.stringify(resource));
}
