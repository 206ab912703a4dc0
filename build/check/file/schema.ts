import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import type { PlacedQuestion } from '../../read/bank.ts';
import type { SubjectFile } from '../../read/content.ts';
import type { JsonFile, JsonKind } from '../../read/file.ts';
import type { Finding, Rule, RuleDescription } from '../rule.ts';
import { schemaFinding } from './schema-finding.ts';
import { onePerMistake, withoutRenamed } from './schema-mistakes.ts';
import { wrongTypes } from './wrong-type.ts';

const addFormats = formatsPlugin.default;

/** The schemas of the files that people write, parsed. */
export type Schemas = Readonly<Record<JsonKind, object>>;

/** A file of so many values is no paper; to tell each of its mistakes would take more memory than there is. */
const mostValues = 300_000;

export const schemaDescription: RuleDescription = {
  name: 'schema',
  description: "A file is of its schema's form: `content/schema/` says what belongs where.",
  severity: 'error',
  strict: true,
  example: { wrong: '"difficulty": "Hard"', right: '"difficulty": "hard"' },
};

/**
 * Holds files against their schemas.
 *
 * @param schemas each is compiled when the first file of its kind comes, and once more, for all mistakes
 * rather than the first, when a file breaks it
 */
export function schemaRule(schemas: Schemas): Rule<JsonFile> {
  return {
    ...schemaDescription,
    *check(file) {
      if (file.state !== 'parsed' || accepts(schemas[file.kind])(file.value)) return;
      const { path, kind, value } = file;
      if (hasMoreValuesThan(mostValues, value)) {
        yield {
          path,
          pointer: '',
          message: `The file is not of its schema's form, and holds more than ${mostValues} values: no paper is like that.`,
        };
        return;
      }
      const validate = mistakes(schemas[kind]);
      validate(value);
      const { findings, errors } = wrongTypes(path, validate.errors ?? []);
      yield* findings;
      yield* withoutRenamed(onePerMistake(errors)).map((mistake) => schemaFinding(path, mistake));
    },
  };
}

const accepts = compiledOnce(false);
const mistakes = compiledOnce(true);

/** Of each schema once: the preview holds files against the same ones on every save. */
function compiledOnce(allErrors: boolean): (schema: object) => ValidateFunction {
  const compiled = new WeakMap<object, ValidateFunction>();
  return (schema) => {
    const validate = compiled.get(schema) ?? compile(schema, allErrors);
    compiled.set(schema, validate);
    return validate;
  };
}

function compile(schema: object, allErrors: boolean): ValidateFunction {
  const ajv = new Ajv2020({ allErrors, verbose: allErrors, discriminator: true, strictTypes: false });
  addFormats(ajv);
  return ajv.compile(schema);
}

function hasMoreValuesThan(most: number, value: unknown): boolean {
  const waiting = [value];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const inner = Object.values(next);
    count += inner.length;
    if (count > most) return true;
    for (const item of inner) waiting.push(item);
  }
  return false;
}

/**
 * The questions of a subject file that are of the schema's form, whatever else in the file is not: one
 * mistake does not keep the rules from the others.
 *
 * @param findings what is wrong with the file
 */
export function soundQuestions(file: JsonFile, findings: readonly Finding[]): PlacedQuestion[] {
  if (file.state !== 'parsed') return [];
  const questions = (file.value as Partial<SubjectFile> | null)?.questions;
  // Of a file that was not looked through to its end, nobody knows which are.
  if (!Array.isArray(questions) || (findings.length > 0 && hasMoreValuesThan(mostValues, file.value)))
    return [];
  const broken = new Set(findings.map(({ pointer }) => pointer.split('/', 3).join('/')));
  return questions
    .map((question, index): PlacedQuestion => ({ question, index, pointer: `/questions/${index}` }))
    .filter(({ pointer }) => !broken.has(pointer));
}
