/** Groups the errors of ajv by the mistakes that cause them: one mistake often breaks several keywords. */
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { QuestionType } from '../release/resources.ts';
import { nearest } from './names.ts';
import type { Finding } from './rule.ts';

/** A mistake that breaks the schema. */
export interface SchemaMistake {
  readonly error: ErrorObject;
  /** The name that was meant by a misspelt property name. */
  readonly meant?: string;
  /** All missing properties of the object. */
  readonly missing?: readonly string[];
}

/** Keywords on a single value: one that breaks several of them is one mistake. */
const valueKeywords: ReadonlySet<string> = new Set([
  'type',
  'const',
  'pattern',
  'format',
  'minLength',
  'maxLength',
]);

/**
 * Drops errors that follow from another: a wrong type also breaks the discriminator, a number instead of a word also the
 * enumeration, a wrong date its pattern and its format.
 */
export function withoutFollowing(errors: readonly ErrorObject[]): ErrorObject[] {
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
    // The number of items matters more than the items where there are too many, and less where there are too few.
    if (keyword === 'minItems' && ofWrongItems.has(place)) continue;
    if (tooLong.has(/^.*\/options(?=\/)/.exec(place)?.[0] ?? '')) continue;
    const mistake = `${place} ${valueKeywords.has(keyword) ? '' : keyword + JSON.stringify(params)}`;
    if (!mistakes.has(mistake)) mistakes.set(mistake, error);
  }
  return [...mistakes.values()];
}

/**
 * Joins errors about property names. A misspelt name is an unknown property and a missing one: two names belong together
 * when they are similar, or when they are the only ones of their object. All missing properties of an object are one
 * mistake.
 */
export function withNamesJoined(errors: readonly ErrorObject[]): SchemaMistake[] {
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
  return joinMissing(
    mistakes.filter(
      ({ error }) =>
        error.keyword !== 'required' ||
        !renamed.has(`${error.instancePath} ${error.params['missingProperty']}`),
    ),
  );
}

function joinMissing(mistakes: readonly SchemaMistake[]): SchemaMistake[] {
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

/** A missing property is preferred to others with a similar name. */
function meantName(error: ErrorObject, lost: ReadonlySet<string>): string | undefined {
  const written: string = error.params['additionalProperty'];
  return nearest(written, lost) ?? nearest(written, knownNames(error));
}

/** The properties that the object of an unknown one may have. */
export function knownNames(error: ErrorObject): readonly string[] {
  return Object.keys(error.parentSchema?.['properties'] ?? {});
}

function setOf(sets: Map<string, Set<string>>, key: string): Set<string> {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set);
  return set;
}

/** Errors of a question whose options and answer do not match its type. */
interface Branch {
  options?: ErrorObject;
  answer?: ErrorObject;
}

/**
 * Finds questions whose options and answer both match another type: the mistake is the type.
 *
 * @param errors of a subject file
 * @returns a finding for each of those questions, and the errors that remain
 */
export function wrongTypes(
  path: string,
  errors: readonly ErrorObject[],
): { readonly findings: readonly Finding[]; readonly errors: readonly ErrorObject[] } {
  const findings: Finding[] = [];
  const done = new Set<string>();
  for (const [pointer, { options, answer }] of branches(errors)) {
    const right = rightType(options?.data, answer?.data);
    if (!right) continue;
    done.add(pointer);
    findings.push({
      path,
      pointer: `${pointer}/type`,
      message: `The options and the answer of this question match the type ${right}.`,
      suggestion: right,
    });
  }
  return { findings, errors: errors.filter(({ instancePath }) => !done.has(typedQuestion(instancePath))) };
}

function branches(errors: readonly ErrorObject[]): Map<string, Branch> {
  const found = new Map<string, Branch>();
  for (const error of errors) {
    const { keyword, instancePath } = error;
    const pointer = typedQuestion(instancePath);
    if (pointer === '') continue;
    const branch = found.get(pointer) ?? {};
    found.set(pointer, branch);
    if (instancePath.endsWith('/options') && /^m(in|ax)Items$/.test(keyword)) branch.options = error;
    if (instancePath.endsWith('/answer') && keyword === 'pattern') branch.answer = error;
  }
  return found;
}

/** The pointer to the question of a property whose schema depends on the question's type; '' for others. */
function typedQuestion(pointer: string): string {
  return /^(\/questions\/\d+)\/(?:options|answer|accepted(?:\/\d+)?)$/.exec(pointer)?.[1] ?? '';
}

function rightType(options: unknown, answer: unknown): QuestionType | undefined {
  if (!Array.isArray(options) || typeof answer !== 'string') return undefined;
  if (options.length === 0) return /^-?[0-9]+(\.[0-9]+)?$/.test(answer) ? 'numerical' : undefined;
  if (/^[A-Z]$/.test(answer)) return 'mcq';
  return /^[A-Z](,[A-Z])+$/.test(answer) ? 'msq' : undefined;
}
