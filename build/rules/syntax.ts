/** The rule on JSON syntax: finds the mistakes of the writer behind the errors of the parser. */
import {
  createScanner,
  type ParseErrorCode,
  printParseErrorCode,
  type SyntaxKind,
  visit,
} from 'jsonc-parser';
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
    for (const { message, start, end, suggestion, certain, open } of syntaxMistakes(file.text)) {
      const related = open && [
        { part: { of: 'file', ...open } as const, message: 'This one is not closed.' },
      ];
      yield { part: { of: 'file', start, end }, message, suggestion, certain, related };
    }
  },
};

interface SyntaxMistake extends Span {
  readonly message: string;
  readonly suggestion?: string | undefined;
  readonly certain?: boolean;
  /** The unclosed bracket, where the mistake only shows far after it. */
  readonly open?: Span | undefined;
}

interface ParserError extends Span {
  readonly code: keyof typeof sentences;
}

/** A text that is no JSON at all has thousands of mistakes. */
const mostMistakes = 1000;

/** The mistakes in a text that `JSON.parse` rejected, one for each mistake of the writer. */
function syntaxMistakes(text: string): SyntaxMistake[] {
  const bracket = bracketMistake(text);
  // After a missing bracket, the parser misreads everything but single tokens: it expects something else.
  const misread = bracket?.open?.start ?? bracket?.start ?? Number.POSITIVE_INFINITY;
  const errors = parserErrors(text).filter(
    ({ code, start }) => start < misread || !code.endsWith('Expected'),
  );
  const found = withoutFollowing(text, errors);
  if (bracket && !found.some(({ end }) => isNear(text, end, bracket.start))) found.push(bracket);
  if (found.length === 0) return [{ message: 'This is not valid JSON.', start: 0, end: 0 }];
  return found.sort((a, b) => a.start - b.start);
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
 * one, or in the same merge conflict.
 */
function withoutFollowing(text: string, errors: readonly ParserError[]): SyntaxMistake[] {
  const mistakes: SyntaxMistake[] = [];
  let end = -1;
  for (const error of errors) {
    const { code, start } = error;
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
      return wrongNumber(text, error) ?? mistake;
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
  return { message: sentences.InvalidSymbol, ...at, suggestion: otherWords.get(word) };
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

/** Words of Python, SQL and JavaScript, and the JSON words for them. */
const otherWords = new Map(
  Object.entries({
    True: 'true',
    TRUE: 'true',
    False: 'false',
    FALSE: 'false',
    None: 'null',
    NULL: 'null',
    undefined: 'null',
  }),
);

interface Bracket extends Span {
  /** `{`, `}`, `[` or `]`. */
  readonly text: string;
}

const closing: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/**
 * The first mistake in how the brackets of a JSON text are nested, without those in its strings and comments;
 * undefined when there is none. Either the bracket that does not match is extra, or one before it is missing: whichever
 * lets more of the remaining text match.
 */
function bracketMistake(text: string): SyntaxMistake | undefined {
  const brackets = bracketsOf(text);
  if (brackets.length === mostBrackets) return undefined;
  const { open, at } = firstUnmatched(brackets, 0, []);
  const found = brackets[at];
  const last = open.at(-1);
  if (!found && !last) return undefined;
  const missing = `a ${closing[last?.text ?? '']} is missing.`;
  if (!found) {
    const end = text.trimEnd().length;
    return { message: `The file ends here, and ${missing}`, start: end, end, open: last };
  }
  const { start, end } = found;
  const extra = { message: `Remove this ${found.text}: it has no matching bracket.`, start, end };
  if (!last) return extra;
  const withoutIt = firstUnmatched(brackets, at + 1, [...open]);
  const withTheOther = firstUnmatched(brackets, at, open.slice(0, -1));
  const isExtra =
    withoutIt.at === withTheOther.at
      ? withoutIt.open.length < withTheOther.open.length
      : withoutIt.at > withTheOther.at;
  return isExtra ? extra : { ...last, message: `This ${last.text} is not closed: ${missing}` };
}

/** The index of the first bracket that does not match, from an index on, and the brackets open there. */
function firstUnmatched(
  brackets: readonly Bracket[],
  from: number,
  open: Bracket[],
): { readonly at: number; readonly open: readonly Bracket[] } {
  for (let at = from; at < brackets.length; at += 1) {
    const bracket = brackets[at];
    if (!bracket) break;
    if (bracket.text in closing) open.push(bracket);
    else if (closing[open.at(-1)?.text ?? ''] === bracket.text) open.pop();
    else return { at, open };
  }
  return { at: brackets.length, open };
}

/** The scanner's token for the end of the text; the package exports its names as types only. */
const endOfText: SyntaxKind = 17;

/** A text with more brackets is not a paper, and its brackets would fill the memory. */
const mostBrackets = 500_000;

function bracketsOf(text: string): Bracket[] {
  const scanner = createScanner(text, true);
  const brackets: Bracket[] = [];
  while (scanner.scan() !== endOfText && brackets.length < mostBrackets) {
    const start = scanner.getTokenOffset();
    const bracket = text[start] ?? '';
    if ('{}[]'.includes(bracket)) brackets.push({ text: bracket, start, end: start + 1 });
  }
  return brackets;
}
