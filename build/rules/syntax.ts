import {
  createScanner,
  type ParseErrorCode,
  printParseErrorCode,
  type SyntaxKind,
  visit,
} from 'jsonc-parser';
import type { JsonFile } from '../content/file.ts';
import type { Stretch } from '../content/positions.ts';
import { isUtf16Text } from './file.ts';
import type { Finding, Rule } from './rule.ts';

export const syntax: Rule<JsonFile> = {
  name: 'syntax',
  description: 'A file is JSON (RFC 8259): no comments, no comma behind the last item.',
  severity: 'error',
  strict: true,
  example: { wrong: '"subjects": ["physics", "chemistry",]', right: '"subjects": ["physics", "chemistry"]' },
  *check(file) {
    if (file.state !== 'unparsable' || isUtf16Text(file.text)) return;
    for (const mistake of syntaxMistakes(file.text)) yield syntaxFinding(file.path, mistake);
  },
};

function syntaxFinding(path: string, { message, start, end, suggestion, open }: SyntaxMistake): Finding {
  return {
    path,
    pointer: '',
    part: { of: 'file', start, end },
    message,
    ...(suggestion !== undefined && { suggestion }),
    ...(open && {
      related: [{ path, pointer: '', part: { of: 'file', ...open }, message: 'Nothing closes this one.' }],
    }),
  };
}

export interface SyntaxMistake extends Stretch {
  readonly message: string;
  /** What belongs in the place of the stretch. */
  readonly suggestion?: string;
  /** The bracket that is not closed, where the mistake shows only far behind it. */
  readonly open?: Stretch;
}

/** What the parser stumbles over. */
export interface Stumble extends Stretch {
  readonly code: string;
}

/** A text of no JSON at all has thousands of mistakes, of which nobody wants to read more. */
const mostMistakes = 1000;

/** Mistakes of a single word: they are there whatever is wrong with the brackets around it. */
const ofOneWord: ReadonlySet<string> = new Set([
  'InvalidSymbol',
  'InvalidNumberFormat',
  'InvalidCommentToken',
  'UnexpectedEndOfComment',
  'UnexpectedEndOfString',
  'UnexpectedEndOfNumber',
  'InvalidUnicode',
  'InvalidEscapeCharacter',
  'InvalidCharacter',
]);

/** The mistakes in a text that `JSON.parse` refused, one for each thing that the writer did wrong. */
export function syntaxMistakes(text: string): SyntaxMistake[] {
  const brackets = bracketMistake(text);
  const stumbles = stumblesOf(text).filter(({ code, start }) => {
    // Behind a bracket that is missing, the parser takes everything for something else.
    if (brackets) return ofOneWord.has(code) || start < firstOffset(brackets);
    return true;
  });
  const found = withoutFollowing(text, stumbles).map((stumble) => describeMistake(text, stumble));
  const ofBrackets = brackets && describeBrackets(brackets);
  if (ofBrackets && !found.some(({ end }) => isNear(text, end, ofBrackets.start))) found.push(ofBrackets);
  if (found.length === 0) return [{ message: 'This is not valid JSON.', start: 0, end: 0 }];
  return found.sort((a, b) => a.start - b.start);
}

function firstOffset(mistake: BracketMistake): number {
  return (mistake.kind === 'unclosed' ? mistake.open : mistake.found).start;
}

