/** The rule on JSON Schemas: turns the errors of ajv into messages for the writer of the file. */
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { nearest } from '../command-line/nearest.js';
import { compiledModule } from '../compile.js';
import type { JsonFile, JsonKind } from '../content/file.ts';
import { escapePointer, Source } from '../content/positions.ts';
import { fieldsOf, listOf } from '../content/question.ts';
import { type Finding, firstOccurrence, groupFindings, quote, type Rule } from './rule.ts';
import { knownNames, mistakesOf, type SchemaMistake } from './schema-errors.ts';

type Validators = Readonly<Record<JsonKind, ValidateFunction>>;

/** Most files are valid: only for others, all errors are collected, which takes longer. */
export const quickValidators: Validators = await compiledModule('validators/quick');
const fullValidators: Validators = await compiledModule('validators/full');

/** A file with more values is not a paper, and a list of all its mistakes would fill the memory. */
const mostValues = 300_000;

export const schemaRule: Rule<JsonFile> = {
  name: 'schema',
  description: 'A file conforms to its JSON Schema in `content/schema/`.',
  severity: 'error',
  strict: true,
  example: { wrong: '"difficulty": "Hard"', right: '"difficulty": "hard"' },
  *check(file) {
    if (file.state !== 'parsed' || quickValidators[file.kind](file.value)) return;
    if (isTooLarge(file.value)) {
      const message = `The file does not conform to its schema, and it has more than ${mostValues} values, which is too many for a paper.`;
      yield { message };
      return;
    }
    const validate = fullValidators[file.kind];
    validate(file.value);
    const source = new Source(file.text);
    const mistakes = mistakesOf(validate.errors ?? [], (pointer) => source.written(pointer));
    const found = mistakes.map((mistake) =>
      ofKind({ ...mistake, optionKey: optionWithText(file.value, mistake.error) }),
    );
    yield* groupFindings(found, fewestGrouped, describeGroup);
  },
};

/** The key of the only option with the text that is written as the answer. */
function optionWithText(file: unknown, { instancePath, data }: ErrorObject): string | undefined {
  const [, index] = /^\/questions\/(\d+)\/answer$/.exec(instancePath) ?? [];
  if (index === undefined || typeof data !== 'string') return undefined;
  const { options } = fieldsOf(listOf(fieldsOf(file)['questions'])[Number(index)]);
  const same = listOf(options)
    .map(fieldsOf)
    .filter(({ value }) => typeof value === 'string' && value.trim() === data.trim());
  const key = same.length === 1 ? same[0]?.['key'] : undefined;
  return typeof key === 'string' ? key : undefined;
}

/** So many mistakes of one kind are one finding: a file that was converted from another format has them everywhere. */
const fewestGrouped = 11;

/** The finding of a mistake, and its kind: the same mistake in any item of a list. */
function ofKind(mistake: SchemaMistake): readonly [kind: string | undefined, finding: Finding] {
  const finding = schemaFinding(mistake);
  const { pointer = '', suggestion, certain, related } = finding;
  // `--fix` corrects each of those; and others name another place.
  if (certain || related) return [undefined, finding];
  const { keyword, params } = mistake.error;
  const place = pointer.replace(/\/\d+(?=\/|$)/g, '/*');
  const missing = mistake.missing ?? [];
  return [JSON.stringify([place, keyword, params['type'], missing, suggestion]), finding];
}

function describeGroup(
  { pointer = '', part, suggestion, message }: Finding,
  count: number,
): string {
  const [, list, name] = /([a-z]+)\/\d+\/([^/]+)$/.exec(pointer) ?? [];
  if (list === undefined || part === undefined || suggestion === undefined)
    return `${message} The file has ${count - 1} more of these.`;
  return `${count} ${list} have ${quote(name)}. The property is called "${suggestion}".`;
}

/** Whether a value has too many values for a paper. */
export function isTooLarge(value: unknown): boolean {
  const waiting = [value];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const inner = Object.values(next);
    count += inner.length;
    if (count > mostValues) return true;
    for (const item of inner) waiting.push(item);
  }
  return false;
}

