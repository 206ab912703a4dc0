/** The rule on JSON syntax: finds the mistakes of the writer behind the errors of the parser. */
import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import type { JsonFile } from '../content/file.ts';
import type { Span } from '../content/positions.ts';
import { isUtf16Text } from './file.ts';
import type { Rule } from './rule.ts';

/** Messages by the parser's names of its errors. */
const sentences = {
  InvalidSymbol:
    'This is not a JSON value. Put text in double quotes; the only other words are true, false and null.',
  InvalidNumberFormat: 'This is not a JSON number. Write it like 12, -0.5 or 1e3.',
  PropertyNameExpected: 'A property name in double quotes is missing here.',
  ValueExpected: 'A value is missing here.',
  ColonExpected: 'Put a colon between a property name and its value.',
  CommaExpected: 'Put a comma between two items.',
  CloseBraceExpected: 'A closing } is missing.',
  CloseBracketExpected: 'A closing ] is missing.',
  EndOfFileExpected: 'The file should end here. Remove what follows.',
  InvalidCommentToken: 'JSON has no comments.',
  UnexpectedEndOfComment: 'JSON has no comments.',
  UnexpectedEndOfString: 'A closing " is missing on this line.',
  UnexpectedEndOfNumber: 'This number is incomplete.',
  InvalidUnicode: 'A \\u escape takes four hex digits.',
  InvalidEscapeCharacter: 'In JSON, write a backslash twice (\\\\frac for \\frac).',
  InvalidCharacter:
    'This control character is not allowed. Write a line break as \\n, a tab as \\t.',
};

export const syntax: Rule<JsonFile> = {
  name: 'syntax',
  description: 'A file is JSON (RFC 8259): no comments, no comma after the last item.',
  severity: 'error',
  strict: true,
  example: {
    wrong: '"subjects": ["physics", "chemistry",]',
    right: '"subjects": ["physics", "chemistry"]',
  },
  *check(file) {
    if (file.state !== 'unparsable' || isUtf16Text(file.text)) return;
    for (const { message, start, end, suggestion, certain } of syntaxMistakes(file.text))
      yield { part: { of: 'file', start, end }, message, suggestion, certain };
  },
};

interface SyntaxMistake extends Span {
  readonly message: string;
  readonly suggestion?: string | undefined;
  readonly certain?: boolean;
}

interface ParserError extends Span {
  readonly code: keyof typeof sentences;
}

/** A text that is no JSON at all has thousands of mistakes. */
const mostMistakes = 1000;

/** The mistakes in a text that `JSON.parse` rejected, one for each mistake of the writer. */
function syntaxMistakes(text: string): SyntaxMistake[] {
  const found = withoutFollowing(text, parserErrors(text));
  return found.length > 0 ? found : [{ message: 'This is not valid JSON.', start: 0, end: 0 }];
}

function parserErrors(text: string): ParserError[] {
  const errors: ParserError[] = [];
  const onError = (code: ParseErrorCode, start: number, length: number) => {
    const name = printParseErrorCode(code) as ParserError['code'];
    if (errors.length < mostMistakes) errors.push({ code: name, start, end: start + length });
  };
  try {
    visit(
      text,
      { onError },
      { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false },
    );
  } catch (error) {
    // Nested deeper than the parser's stack.
    if (!(error instanceof RangeError)) throw error;
  }
  return errors;
}

/**
 * Describes errors, without those that only follow from the one before: on the same line, at the first token of the next
 * one, or in the same merge conflict. After a bracket that does not match, the parser expects something else everywhere.
 */
function withoutFollowing(text: string, errors: readonly ParserError[]): SyntaxMistake[] {
  const mistakes: SyntaxMistake[] = [];
  let end = -1;
  let isMisread = false;
  for (const error of errors) {
    const { code, start } = error;
    // A colon in a list follows from a bracket that is missing.
    isMisread ||= code === 'CommaExpected' && text[start] === ':';
    if (isMisread && code.endsWith('Expected')) continue;
    isMisread ||= isMismatch(text, error);
    const last = mistakes.at(-1);
    const isNext = end >= 0 && isNear(text, end, start);
    if (last && (start < last.end || isNext || code === 'EndOfFileExpected')) {
      end = Math.max(end, error.end);
      continue;
    }
    if (insideStrings.test(code)) {
      // Nothing follows from it: the string ends where it should.
      for (const mistake of inString(text, error))
        if (mistakes.length < mostMistakes) mistakes.push(mistake);
      continue;
    }
    // The parser reports a missing comma at the first token of the next line, which is correct itself.
    end =
      code === 'CommaExpected' && isFirstOfLine(text, start)
        ? text.lastIndexOf('\n', start)
        : error.end;
    mistakes.push(describeMistake(text, error));
  }
  return mistakes;
}

/** Whether there is a bracket where only another token could be. */
function isMismatch(text: string, { code, start }: ParserError): boolean {
  const token = text[start] ?? '';
  return (
    (code === 'PropertyNameExpected' && /[{[]/.test(token)) ||
    (code === 'CommaExpected' && /[}\]]/.test(token))
  );
}

/** On the same line, or at the first token of the next line that has one. */
function isNear(text: string, end: number, start: number): boolean {
  const between = text.slice(end, start);
  const lineBreak = between.indexOf('\n');
  return lineBreak < 0 || between.slice(lineBreak).trim() === '';
}