function stumblesOf(text: string): Stumble[] {
  const stumbles: Stumble[] = [];
  const onError = (error: ParseErrorCode, start: number, length: number) => {
    stumbles.push({ code: printParseErrorCode(error), start, end: start + length });
    if (stumbles.length === mostMistakes) throw new Enough();
  };
  try {
    visit(text, { onError }, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  } catch (error) {
    // Nested deeper than the parser's stack.
    if (!(error instanceof RangeError || error instanceof Enough)) throw error;
  }
  return stumbles;
}

class Enough extends Error {}

/**
 * Less what the parser stumbles over where it still lies from the mistake before: on the same line, or at
 * the first word of the next one; and less all of a merge conflict but its beginning.
 */
function withoutFollowing(text: string, stumbles: readonly Stumble[]): Stumble[] {
  let end = -1;
  let reach = -1;
  return stumbles.filter((stumble) => {
    const { code, start } = stumble;
    if (end >= 0 && (start < reach || isNear(text, end, start) || code === 'EndOfFileExpected')) {
      end = Math.max(end, stumble.end);
      return false;
    }
    // A comma that is missing shows at the first word of the next line, which has nothing to do with it.
    end =
      code === 'CommaExpected' && isFirstOfLine(text, start) ? text.lastIndexOf('\n', start) : stumble.end;
    reach = describeMistake(text, stumble).end;
    return true;
  });
}

/** On the same line, or at the first word of the next line that holds one. */
function isNear(text: string, end: number, start: number): boolean {
  const between = text.slice(end, start);
  const lineBreak = between.indexOf('\n');
  return lineBreak < 0 || between.slice(lineBreak).trim() === '';
}

function isFirstOfLine(text: string, at: number): boolean {
  return text.slice(text.lastIndexOf('\n', at) + 1, at).trim() === '';
}

function describeBrackets(mistake: BracketMistake): SyntaxMistake {
  if (mistake.kind === 'extra') {
    const { text, start, end } = mistake.found;
    return { message: `This ${text} closes nothing: remove it.`, start, end };
  }
  const { open, found } = mistake;
  const bracket = open.text === '{' ? '}' : ']';
  return found.start === found.end
    ? {
        message: `The text ends here, and a ${bracket} is missing.`,
        start: found.start,
        end: found.end,
        open: { start: open.start, end: open.end },
      }
    : {
        message: `Nothing closes this ${open.text}: a ${bracket} is missing.`,
        start: open.start,
        end: open.end,
      };
}

/** Says what is wrong where the parser stumbles, and marks no more of the text than that. */
export function describeMistake(text: string, stumble: Stumble): SyntaxMistake {
  const { start, end } = stumble;
  const word = text.slice(start, end);
  return (
    mergeConflict(text, start) ??
    extraComma(text, stumble) ??
    quoteInString(text, stumble) ??
    wrongNumber(text, stumble) ??
    inString(word, stumble) ??
    wrongWord(word, stumble) ?? { message: sentences[stumble.code] ?? 'This is not valid JSON.', start, end }
  );
}

/** git's marks of two versions of which nobody has chosen one. */
function mergeConflict(text: string, at: number): SyntaxMistake | undefined {
  if (!text.startsWith('<<<<<<<', at)) return undefined;
  const last = text.indexOf('\n>>>>>>>', at);
  const end = text.indexOf('\n', last < 0 ? at : last + 1);
  return {
    message: 'A merge conflict stands here: keep one of the two versions, and remove the marks.',
    start: at,
    end: end < 0 ? text.length : end,
  };
}

/** A comma with nothing behind it is the mistake, and not the bracket that follows. */
function extraComma(text: string, { code, start }: Stumble): SyntaxMistake | undefined {
  if (code !== 'PropertyNameExpected' && code !== 'ValueExpected') return undefined;
  const before = text.slice(0, start).trimEnd();
  if (!before.endsWith(',') || !/[\]},]/.test(text[start] ?? '')) return undefined;
  const comma = before.length - 1;
  return text[start] === ','
    ? { message: 'One comma belongs between two items.', start, end: start + 1 }
    : { message: 'After the last item stands no comma.', start: comma, end: comma + 1 };
}

