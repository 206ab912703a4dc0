import type { PlacedQuestion } from '../../content/bank.ts';
import type { SubjectFile } from '../../content/content.ts';
import type { JsonFile } from '../../content/file.ts';
import { accepts, mistakes } from '../../validators.ts';
import type { Finding, Rule, RuleDescription } from '../rule.ts';
import { schemaFinding } from './schema-finding.ts';
import { onePerMistake, withoutRenamed } from './schema-mistakes.ts';
import { wrongTypes } from './wrong-type.ts';

/** A file of so many values is no paper; to tell each of its mistakes would take more memory than there is. */
const mostValues = 300_000;

export const schemaDescription: RuleDescription = {
  name: 'schema',
  description: "A file is of its schema's form: `content/schema/` says what belongs where.",
  severity: 'error',
  strict: true,
  example: { wrong: '"difficulty": "Hard"', right: '"difficulty": "hard"' },
};

/** Validates files against their schemas. */
export const schemaRule: Rule<JsonFile> = {
  ...schemaDescription,
  *check(file) {
    if (file.state !== 'parsed' || accepts[file.kind](file.value)) return;
    const { path, kind, value } = file;
    if (hasMoreValuesThan(mostValues, value)) {
      yield {
        path,
        pointer: '',
        message: `The file is not of its schema's form, and holds more than ${mostValues} values: no paper is like that.`,
      };
      return;
    }
    const validate = mistakes[kind];
    validate(value);
    const { findings, errors } = wrongTypes(path, validate.errors ?? []);
    yield* findings;
    yield* withoutRenamed(onePerMistake(errors)).map((mistake) => schemaFinding(path, mistake));
  },
};

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
