import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import leven from 'leven';
import type { ExamFile, SubjectFile } from '../read/content.ts';
import type { Finding } from './rule.ts';

/** The name under which problems with a schema are reported, as those of a rule are under the rule's. */
export const schemaRule = 'schema';

/** A file's value if it is of its schema's form, or else what is wrong with it. */
export type SchemaResult<Content> = { readonly content: Content } | { readonly findings: readonly Finding[] };

const addFormats = formatsPlugin.default;
const validateExamFile = compile<ExamFile>('exam.schema.json');
const validateSubjectFile = compile<SubjectFile>('subject-file.schema.json');

/** @param path of the file inside the content folder */
export function checkExamFile(path: string, value: unknown): SchemaResult<ExamFile> {
  return check(validateExamFile, path, value);
}

/** @param path of the file inside the content folder */
export function checkSubjectFile(path: string, value: unknown): SchemaResult<SubjectFile> {
  return check(validateSubjectFile, path, value);
}

function compile<Content>(file: string): ValidateFunction<Content> {
  const schema = new URL(`../../content/schema/${file}`, import.meta.url);
  const ajv = new Ajv2020({ allErrors: true, verbose: true, discriminator: true, strictTypes: false });
  addFormats(ajv);
  return ajv.compile<Content>(JSON.parse(readFileSync(schema, 'utf8')));
}

function check<Content>(
  validate: ValidateFunction<Content>,
  path: string,
  value: unknown,
): SchemaResult<Content> {
  if (validate(value)) return { content: value };
  return { findings: onePerMistake(validate.errors ?? []).map((error) => finding(path, error)) };
}

/** One mistake breaks several keywords at times: a wrong type also its discriminator, a date its pattern and format. */
function onePerMistake(errors: readonly ErrorObject[]): ErrorObject[] {
  const mistakes = new Map<string, ErrorObject>();
  for (const error of errors) {
    if (error.keyword === 'discriminator') continue;
    const kind = error.keyword === 'format' ? 'pattern' : error.keyword;
    const key = `${error.instancePath} ${kind} ${kind === 'pattern' ? '' : JSON.stringify(error.params)}`;
    if (!mistakes.has(key)) mistakes.set(key, error);
  }
  return [...mistakes.values()];
}

function finding(path: string, error: ErrorObject): Finding {
  const at = { path, pointer: error.instancePath };
  const name = error.instancePath.slice(error.instancePath.lastIndexOf('/') + 1);
  const { params } = error;
  switch (error.keyword) {
    case 'additionalProperties': {
      const unknown: string = params['additionalProperty'];
      const known = Object.keys(error.parentSchema?.['properties'] ?? {});
      return {
        ...at,
        pointer: `${at.pointer}/${escapePointer(unknown)}`,
        atKey: true,
        message: `There is no property "${unknown}" here; known are ${known.join(', ')}.`,
        ...suggest(unknown, known),
      };
    }
    case 'required':
      return { ...at, message: `The property "${params['missingProperty']}" is missing.` };
    case 'enum': {
      const allowed: readonly string[] = params['allowedValues'];
      return {
        ...at,
        message: `${quote(error.data)} is not one of ${allowed.join(', ')}.`,
        ...suggest(String(error.data), allowed),
      };
    }
    case 'const':
      return { ...at, message: `This is ${JSON.stringify(params['allowedValue'])} or left out.` };
    case 'type':
      return { ...at, message: `This is not of the type ${params['type']}.` };
    case 'pattern':
      return { ...at, message: `${quote(error.data)} is not of the right form. ${describe(error)}` };
    case 'format':
      return { ...at, message: `${quote(error.data)} is no such moment. ${describe(error)}` };
    case 'minLength':
      return { ...at, message: 'The text is empty.' };
    case 'maxLength':
      return { ...at, message: `The text is longer than ${params['limit']} characters.` };
    case 'minItems':
      return { ...at, message: `At least ${params['limit']} ${name || 'items'} belong here.` };
    case 'maxItems':
      return { ...at, message: 'A numerical question has no options: write [].' };
    case 'uniqueItems':
      return { ...at, message: `The items ${params['j'] + 1} and ${params['i'] + 1} are the same.` };
    default:
      return { ...at, message: `This ${error.message}.` };
  }
}

/** The schema's own words on what belongs at the place of an error. */
function describe(error: ErrorObject): string {
  return error.parentSchema?.['description'] ?? `It has to match ${error.params['pattern']}.`;
}

function suggest(written: string, known: readonly string[]): { suggestion?: string } {
  const distance = (name: string) => leven(written.toLowerCase(), name.toLowerCase());
  const [nearest] = [...known].sort((a, b) => distance(a) - distance(b));
  return nearest !== undefined && distance(nearest) <= Math.max(1, Math.floor(nearest.length / 3))
    ? { suggestion: nearest }
    : {};
}

function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