function schemaFinding(mistake: SchemaMistake): Finding {
  const { error, meant, missing = [], rightType, optionKey, asText } = mistake;
  const { keyword, instancePath: pointer, params, data } = error;
  if (rightType !== undefined) {
    const message = `The options and the answer of this question match the type ${rightType}.`;
    return { pointer: pointer.replace(/[^/]*$/, 'type'), message, suggestion: rightType };
  }
  switch (keyword) {
    case 'additionalProperties': {
      const unknown: string = params['additionalProperty'];
      const message = `Unknown property ${quote(unknown)}. Known properties: ${knownNames(error).join(', ')}.`;
      return {
        pointer: `${pointer}/${escapePointer(unknown)}`,
        part: { of: 'name' },
        message,
        suggestion: meant,
      };
    }
    case 'required':
      return { pointer, message: `${properties(missing)} missing.` };
    case 'enum':
      return { pointer, ...notListed(data, params['allowedValues']) };
    case 'const':
      return {
        pointer,
        message: `Write ${JSON.stringify(params['allowedValue'])}, or leave the property out.`,
      };
    case 'pattern': {
      if (String(error.schema).startsWith('[^\\s')) return { pointer, message: emptyText };
      if (optionKey !== undefined) {
        const message = `${quote(data)} is the text of option ${optionKey}. Write its key.`;
        return { pointer, message, suggestion: optionKey };
      }
      const suggestion = nearMiss(data as string, error.schema as string);
      const certain = isSameValue(pointer, data as string, suggestion);
      return {
        pointer,
        message: `${quote(data)} has the wrong format. ${describe(error)}`,
        suggestion,
        certain,
      };
    }
    case 'uniqueItems': {
      const [first = 0, again = 0] = [params['i'], params['j']].toSorted((a, b) => a - b);
      const message = `${quote((data as readonly unknown[])[again])} is listed twice.`;
      return {
        pointer: `${pointer}/${again}`,
        message,
        related: [firstOccurrence(`${pointer}/${first}`)],
      };
    }
    default:
      return {
        pointer,
        message: valueMessage(error, asText),
        suggestion: asText,
        certain: asText !== undefined,
      };
  }
}

const emptyText = 'The text is empty.';

/** By the keyword of the schema, with the limit or the place to which a message applies. */
const keywordMessages: Readonly<Record<string, string>> = {
  format: '{value} is not a valid date and time. {description}',
  'minLength 1': emptyText,
  minLength: 'The text is shorter than {limit} characters. {description}',
  maxLength: 'The text is longer than {limit} characters.',
  'minItems /topics': 'List at least one topic, or leave the subject out.',
  'minItems questions': 'A paper needs at least one question.',
  'minItems options': 'A multiple-choice question needs at least two options.',
  'minItems accepted': 'List at least two accepted answers, or remove "accepted".',
  'minItems subjects': 'An exam needs at least one subject.',
  minItems: 'The list is too short. It must have at least {limit} items.',
  'maxItems 0': 'A question of this type has no options: write [].',
  maxItems: 'The list has more than {limit} items. Nothing in it was checked. Remove some.',
  minimum: '{value} is too small. {description}',
  exclusiveMinimum: '{value} is too small. {description}',
  maximum: '{value} is too large. {description}',
  exclusiveMaximum: '{value} is too large. {description}',
};

function valueMessage(error: ErrorObject, asText: string | undefined): string {
  const { keyword, params, data, message, instancePath } = error;
  if (keyword === 'type')
    return typeMessage(data, String(params['type']).replace(/,.*/, ''), asText);
  const [, list] = instancePath.split('/');
  const place = instancePath.slice(instancePath.lastIndexOf('/') + 1);
  const names = [
    `${keyword} ${place}`,
    `${keyword} /${list}`,
    `${keyword} ${params['limit']}`,
    keyword,
  ];
  const template = names.map((name) => keywordMessages[name]).find((text) => text !== undefined);
  return (template ?? `This ${message}.`)
    .replace('{limit}', params['limit'])
    .replace('{value}', () => quote(data))
    .replace('{description}', () => describe(error));
}

