import { duplicateNames, escapePointer } from '../../content/duplicate-names.ts';
import type { JsonFile } from '../../content/file.ts';
import { quote as quoted } from '../quote.ts';
import type { Rule } from '../rule.ts';

export const duplicateKeys: Rule<JsonFile> = {
  name: 'duplicate-keys',
  description:
    'An object holds each property once, however its name is escaped: of two, only the last one would count.',
  severity: 'error',
  strict: true,
  example: { wrong: '{ "answer": "A", "answer": "C" }', right: '{ "answer": "C" }' },
  *check(file) {
    if (file.state !== 'parsed' || countNames(file.text) === countProperties(file.value)) return;
    const { path } = file;
    for (const { name, pointer: object, first, again } of duplicateNames(file.text)) {
      const pointer = `${object}/${escapePointer(name)}`;
      yield {
        path,
        pointer,
        part: { of: 'file', ...again },
        message: `The property ${quoted(name)} stands here once more; what stands before would be lost.`,
        related: [{ path, pointer, part: { of: 'file', ...first }, message: 'It stands here first.' }],
      };
    }
  },
};

const deepest = 100;

/**
 * How often a colon follows a quote, with space between them or none. That is once a name at least, and more
 * often where a string holds both: a text with as many of them as its value has properties holds no name twice.
 */
function countNames(text: string): number {
  let count = 0;
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    let before = colon - 1;
    while (isSpace(text.charCodeAt(before))) before -= 1;
    if (text.charCodeAt(before) === quote) count += 1;
  }
  return count;
}

const quote = 0x22;

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

/** Of a value nested deeper than any file of the bank, no number. */
function countProperties(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > deepest) return Number.NaN;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += countProperties(item, depth + 1);
    return count;
  }
  for (const name in value) {
    count += 1;
    const inner = (value as Record<string, unknown>)[name];
    if (typeof inner === 'object') count += countProperties(inner, depth + 1);
  }
  return count;
}
