import type { ReleaseTables } from '../release/manifest.ts';
import { type ResourceName, resources } from '../validators.ts';
import type { CompiledExam } from './exams.ts';

/** One public answer to be stored: where a request finds it, where it stands in the release, and its bytes. */
export interface Output {
  /** URL path without slashes at its ends. */
  readonly path: string;
  /** Path inside the release. */
  readonly file: string;
  readonly mediaType: string;
  readonly body: Buffer;
}

export const jsonType = 'application/json; charset=utf-8';

/**
 * The answers of the API that need no key.
 *
 * @throws Error when one is not as the API describes it
 */
export function* bankOutputs(exams: readonly CompiledExam[]): Generator<Output> {
  for (const { resource, years } of exams) {
    checkDescribed('ExamYears', resource.exam, resource);
    yield jsonOutput(resource.exam, resource);
    for (const { resource: year } of years) {
      const path = `${resource.exam}/${year.year}`;
      checkDescribed('YearShifts', path, year);
      yield jsonOutput(path, year);
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

/** Where an answer that needs a key stands in the release. */
export function protectedFile(path: string): string {
  return `protected/${path}`;
}

/** A folder's index file, so that `neet` and `neet/2024` can both be served from one tree. */
function jsonOutput(path: string, resource: unknown): Output {
  return {
    path,
    file: `public/${path}/index.json`,
    mediaType: jsonType,
    body: Buffer.from(JSON.stringify(resource)),
  };
}

/**
 * Validates a response against the API's own description before it is published.
 *
 * @param path of the URL, for the message
 * @throws Error when the response is not as described: a fault of the build, which then publishes nothing
 */
export function checkDescribed(name: ResourceName, path: string, response: unknown): void {
  const validate = resources[name];
  if (validate(response)) return;
  const [first] = validate.errors ?? [];
  throw new Error(
    `The response to /${path} is not the ${name} that the API describes: ${first?.instancePath} ${first?.message}.`,
  );
}
