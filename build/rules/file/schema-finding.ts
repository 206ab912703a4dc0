import type { ErrorObject } from 'ajv/dist/2020.js';
import { escapePointer } from '../../content/duplicate-names.ts';
import { nearest } from '../nearest.ts';
import { quote } from '../quote.ts';
import type { Finding } from '../rule.ts';
import { nearMiss } from './near-miss.ts';
import { knownNames, type SchemaMistake } from './schema-mistakes.ts';

/** A mistake in the words of those who wrote the file. */
export function schemaFinding(path: string, { error, meant, missing = [] }: SchemaMistake): Finding {
  const at = { path, pointer: error.instancePath };
  const { params } = error;
  switch (error.keyword) {
    case 'additionalProperties': {
      const unknown: string = params['additionalProperty'];
      return {
        ...at,
        pointer: `${at.pointer}/${escapePointer(unknown)}`,
        part: { of: 'name' },
        message: `There is no property ${quote(unknown)} here; known are ${knownNames(error).join(', ')}.`,
        ...suggest(meant),
      };
    }
    case 'required':
      return { ...at, message: `${properties(missing)} missing.` };
    case 'enum':
      return { ...at, ...notListed(error.data, params['allowedValues']) };
    case 'const':
      return { ...at, message: `This is ${JSON.stringify(params['allowedValue'])} or left out.` };
    case 'type':
      return { ...at, message: `${quote(error.data)} is not of the type ${params['type']}.` };
    case 'pattern':
      return {
        ...at,
        message: `${quote(error.data)} is not of the right form. ${describe(error)}`,
        ...suggest(nearMiss(error.data as string, error.schema as string)),
      };
    case 'format':
      return { ...at, message: `${quote(error.data)} is no such moment. ${describe(error)}` };
    case 'minLength':
      return {
        ...at,
        message:
          params['limit'] === 1
            ? 'The text is empty.'
            : `The text is shorter than ${params['limit']} characters. ${describe(error)}`,
      };
    case 'maxLength':
      return { ...at, message: `The text is longer than ${params['limit']} characters.` };
    case 'minItems':
      return {
        ...at,
        message:
          params['limit'] === 1
            ? 'At least one item belongs here.'
            : `At least ${params['limit']} items belong here.`,
      };
    case 'maxItems':
      return { ...at, message: 'A numerical question has no options: write [].' };
    case 'uniqueItems': {
      const { i, j } = params as { i: number; j: number };
      const [first, again] = [Math.min(i, j), Math.max(i, j)];
      return {
        path,
        pointer: `${at.pointer}/${again}`,
        message: `The items ${first + 1} and ${again + 1} are the same.`,
        related: [{ path, pointer: `${at.pointer}/${first}`, message: 'It stands here first.' }],
      };
    }
    default:
      return { ...at, message: `This ${error.message}.` };
  }
}

function properties(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  const last = quoted.pop();
  return quoted.length === 0
    ? `The property ${last} is`
    : `The properties ${quoted.join(', ')} and ${last} are`;
}

function notListed(value: unknown, listed: readonly string[]): Pick<Finding, 'message' | 'suggestion'> {
  const meant = typeof value === 'string' ? nearest(value, listed) : undefined;
  const differsInCase = typeof value === 'string' && meant === value.toLowerCase();
  return {
    message: differsInCase
      ? `Write "${meant}", not ${quote(value)}: upper and lower case differ.`
      : `${quote(value)} is not one of ${listed.join(', ')}.`,
    ...suggest(meant),
  };
}

/** The schema's own words on what belongs at the place of an error. */
function describe(error: ErrorObject): string {
  return error.parentSchema?.['description'] ?? '';
}

function suggest(suggestion: string | undefined): { suggestion?: string } {
  return suggestion === undefined ? {} : { suggestion };
}
