import katex, { type StrictFunction, type TrustContext } from 'katex';
import type { FormulaFault } from '../checked.ts';
import { meantCommand } from './commands.ts';
import { formulaOf } from './formulas.ts';
import { unclosed } from './unclosed.ts';
import { withoutTexts } from './without-texts.ts';

/**
 * What KaTeX says of a formula; undefined when it sets it as it is written.
 *
 * @param text the formula with its dollars
 */
export function formulaFault(text: string): FormulaFault | undefined {
  const { tex, display } = formulaOf(text);
  const most = definition.test(tex) ? longestWithDefinition : longest;
  if (tex.length > most) return unset(`This formula is longer than ${most} characters.`, whole(tex));
  const characters: Token[] = [];
  const untrusted: string[] = [];
  const strict: StrictFunction = (code, _message, token) => {
    if (code === 'unknownSymbol' || code === 'unicodeTextInMathMode') characters.push(token as Token);
    return 'ignore';
  };
  const trust = ({ command }: TrustContext) => {
    untrusted.push(command);
    return false;
  };
  try {
    // MathML alone: HTML would not be refused for anything else, and takes three times as long.
    katex.renderToString(tex, { displayMode: display, throwOnError: true, output: 'mathml', strict, trust });
  } catch (error) {
    if (error instanceof katex.ParseError) return ofParseError(tex, error as ParseFault);
    if (error instanceof RangeError) return unset('This formula is nested too deep.', whole(tex));
    // It throws errors of its own kinds, too, where it did not expect what it found.
    return unset(`KaTeX cannot set this formula: ${sentence((error as Error).message)}`, whole(tex));
  }
  return ofComment(tex) ?? ofUntrusted(tex, untrusted) ?? ofCharacters(tex, characters);
}

/** UTF-16 units. No formula of a paper comes near it, and KaTeX would be busy for minutes. */
const longest = 10_000;

/** A command of one's own that stands for a thousand letters, a thousand times, keeps KaTeX busy as well. */
const longestWithDefinition = 500;
const definition = /\\(?:[egx]?def|(?:re)?newcommand|providecommand|(?:future)?let)(?![a-zA-Z])/;

interface ParseFault {
  readonly message: string;
  readonly rawMessage: string;
  readonly position?: number;
  readonly length?: number;
}

interface Token {
  readonly text?: string;
  readonly loc?: { readonly start: number; readonly end: number };
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

function unset(message: string, { start, end }: Stretch, suggestion?: string): FormulaFault {
  return { kind: 'unset', message, start, end, ...(suggestion !== undefined && { suggestion }) };
}

function ofParseError(tex: string, error: ParseFault): FormulaFault {
  const place = placeOf(tex, error);
  const [, command] = /^Undefined control sequence: (\\.+)$/s.exec(error.rawMessage) ?? [];
  if (command !== undefined) {
    const at = place ?? ofWord(tex, command);
    return unset(`KaTeX knows no command ${command}.`, at, meantCommand(command, tex[at.end] ?? ''));
  }
  const [, odd] = /^Expected 'EOF', got '(.+)'$/s.exec(error.rawMessage) ?? [];
  const message =
    odd === undefined
      ? `KaTeX cannot set this formula: ${sentence(error.rawMessage)}`
      : `${odd} does not belong here.`;
  if (!place) return unset(message, whole(tex));
  if (place.start < tex.trimEnd().length) return unset(message, place);
  const open = unclosed(tex);
  if (open) return unset(`Nothing closes ${tex.slice(open.start, open.end)} in this formula.`, open);
  return unset(message, lastWord(tex));
}

/** Of a mistake that came out of a macro, KaTeX tells the place in the macro. */
function placeOf(tex: string, { message, position, length = 0 }: ParseFault): Stretch | undefined {
  if (position === undefined) return undefined;
  const end = position + length;
  const around = tex.slice(Math.max(0, position - shownAround), end + shownAround);
  const told = message.replaceAll(underline, '').replaceAll('…', '');
  if (end > tex.length || !told.endsWith(around.replaceAll('…', ''))) return undefined;
  // The space behind a command is part of it.
  return { start: position, end: position + tex.slice(position, end).trimEnd().length };
}

/** KaTeX shows so much of the formula before and behind the place, and underlines it character by character. */
const shownAround = 15;
const underline = '\u0332';

function whole(tex: string): Stretch {
  return { start: 0, end: tex.length };
}

function ofWord(tex: string, word: string): Stretch {
  const start = tex.indexOf(word);
  return start < 0 ? whole(tex) : { start, end: start + word.length };
}

/** What stands last, where something is missing at the end. */
function lastWord(tex: string): Stretch {
  const end = tex.trimEnd().length;
  const word = /(?:\\[a-zA-Z]+|\\?[\s\S])$/.exec(tex.slice(Math.max(0, end - 50), end))?.[0] ?? '';
  return word === '' ? whole(tex) : { start: end - word.length, end };
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/** A percent sign begins a comment: KaTeX sets what is before it, and says nothing. */
function ofComment(tex: string): FormulaFault | undefined {
  const [before] = /^(?:[^\\%]|\\[\s\S])*/.exec(tex) ?? [''];
  const start = before.length;
  return start < tex.length && tex[start] === '%'
    ? unset('In LaTeX, all that follows a % is lost.', { start, end: start + 1 }, '\\%')
    : undefined;
}

/** Links and images are not for formulas: what shows them to readers does not set them, and says so in red. */
function ofUntrusted(tex: string, [command]: readonly string[]): FormulaFault | undefined {
  if (command === undefined) return undefined;
  return unset(`${command} is set only where the author is trusted, and nowhere else.`, ofWord(tex, command));
}

/** In \text{...} they stand like the words around them. */
function ofCharacters(tex: string, tokens: readonly Token[]): FormulaFault | undefined {
  if (tokens.length === 0) return undefined;
  const math = withoutTexts(tex);
  const token = tokens.find(({ text = '', loc }) => loc && math.startsWith(text, loc.start));
  if (!token) return undefined;
  const character = token.text ?? '';
  const { start, end } = token.loc ?? whole(tex);
  const suggestion = inLatex[character];
  return {
    kind: 'character',
    message: `KaTeX has no sign for ${character} in a formula: it is set in another font. Words stand in \\text{...}.`,
    start,
    end,
    ...(suggestion !== undefined && { suggestion }),
  };
}

/** Signs that keyboards and word processors put into formulas, as LaTeX writes them. */
const inLatex: Readonly<Record<string, string>> = {
  '–': '-',
  '—': '-',
  '½': '\\frac{1}{2}',
  '¼': '\\frac{1}{4}',
  '¾': '\\frac{3}{4}',
  µ: '\\mu',
  Å: '\\text{Å}',
  '₹': '\\text{₹}',
};
