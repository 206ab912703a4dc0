import type { ErrorObject } from 'ajv/dist/2020.js';
import { nearest } from '../nearest.ts';

/** A mistake that the schema found. */
export interface SchemaMistake {
  readonly error: ErrorObject;
  /** Of a property's name that is wrong the one that was meant. */
  readonly meant?: string;
  /** Of properties that are missing all of those of their object. */
  readonly missing?: readonly string[];
}

/** Keywords that judge one value: a value that breaks several of them is wrong once. */
const ofTheValue: ReadonlySet<string> = new Set([
  'type',
  'const',
  'pattern',
  'format',
  'minLength',
  'maxLength',
]);

/**
 * One mistake breaks several keywords at times: a wrong type also its discriminator, a number in the place
 * of a word also its enumeration, a date its pattern and its format.
 */
export function onePerMistake(errors: readonly ErrorObject[]): ErrorObject[] {
  const listed = new Set(
    errors.filter(({ keyword }) => keyword === 'enum').map(({ instancePath }) => instancePath),
  );
  const ofWrongItems = new Set(
    errors.flatMap(({ instancePath }) => /^(.*)\/\d+$/.exec(instancePath)?.[1] ?? []),
  );
  const tooLong = new Set(
    errors.filter(({ keyword }) => keyword === 'maxItems').map(({ instancePath }) => instancePath),
  );
  const mistakes = new Map<string, ErrorObject>();
  for (const error of errors) {
    const { keyword, instancePath: place, params } = error;
    if (keyword === 'discriminator' || (listed.has(place) && keyword !== 'enum')) continue;
    // A list whose items are wrong may well be too short; of one that is too long, no item matters.
    if (keyword === 'minItems' && ofWrongItems.has(place)) continue;
    if (tooLong.has(/^.*\/options(?=\/)/.exec(place)?.[0] ?? '')) continue;
    const mistake = `${place} ${ofTheValue.has(keyword) ? '' : keyword + JSON.stringify(params)}`;
    if (!mistakes.has(mistake)) mistakes.set(mistake, error);
  }
  return [...mistakes.values()];
}

/**
 * A property under a wrong name is unknown, and missing under the right one: that is one mistake. Two names
 * belong together when they are alike, or when an object has one of each kind and no more.
 */
export function withoutRenamed(errors: readonly ErrorObject[]): SchemaMistake[] {
  const missing = new Map<string, Set<string>>();
  const unknown = new Map<string, number>();
  for (const { keyword, instancePath, params } of errors) {
    if (keyword === 'required') setOf(missing, instancePath).add(params['missingProperty']);
    if (keyword === 'additionalProperties') unknown.set(instancePath, (unknown.get(instancePath) ?? 0) + 1);
  }
  const mistakes = errors.map((error): SchemaMistake => {
    if (error.keyword !== 'additionalProperties') return { error };
    const lost = setOf(missing, error.instancePath);
    const onlyOne = lost.size === 1 && unknown.get(error.instancePath) === 1 ? [...lost][0] : undefined;
    const meant = meantName(error, lost) ?? onlyOne;
    return meant === undefined ? { error } : { error, meant };
  });
  const renamed = new Set(
    mistakes.map(({ error, meant }) => (meant === undefined ? '' : `${error.instancePath} ${meant}`)),
  );
  return withMissing(
    mistakes.filter(
      ({ error }) =>
        error.keyword !== 'required' ||
        !renamed.has(`${error.instancePath} ${error.params['missingProperty']}`),
    ),
  );
}

/** What is missing in an object is told at once. */
function withMissing(mistakes: readonly SchemaMistake[]): SchemaMistake[] {
  const missing = new Map<string, string[]>();
  return mistakes.flatMap((mistake) => {
    const { keyword, instancePath, params } = mistake.error;
    if (keyword !== 'required') return [mistake];
    const name: string = params['missingProperty'];
    const known = missing.get(instancePath);
    if (known) {
      known.push(name);
      return [];
    }
    const names = [name];
    missing.set(instancePath, names);
    return [{ ...mistake, missing: names }];
  });
}

/** A property that is missing comes before others that the name is like. */
function meantName(error: ErrorObject, lost: ReadonlySet<string>): string | undefined {
  const written: string = error.params['additionalProperty'];
  return nearest(written, lost) ?? nearest(written, knownNames(error));
}

/** The properties that belong where one was found that does not. */
export function knownNames(error: ErrorObject): readonly string[] {
  return Object.keys(error.parentSchema?.['properties'] ?? {});
}

function setOf(sets: Map<string, Set<string>>, key: string): Set<string> {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set);
  return set;
}