/** @param type of JSON, that the schema asks for */
function typeMessage(value: unknown, type: string, asText?: string): string {
  if (type === 'array') return 'Write a list in square brackets: [...].';
  if (type === 'object')
    return 'Write this in braces, with a name before each value: { "...": ... }.';
  const isText = typeof value === 'string';
  if (type === 'boolean') return 'Write true or false, without quotation marks.';
  if (type === 'number' || type === 'integer') {
    const number =
      isText && value.trim() !== '' && Number.isFinite(Number(value)) ? `: ${Number(value)}` : '';
    return isText ? `Write the number without quotation marks${number}.` : 'Write a number.';
  }
  if (typeof value === 'number') return `Put the number in quotation marks: "${asText ?? value}".`;
  if (typeof value === 'boolean') return `Put the word in quotation marks: "${value}".`;
  return 'Write a text in quotation marks: "...".';
}

function properties(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  const last = quoted.pop();
  return quoted.length === 0
    ? `The property ${last} is`
    : `The properties ${quoted.join(', ')} and ${last} are`;
}

function notListed(value: unknown, listed: readonly string[]): Finding {
  const text = typeof value === 'string' ? value : '';
  const suggestion = nearest(text, listed);
  const message =
    suggestion !== undefined && suggestion === text.toLowerCase()
      ? `Write "${suggestion}", not ${quote(value)}: upper and lower case differ.`
      : `${quote(value)} is not one of ${listed.join(', ')}.`;
  return { message, suggestion, certain: suggestion === text.trim().toLowerCase() };
}

/** The description of the expected value in the schema. */
function describe(error: ErrorObject): string {
  return error.parentSchema?.['description'] ?? '';
}

/**
 * The correct form of a value that is almost correct: a number with a typographic minus, keys in lower case or in
 * brackets, a file name with spaces; undefined when no such correction matches.
 *
 * @param pattern of the schema, which the value does not match
 */
function nearMiss(written: string, pattern: string): string | undefined {
  if (written.length > longestNearMiss) return undefined;
  const expected = new RegExp(pattern, 'u');
  const text = written.trim();
  const candidates = [text, plainNumber(text), ...keys(text), fileName(text)];
  return candidates.find((candidate) => candidate !== written && expected.test(candidate));
}

const longestNearMiss = 100;

/** `−2.5`, `+2`, `2,5`, `.5`, `007`, `12.` */
function plainNumber(text: string): string {
  return text
    .replace(/^[−–]/, '-')
    .replace(/^\+/, '')
    .replace(/^(-?\d+),(?=(?:\d{1,2}|\d{4,})$)/, '$1.')
    .replace(/^(-?)\./, '$10.')
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/\.$/, '')
    .replace(/^-(0(?:\.0+)?)$/, '$1');
}

/**
 * Whether a value can only mean its correct form: an answer with the same keys in the same order, or with the same number; a
 * diagram whose extension is in capitals.
 */
function isSameValue(pointer: string, written: string, right = ''): boolean {
  if (/\/(?:diagrams\/\d+|diagram)\/file$/.test(pointer))
    return written.toLowerCase() === right.toLowerCase();
  if (!/\/(?:answer|accepted\/\d+|options\/\d+\/key)$/.test(pointer)) return false;
  return (
    written.replace(/[\s()[\].]/g, '').toUpperCase() === right ||
    plainNumber(written.trim()) === right
  );
}

/** `a`, `(a)`, `A.`, `C, A`, `A and C`, `AC` */
function keys(text: string): string[] {
  const separate = text.replace(/\b(?:and|or)\b/gi, ' ').replace(/[^\p{L}\p{N}]+/gu, ' ');
  const named = separate.trim().toUpperCase().split(' ');
  const together = /^[A-Z]{2,4}$/.test(text) ? [...text] : [];
  return [[text.toUpperCase()], named, together].map((list) => [...new Set(list)].sort().join(','));
}

/** `q 1.PNG` */
function fileName(text: string): string {
  return text.replace(/\s+/g, '-').replace(/\.[A-Z]+$/, (extension) => extension.toLowerCase());
}
