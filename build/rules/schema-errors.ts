import type { ErrorObject } from 'ajv/dist/2020.js';
import type { QuestionType } from '../release/resources.ts';
import { nearest } from './names.ts';
import type { Finding } from './rule.ts';

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

/** What the schema says of a question whose options and answer do not go with its type. */
interface Branch {
  options?: ErrorObject;
  answer?: ErrorObject;
}

/**
 * Questions whose options and answer both go with another type: the type is the mistake, and not they.
 *
 * @param errors all that the schema says of a subject file
 * @returns what is told of those questions, and the errors that are left
 */
export function wrongTypes(
  path: string,
  errors: readonly ErrorObject[],
): { readonly findings: readonly Finding[]; readonly errors: readonly ErrorObject[] } {
  const findings: Finding[] = [];
  const settled = new Set<string>();
  for (const [pointer, { options, answer }] of branches(errors)) {
    const right = rightType(options?.data, answer?.data);
    if (!right) continue;
    settled.add(pointer);
    findings.push({
      path,
      pointer: `${pointer}/type`,
      message: `The options and the answer of this question are those of the type ${right}.`,
      suggestion: right,
    });
  }
  return { findings, errors: errors.filter(({ instancePath }) => !settled.has(typedQuestion(instancePath))) };
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

/** The pointer to the question, of a place whose form depends on its type; '' for other places. */
function typedQuestion(pointer: string): string {
  return /^(\/questions\/\d+)\/(?:options|answer|accepted(?:\/\d+)?)$/.exec(pointer)?.[1] ?? '';
}

function rightType(options: unknown, answer: unknown): QuestionType | undefined {
  if (!Array.isArray(options) || typeof answer !== 'string') return undefined;
  if (options.length === 0) return /^-?[0-9]+(\.[0-9]+)?$/.test(answer) ? 'numerical' : undefined;
  if (/^[A-Z]$/.test(answer)) return 'mcq';
  return /^[A-Z](,[A-Z])+$/.test(answer) ? 'msq' : undefined;
}
