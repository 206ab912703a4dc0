import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import leven from 'leven';
import type { PlacedQuestion } from '../read/bank.ts';
import type { ExamFile, SubjectFile } from '../read/content.ts';
import type { Finding } from './rule.ts';

/** The name under which problems with a schema are reported, as those of a rule are under the rule's. */
export const schemaRule = 'schema';

/** A file's value if it is of its schema's form, or else what is wrong with it. */
export interface SchemaResult<Content> {
  readonly content: Content | undefined;
  readonly findings: readonly Finding[];
}

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
  if (validate(value)) return { content: value, findings: [] };
  return {
    content: undefined,
    findings: onePerMistake(validate.errors ?? []).map((error) => finding(path, error)),
  };
}

/**
 * The questions of a subject file that are of the schema's form, whatever else in the file is not: one
 * mistake does not keep the rules from the others.
 *
 * @param findings what the schema finds wrong with the file
 */
export function soundQuestions(value: unknown, findings: readonly Finding[]): PlacedQuestion[] {
  const questions = (value as Partial<SubjectFile> | null)?.questions;
  if (!Array.isArray(questions)) return [];
  const broken = new Set(findings.map(({ pointer }) => pointer.split('/', 3).join('/')));
  return questions
    .map((question, index): PlacedQuestion => ({ question, pointer: `/questions/${index}` }))
    .filter(({ pointer }) => !broken.has(pointer));
}

/**
 * One mistake breaks several keywords at times: a wrong type also its discriminator, a number in the place
 * of a word also its enumeration, a date its pattern and its format.
 */
function onePerMistake(errors: readonly ErrorObject[]): ErrorObject[] {
  const listed = new Set(
    errors.filter(({ keyword }) => keyword === 'enum').map(({ instancePath }) => instancePath),
  );
  const mistakes = new Map<string, ErrorObject>();
  for (const error of errors) {
    const { keyword, instancePath: place, params } = error;
    if (keyword === 'discriminator' || (listed.has(place) && keyword !== 'enum')) continue;
    const ofTheValue = ['type', 'const', 'pattern', 'format'].includes(keyword);
    const mistake = `${place} ${ofTheValue ? '' : keyword + JSON.stringify(params)}`;
    if (!mistakes.has(mistake)) mistakes.set(mistake, error);
  }
  return [...mistakes.values()];
}

function finding(path: string, error: ErrorObject): Finding {
  const at = { path, pointer: error.instancePath };
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
      return {
        ...at,
        message: `${quote(error.data)} is not of the type ${params['type']}.`,
      };
    case 'pattern':
      return { ...at, message: `${quote(error.data)} is not of the right form. ${describe(error)}` };
    case 'format':
      return { ...at, message: `${quote(error.data)} is no such moment. ${describe(error)}` };
    case 'minLength':
      return { ...at, message: 'The text is empty.' };
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
      return { ...at, message: `The items ${Math.min(i, j) + 1} and ${Math.max(i, j) + 1} are the same.` };
    }
    default:
      return { ...at, message: `This ${error.message}.` };
  }
}

/** The schema's own words on what belongs at the place of an error. */
function describe(error: ErrorObject): string {
  return error.parentSchema?.['description'] ?? '';
}

function suggest(written: string, known: readonly string[]): { suggestion?: string } {
  const distance = (name: string) => leven(written.toLowerCase(), name.toLowerCase());
  const [nearest] = [...known].sort((a, b) => distance(a) - distance(b));
  return nearest !== undefined && distance(nearest) <= Math.max(1, Math.floor(nearest.length / 3))
    ? { suggestion: nearest }
    : {};
}

function quote(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'A list' : 'An object';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
