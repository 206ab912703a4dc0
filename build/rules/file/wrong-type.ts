import type { ErrorObject } from 'ajv/dist/2020.js';
import type { QuestionType } from '../../content/content.ts';
import type { Finding } from '../rule.ts';

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
