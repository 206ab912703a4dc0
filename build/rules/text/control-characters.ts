import { type Formula, formulaFinder } from '../formula/formulas.ts';
import type { Finding } from '../rule.ts';
import { isEatenCommand } from './eaten.ts';
import type { TextRule } from './text-rule.ts';

export const controlCharacters: TextRule = {
  name: 'control-characters',
  description:
    'Texts hold no control characters but line breaks, no command of LaTeX whose backslash JSON took for its own (the \\t of \\times), and no half of a character.',
  severity: 'error',
  example: { wrong: '"question": "$2 \\times 3$"', right: '"question": "$2 \\\\times 3$"' },
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  concerns: /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\ud800-\udfff]|\n[a-z]/,
  *check({ path, pointer, text }) {
    const formulaAt = formulaFinder(text);
    for (const match of text.matchAll(looked)) {
      const finding = fault(text, match.index, match[0], formulaAt(match.index));
      if (finding) yield { path, pointer, ...finding };
    }
  },
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const looked = /\r\n|[\b\t\n\f\r](?=[a-zA-Z])|[\u0000-\u0009\u000b-\u001f\u007f-\u009f]+|\p{Cs}/gu;

const escapes: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function fault(
  text: string,
  start: number,
  found: string,
  formula: Formula | undefined,
): Omit<Finding, 'path' | 'pointer'> | undefined {
  const part = { of: 'value', start, end: start + found.length } as const;
  const [letters = ''] = /^[a-zA-Z]*/.exec(text.slice(part.end, part.end + longestCommand)) ?? [];
  const written = escapes[found];
  if (written !== undefined && isEatenCommand(found, letters, formula !== undefined)) {
    if (found === '\n' && formula && isLayout(text, start, letters, formula)) return undefined;
    const command = `${written}${letters}`;
    return {
      message: `The backslash of ${command} is eaten: JSON reads ${written} as ${nameOf(found)}. Write two backslashes.`,
      part: { ...part, end: part.end + letters.length },
      suggestion: command,
    };
  }
  if (found === '\n') return undefined;
  if (found === '\r\n') return { message: 'A line break is \\n alone, without \\r.', part, suggestion: '\n' };
  if (/\p{Cs}/u.test(found))
    return { message: 'The text holds half a character (a lone surrogate). Write it anew.', part };
  return {
    message: `The text holds ${nameOf(found)}. ${found === '\t' ? 'Write a space.' : 'Remove it.'}`,
    part,
    ...(found === '\t' && { suggestion: ' ' }),
  };
}

const longestCommand = 30;

function nameOf(characters: string): string {
  if (characters === '\t') return 'a tab';
  if (characters === '\n') return 'a line break';
  if (characters.length > 1) return `${characters.length} control characters`;
  const code = characters.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `the control character U+${code}`;
}

/**
 * Whether a line break in a formula is one, rather than the beginning of a command as short as `\ne` or `\nu`:
 * it begins a formula that ends in a line break too, or a row.
 */
function isLayout(text: string, at: number, letters: string, { start, end, display }: Formula): boolean {
  if (!display || letters.length >= telling) return false;
  const before = text.slice(start, at).trimEnd();
  return before === '' ? text.slice(at, end).trimEnd() !== text.slice(at, end) : /(?:\\\\|\})$/.test(before);
}

const telling = 3;