/** A string ends, and a word stands right behind it: the quote belongs to the text. */
function quoteInString(text: string, { code, start }: Stumble): SyntaxMistake | undefined {
  if (code !== 'InvalidSymbol' || text[start - 1] !== '"' || /[;=#]/.test(text[start] ?? ''))
    return undefined;
  return {
    message: 'The text ends at this quote: a quote inside a text is written \\".',
    start: start - 1,
    end: start,
    suggestion: '\\"',
  };
}

/** `05`, `.5`, `+5`, `0x1F`: the parser stops inside some of them. */
function wrongNumber(text: string, { code, start, end }: Stumble): SyntaxMistake | undefined {
  if (code !== 'InvalidSymbol' && code !== 'CommaExpected') return undefined;
  const from = start - (/[\w.+-]*$/.exec(text.slice(Math.max(0, start - 20), start))?.[0].length ?? 0);
  const number = /^[\w.+-]*/.exec(text.slice(from, end))?.[0] ?? '';
  if (!/^[+-]?\.?\d/.test(number) || (code === 'CommaExpected' && from === start)) return undefined;
  return { message: sentences['InvalidNumberFormat'] ?? '', start: from, end: from + number.length };
}

/** The escape or the character in a string that is wrong, rather than all of the string. */
function inString(string: string, { code, start }: Stumble): SyntaxMistake | undefined {
  const message = sentences[code] ?? '';
  switch (code) {
    case 'InvalidEscapeCharacter':
    case 'InvalidUnicode': {
      const wrong = [...string.matchAll(escapes)].find(([, right]) => right === undefined);
      if (!wrong) return undefined;
      const [written] = wrong;
      const at = { message, start: start + wrong.index, end: start + wrong.index + written.length };
      return /^\\[a-zA-Z]{2}/.test(written) || code === 'InvalidEscapeCharacter'
        ? { ...at, message: sentences['InvalidEscapeCharacter'] ?? message, suggestion: `\\${written}` }
        : at;
    }
    case 'InvalidCharacter': {
      const at = string.search(control);
      return at < 0 ? undefined : { message, start: start + at, end: start + at + 1 };
    }
    default:
      return undefined;
  }
}

/** The escapes of a string; those that JSON has are captured. Of others, the letters behind them are part: `\sqrt`. */
const escapes = /\\(?:(u[0-9a-fA-F]{4}|["\\/bfnrt])|[a-zA-Z][a-zA-Z0-9]*|[\s\S]?)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\u0000-\u001f]/;

function wrongWord(word: string, { code, start, end }: Stumble): SyntaxMistake | undefined {
  if (code !== 'InvalidSymbol') return undefined;
  if (word.startsWith('#')) return { message: sentences['InvalidCommentToken'] ?? '', start, end };
  if (word.startsWith(';')) return { message: 'Items stand apart by commas.', start, end, suggestion: ',' };
  if (word.startsWith('=')) return { message: sentences['ColonExpected'] ?? '', start, end, suggestion: ':' };
  const [, quoted] = /^['‘’“”«»„](.*)['‘’“”«»„]$/.exec(word) ?? [];
  if (quoted !== undefined)
    return {
      message: 'Text stands in straight double quotes.',
      start,
      end,
      suggestion: JSON.stringify(quoted),
    };
  const meant = otherWords.get(word);
  return meant === undefined
    ? undefined
    : { message: sentences['InvalidSymbol'] ?? '', start, end, suggestion: meant };
}

/** The words of Python, SQL and JavaScript for JSON's own. */
const otherWords: ReadonlyMap<string, string> = new Map([
  ['True', 'true'],
  ['TRUE', 'true'],
  ['False', 'false'],
  ['FALSE', 'false'],
  ['None', 'null'],
  ['NULL', 'null'],
  ['undefined', 'null'],
]);

const sentences: Readonly<Record<string, string>> = {
  InvalidSymbol: 'This is no JSON value: text stands in double quotes, the words are true, false and null.',
  InvalidNumberFormat: 'This is no JSON number: write it like 12, -0.5 or 1e3.',
  PropertyNameExpected: 'A property name in double quotes belongs here.',
  ValueExpected: 'A value belongs here.',
  ColonExpected: 'A colon belongs between a property name and its value.',
  CommaExpected: 'A comma belongs between two items.',
  CloseBraceExpected: 'A closing } is missing.',
  CloseBracketExpected: 'A closing ] is missing.',
  EndOfFileExpected: 'The file should end here: something stands after its value.',
  InvalidCommentToken: 'JSON has no comments.',
  UnexpectedEndOfComment: 'JSON has no comments.',
  UnexpectedEndOfString: 'A closing " is missing on this line.',
  UnexpectedEndOfNumber: 'This number ends too early.',
  InvalidUnicode: 'This is no \\u escape: it takes four hex digits.',
  InvalidEscapeCharacter: 'This is no JSON escape: a backslash is written twice (\\\\frac for \\frac).',
  InvalidCharacter: 'A control character stands here: a line break is written \\n, a tab \\t.',
};

/** What is wrong with the brackets of a text. */
export type BracketMistake =
  /** Another bracket closes, or the text ends, before this one is closed. */
  | { readonly kind: 'unclosed'; readonly open: Bracket; readonly found: Stretch }
  /** Nothing is open that this one could close. */
  | { readonly kind: 'extra'; readonly found: Bracket };

export interface Bracket extends Stretch {
  /** `{`, `}`, `[` or `]`. */
  readonly text: string;
}

const closing: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/**
 * The first mistake in how the brackets of a JSON text are nested, those in its strings and comments aside;
 * undefined when there is none. A bracket that does not fit is one too many, or one before it is missing: it
 * is taken for whichever leaves the rest of the text in better order.
 */
export function bracketMistake(text: string): BracketMistake | undefined {
  const brackets = bracketsOf(text);
  if (brackets.length === mostBrackets) return undefined;
  const { open, at } = unfit(brackets, 0, []);
  const found = brackets[at];
  const last = open.at(-1);
  if (!found) {
    const end = text.trimEnd().length;
    return last && { kind: 'unclosed', open: last, found: { start: end, end } };
  }
  if (!last) return { kind: 'extra', found };
  const withoutIt = unfit(brackets, at + 1, [...open]);
  const withTheOther = unfit(brackets, at, open.slice(0, -1));
  const isExtra =
    withoutIt.at === withTheOther.at
      ? withoutIt.open.length < withTheOther.open.length
      : withoutIt.at > withTheOther.at;
  return isExtra ? { kind: 'extra', found } : { kind: 'unclosed', open: last, found };
}

/** How far the brackets fit, from the one with this index on, and which are open there. */
function unfit(
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

/** The scanner's mark for the end of the text; its names for marks exist in types alone. */
const endOfText: SyntaxKind = 17;

/** A text of more brackets is no paper, and would fill the memory. */
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