function isFirstOfLine(text: string, at: number): boolean {
  return text.slice(text.lastIndexOf('\n', at) + 1, at).trim() === '';
}

/** Describes an error of the parser, and marks only the part of the text that is wrong. */
function describeMistake(text: string, error: ParserError): SyntaxMistake {
  const { code, start, end } = error;
  const conflict = mergeConflict(text, start);
  if (conflict) return conflict;
  const mistake = { message: sentences[code], start, end };
  switch (code) {
    case 'PropertyNameExpected':
    case 'ValueExpected':
      return extraComma(text, start) ?? mistake;
    case 'CommaExpected':
      return wrongBracket(text, error) ?? wrongNumber(text, error) ?? mistake;
    case 'InvalidSymbol':
      return wrongSymbol(text, error);
    default:
      return mistake;
  }
}

function mergeConflict(text: string, at: number): SyntaxMistake | undefined {
  if (!text.startsWith('<<<<<<<', at)) return undefined;
  const last = text.indexOf('\n>>>>>>>', at);
  const end = text.indexOf('\n', last < 0 ? at : last + 1);
  return {
    message:
      'This is an unresolved merge conflict. Keep one of the two versions, and remove the conflict markers.',
    start: at,
    end: end < 0 ? text.length : end,
  };
}

/** The comma before a closing bracket is the mistake, not the bracket. */
function extraComma(text: string, start: number): SyntaxMistake | undefined {
  const before = text.slice(0, start).trimEnd();
  if (!before.endsWith(',') || !/[\]},]/.test(text[start] ?? '')) return undefined;
  return text[start] === ','
    ? { message: 'Remove the extra comma.', start, end: start + 1, suggestion: '', certain: true }
    : { ...trailing, start: before.length - 1, end: before.length };
}

const trailing = { message: 'Remove the trailing comma.', suggestion: '', certain: true };

function wrongBracket(text: string, error: ParserError): SyntaxMistake | undefined {
  const { start, end } = error;
  const message = `This ${text[start]} does not match the open bracket. Remove it, or close the other one before it.`;
  return isMismatch(text, error) ? { message, start, end } : undefined;
}

/** `05`, `.5`, `+5`, `0x1F`: the parser stops inside some of them. */
function wrongNumber(text: string, { code, start, end }: ParserError): SyntaxMistake | undefined {
  const from =
    start - (/[\w.+-]*$/.exec(text.slice(Math.max(0, start - 20), start))?.[0].length ?? 0);
  const number = /^[\w.+-]*/.exec(text.slice(from, end))?.[0] ?? '';
  if (!/^[+-]?\.?\d/.test(number) || (code === 'CommaExpected' && from === start)) return undefined;
  return { message: sentences.InvalidNumberFormat, start: from, end: from + number.length };
}

function wrongSymbol(text: string, error: ParserError): SyntaxMistake {
  const { start, end } = error;
  const word = text.slice(start, end);
  const at = { start, end };
  if (word.startsWith('#')) return { message: sentences.InvalidCommentToken, ...at };
  if (word.startsWith(';'))
    return { message: 'Separate items with commas.', ...at, suggestion: ',' };
  if (word.startsWith('=')) return { message: sentences.ColonExpected, ...at, suggestion: ':' };
  // A word directly after the end of a string: the quote belongs to the text.
  if (text[start - 1] === '"') {
    const message = 'The text ends at this quote. Write a quote inside a text as \\".';
    return { message, start: start - 1, end: start, suggestion: '\\"' };
  }
  const number = wrongNumber(text, error);
  if (number) return number;
  const [, quoted] = /^['‘’“”«»„](.*)['‘’“”«»„]$/.exec(word) ?? [];
  if (quoted !== undefined)
    return {
      message: 'Put text in straight double quotes.',
      ...at,
      suggestion: JSON.stringify(quoted),
    };
  return { message: sentences.InvalidSymbol, ...at };
}

/** The errors of the parser in what a string has. */
const insideStrings = /^Invalid(?:EscapeCharacter|Unicode|Character)$/;

/** The wrong escapes in a string, or its first control character, rather than the whole string. */
function inString(text: string, { code, start, end }: ParserError): SyntaxMistake[] {
  const string = text.slice(start, end);
  const escaped = [...string.matchAll(escapes)].filter(([, valid]) => valid === undefined);
  const wrong = code === 'InvalidCharacter' ? [...string.matchAll(control)].slice(0, 1) : escaped;
  if (wrong.length === 0) return [{ message: sentences[code], start, end }];
  return wrong.map(({ 0: written, index }) => {
    const at = { start: start + index, end: start + index + written.length };
    const isEscape = written.startsWith('\\') && !/^\\u(?![a-zA-Z])/.test(written);
    if (!isEscape) return { message: sentences[code], ...at };
    const suggestion = `\\${written}`;
    return {
      message: sentences.InvalidEscapeCharacter,
      ...at,
      suggestion,
      certain: inLatex.test(written),
    };
  });
}

/** What LaTeX has after a backslash. Another character may be escaped as in other languages: `\'`. */
const inLatex = /^\\[a-zA-Z,;:!%(){}[\]|$]/;

/** The escapes of a string; valid ones are captured. An invalid one includes the letters after it: `\sqrt`. */
const escapes = /\\(?:(u[0-9a-fA-F]{4}|["\\/bfnrt])|[a-zA-Z][a-zA-Z0-9]*|[\s\S]?)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\u0000-\u001f]/g;
