/** Groups the errors of ajv by the mistakes that cause them: one mistake often breaks several keywords. */
import type { ErrorObject } from 'ajv/dist/2020.js';
import { nearest } from '../command-line/nearest.js';
import { groupBy } from '../content/groups.ts';
import type { Question } from '../content/written.ts';

/** A mistake that breaks the schema. */
export interface SchemaMistake {
  readonly error: ErrorObject;
  /** The name that was meant by a misspelt property name. */
  readonly meant?: string | undefined;
  /** The key of the option whose text is written where a key belongs. */
  readonly optionKey?: string | undefined;
  /** A number as it is written, where a text of that form belongs. */
  readonly asText?: string | undefined;
  /** All missing properties of the object. */
  readonly missing?: readonly string[];
  /** The type that the options and the answer of a question match. */
  readonly rightType?: Question['type'];
}

/**
 * The mistakes in a file, from all its errors.
 *
 * @param written returns the text of the value that a JSON pointer names
 */
export function mistakesOf(
  errors: readonly ErrorObject[],
  written: (pointer: string) => string,
): SchemaMistake[] {
  const byPlace = groupBy(errors, ({ instancePath }) => instancePath);
  const wrongTypes = wrongTypesOf(byPlace);
  // The number of items matters more than the items where there are too many, and less where there are too few.
  const isTooLong = (place: string) =>
    byPlace.get(place)?.some(({ keyword }) => keyword === 'maxItems');
  const withWrongItems = new Set(
    [...byPlace.keys()].map((place) => /^(.*)\/\d+$/.exec(place)?.[1]),
  );
  const mistakes = [...byPlace].flatMap(([place, ofPlace]) => {
    if (wrongTypes.has(typedQuestion(place))) return [];
    if (isTooLong(/^.*\/(?:options|accepted|diagrams)(?=\/)/.exec(place)?.[0] ?? '')) return [];
    return mistakesAt(ofPlace, written).filter(
      ({ error }) => error.keyword !== 'minItems' || !withWrongItems.has(place),
    );
  });
  return [...wrongTypes.values(), ...mistakes];
}

/** Keywords on a single value: one that breaks several of them is one mistake. */
const valueKeywords = new Set(['type', 'const', 'pattern', 'format', 'minLength', 'maxLength']);

/** Keywords whose errors are part of another mistake. */
const otherKeywords = new Set(['discriminator', 'required', 'additionalProperties', 'if']);

/**
 * The mistakes in one value. A wrong type also breaks the discriminator, a number instead of a word also the enumeration,
 * a wrong date its pattern and its format.
 */
function mistakesAt(
  errors: readonly ErrorObject[],
  written: (pointer: string) => string,
): SchemaMistake[] {
  const listed = errors.find(({ keyword }) => keyword === 'enum');
  if (listed) return [{ error: listed }];
  const value = errors.find(({ keyword }) => valueKeywords.has(keyword));
  const others = new Map(
    errors
      .filter(({ keyword }) => !valueKeywords.has(keyword) && !otherKeywords.has(keyword))
      .map((error) => [`${error.keyword} ${JSON.stringify(error.params)}`, error]),
  );
  return [
    ...(value ? [{ error: value, asText: numberAsText(errors, written) }] : []),
    ...Array.from(others.values(), (error) => ({ error })),
    ...nameMistakes(errors),
  ];
}

/**
 * A number with the digits of the file, as the text that the schema of its place asks for by a pattern; undefined if it
 * asks for another.
 */
function numberAsText(
  errors: readonly ErrorObject[],
  written: (pointer: string) => string,
): string | undefined {
  const [error] = errors;
  if (typeof error?.data !== 'number') return undefined;
  const text = written(error.instancePath);
  const patterns = errors.flatMap(({ parentSchema }) => parentSchema?.['pattern'] ?? []);
  // A text that only must not be empty is no number.
  return patterns.some(
    (pattern) => !pattern.startsWith('[^') && new RegExp(pattern, 'u').test(text),
  )
    ? text
    : undefined;
}

/**
 * Mistakes in the property names of an object. A misspelt name is an unknown property and a missing one: two names belong
 * together when they are similar, or when they are the only ones. All missing properties are one mistake.
 */
function nameMistakes(errors: readonly ErrorObject[]): SchemaMistake[] {
  const unknown = errors.filter(({ keyword }) => keyword === 'additionalProperties');
  const required = errors.filter(({ keyword }) => keyword === 'required');
  const missing = new Set<string>(required.map(({ params }) => params['missingProperty']));
  const [onlyOne] = unknown.length === 1 && missing.size === 1 ? missing : [];
  const misspelt = unknown.map((error): SchemaMistake => {
    const written: string = error.params['additionalProperty'];
    return {
      error,
      meant:
        nearest(written, missing) ??
        nearest(written, knownNames(error)) ??
        otherName(written, missing) ??
        onlyOne,
    };
  });
  for (const { meant = '' } of misspelt) missing.delete(meant);
  const [error] = required;
  return error && missing.size > 0 ? [...misspelt, { error, missing: [...missing] }] : misspelt;
}

/** What other formats call our properties. */
const otherNames = new Map(
  Object.entries({
    text: 'question',
    stem: 'question',
    prompt: 'question',
    body: 'question',
    choices: 'options',
    alternatives: 'options',
    answers: 'options',
    correct: 'answer',
    correctanswer: 'answer',
    correctoption: 'answer',
    key: 'answer',
    kind: 'type',
    questiontype: 'type',
    chapter: 'topic',
    category: 'topic',
    level: 'difficulty',
    updated: 'lastUpdated',
    updatedat: 'lastUpdated',
    items: 'questions',
  }),
);

/** The missing property that another format calls by this name. */
function otherName(written: string, missing: ReadonlySet<string>): string | undefined {
  const name = otherNames.get(written.toLowerCase().replace(/[-_ ]/g, ''));
  return name !== undefined && missing.has(name) ? name : undefined;
}

/** The properties that the object of an unknown one may have. */
export function knownNames(error: ErrorObject): readonly string[] {
  return Object.keys(error.parentSchema?.['properties'] ?? {});
}

/** Questions whose options and answer both match another type, by their pointers: the mistake is the type. */
function wrongTypesOf(
  byPlace: ReadonlyMap<string, readonly ErrorObject[]>,
): Map<string, SchemaMistake> {
  const found = new Map<string, SchemaMistake>();
  for (const [place, errors] of byPlace) {
    const pointer = typedQuestion(place);
    const error = errors.find(({ keyword }) => keyword === 'pattern');
    const options = byPlace
      .get(`${pointer}/options`)
      ?.findLast(({ keyword }) => /^m(?:in|ax)Items$/.test(keyword));
    if (place !== `${pointer}/answer` || !error || !options) continue;
    const rightType = typeOf(options.data as readonly unknown[], error.data as string);
    if (rightType) found.set(pointer, { error, rightType });
  }
  return found;
}

/** The pointer to the question of a property whose schema depends on the question's type; '' for others. */
function typedQuestion(place: string): string {
  return /^(\/questions\/\d+)\/(?:options|answer|accepted(?:\/\d+)?)$/.exec(place)?.[1] ?? '';
}

function typeOf(options: readonly unknown[], answer: string): Question['type'] | undefined {
  if (options.length === 0) return /^-?[0-9]+(\.[0-9]+)?$/.test(answer) ? 'numerical' : undefined;
  if (/^[A-Z]$/.test(answer)) return 'mcq';
  return /^[A-Z](,[A-Z])+$/.test(answer) ? 'msq' : undefined;
}
