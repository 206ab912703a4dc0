import { exceptionsPath } from '../content/find.ts';
import { nearest, quote } from './names.ts';
import type { Rule, RuleDescription } from './rule.ts';

/** The bank's exceptions, as the rule on them looks at them. */
export interface CheckedExceptions {
  /** Those of the schema's form. */
  readonly list: readonly CheckedException[];
  readonly rules: readonly RuleDescription[];
}

export interface CheckedException {
  /** In the file, from 0. */
  readonly index: number;
  readonly rule: string;
  readonly file: string;
  readonly pointer: string;
  /** Whether something breaks the rule there, or nobody can tell. */
  readonly isNeeded: boolean;
}

export const exceptionRule: Rule<CheckedExceptions> = {
  name: 'exception',
  description: 'An exception names a rule that may be broken, and a place that breaks it still.',
  severity: 'error',
  strict: true,
  example: {
    wrong: '{ "rule": "repeated-stem", ... }   (and the question was changed since)',
    right: 'the exception removed',
  },
  *check({ list, rules }) {
    const firsts = new Map<string, number>();
    for (const { index, rule: name, file, pointer, isNeeded } of list) {
      const at = { path: exceptionsPath, pointer: `/exceptions/${index}` };
      const rule = rules.find((one) => one.name === name);
      const key = JSON.stringify([name, file, pointer]);
      const first = firsts.get(key);
      if (!rule) {
        const meant = nearest(
          name,
          rules.map((one) => one.name),
        );
        yield {
          ...at,
          pointer: `${at.pointer}/rule`,
          message: `There is no rule ${quote(name)}.`,
          ...(meant !== undefined && { suggestion: meant }),
        };
      } else if (rule.strict) {
        yield {
          ...at,
          pointer: `${at.pointer}/rule`,
          message: `No exception is made of "${name}": a release could not be built of such content.`,
        };
      } else if (first !== undefined) {
        yield {
          ...at,
          message: 'This exception is listed twice. Remove it.',
          related: [
            { path: exceptionsPath, pointer: `/exceptions/${first}`, message: 'It stands here first.' },
          ],
        };
      } else if (!isNeeded) {
        yield {
          ...at,
          message: `This exception no longer applies: nothing breaks "${name}" at ${file}${pointer}. Remove it.`,
        };
      }
      if (first === undefined) firsts.set(key, index);
    }
  },
};
