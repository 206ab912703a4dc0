import assert from 'node:assert/strict';
import type { Question } from '../../../build/content/written.ts';

/**
 * Solves the question without reading its `answer`. Returns the answer in the same format (the key of an option, keys
 * joined by commas, or a decimal number), or the value that is to be stated; see `answerOf`.
 */
export type Solution = (question: Question) => string | number;

/** Solutions for a subject of an exam, by question id. */
export type Solutions = Readonly<Record<string, Solution>>;

/** The answer for a solution: a value is a whole number, or stated by an option to within 1 %. */
export function answerOf(question: Question, solved: string | number): string {
  if (typeof solved === 'string') return solved;
  return question.type === 'numerical' ? decimal(solved) : optionStating(question, solved);
}

/**
 * The key of the one option that states `value`.
 *
 * @param tolerance relative difference that still counts as equal; options printed with three
 * figures need about 0.01.
 * @throws AssertionError when no option, or more than one, states the value.
 */
export function optionStating(question: Question, value: number, tolerance = 0.01): string {
  return onlyOption(question, (text) => {
    const stated = quantity(text);
    const difference = Math.abs(stated - value);
    return (
      difference <= tolerance * Math.max(Math.abs(value), Math.abs(stated)) || difference < 1e-12
    );
  });
}

/**
 * The key of the one option whose text passes `test`.
 *
 * @throws AssertionError when no option, or more than one, does.
 */
export function onlyOption(question: Question, test: (text: string) => boolean): string {
  const keys = optionsWhere(question, test);
  const [key] = keys;
  assert.ok(
    key !== undefined && keys.length === 1,
    `${question.id}: the options ${keys.join(', ') || '(none)'} are right`,
  );
  return key;
}

/** The keys, in order, of all options whose text passes `test`. */
export function optionsWhere(question: Question, test: (text: string) => boolean): string[] {
  return question.options.filter(({ value = '' }) => test(value)).map(({ key }) => key);
}

/** The value, which has to be there. */
export function found<Value>(value: Value | undefined): Value {
  assert.ok(value !== undefined, 'a value that the solution needs is missing');
  return value;
}

/** The only element of a list. */
export function only<Item>(list: readonly Item[]): Item {
  assert.equal(list.length, 1);
  return found(list[0]);
}

/** All whole and decimal numbers in a text, without signs. */
export function numbers(text: string): number[] {
  return [...text.matchAll(/\d+(?:\.\d+)?/g)].map(([number]) => Number(number));
}

/** The option for a question with two statements. @param words for a right and a wrong statement */
export function statements(
  question: Question,
  first: boolean,
  second: boolean,
  words = ['correct', 'incorrect'],
) {
  const [one, other] = [first, second].map((isRight) => words[isRight ? 0 : 1]);
  return onlyOption(question, (text) =>
    first === second
      ? text === `Both Statement I and Statement II are ${one}`
      : text.replace(',', '') === `Statement I is ${one} but Statement II is ${other}`,
  );
}

/** The number as a numerical question's answer states it, with `digits` decimal places. */
export function decimal(value: number, digits = 0): string {
  return value.toFixed(digits).replace(/^-(0(\.0+)?)$/, '$1');
}

/**
 * Reads the first quantity of an option's text: `$2.5\times10^{-3}\,\mathrm{m}$` is 0.0025. It knows
 * decimals, `\frac{a}{b}`, `\sqrt{a}`, `\pi`, powers of ten and products of these (`2\pi`,
 * `\frac{3\sqrt{3}}{2}`).
 *
 * @throws AssertionError when the text starts with no such quantity.
 */
export function quantity(text: string): number {
  const source = text
    .replace(/\$|\\,|\\;|\\!|~|\s|\{,\}/g, '')
    .replace(/−/g, '-')
    .replace(/\\[dt]frac/g, '\\frac');
  const start = source.search(/-?(\d|\\frac|\\sqrt|\\pi)/);
  assert.ok(start >= 0, `no quantity in ${JSON.stringify(text)}`);
  const sign = source[start] === '-' ? -1 : 1;
  let rest = source.slice(sign < 0 ? start + 1 : start);
  let value = 1;
  for (;;) {
    const factor = nextFactor(rest);
    if (factor === undefined) return sign * value;
    value *= factor.value;
    rest = rest.slice(factor.length);
  }
}

function nextFactor(source: string): { value: number; length: number } | undefined {
  const simple = /^(?:\\times|\\cdot)?(?:10\^(?:\{(-?\d+)\}|(\d))|(\d+(?:\.\d+)?)|(\\pi))/.exec(
    source,
  );
  if (simple) {
    const [whole, braced, bare, number] = simple;
    const exponent = braced ?? bare;
    const value =
      exponent !== undefined
        ? 10 ** Number(exponent)
        : number !== undefined
          ? Number(number)
          : Math.PI;
    return { value, length: whole.length };
  }
  const command = /^(?:\\times|\\cdot)?\\(frac|sqrt)\{/.exec(source);
  if (!command) return undefined;
  const first = group(source, command[0].length - 1);
  if (command[1] === 'sqrt') return { value: Math.sqrt(quantity(first.body)), length: first.end };
  const second = group(source, first.end);
  return { value: quantity(first.body) / quantity(second.body), length: second.end };
}

/** The group in braces that opens at `start`: its body, and where it ends. */
function group(source: string, start: number): { body: string; end: number } {
  let depth = 0;
  for (let at = start; at < source.length; at += 1) {
    if (source[at] === '{') depth += 1;
    if (source[at] === '}') depth -= 1;
    if (depth === 0) return { body: source.slice(start + 1, at), end: at + 1 };
  }
  assert.fail(`unbalanced braces in ${JSON.stringify(source)}`);
}
