import katex, { type StrictFunction, type TrustContext } from 'katex';
import { formulaOf, withoutTexts } from '../content/formulas.ts';
import type { FormulaFault } from './rule.ts';

/**
 * What KaTeX says of a formula; undefined when it sets it as it is written.
 *
 * @param text the formula with its dollars
 */
export function formulaFault(text: string): FormulaFault | undefined {
  const { tex, display } = formulaOf(text);
  const most = definition.test(tex) ? longestWithDefinition : longestFormula;
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
const longestFormula = 10_000;

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

/** What opens something in LaTeX, and what closes it. */
const pairs = /\\(?:left|right)(?![a-zA-Z])|\\(begin|end)\s*\{[^{}]{0,50}\}|\\[\s\S]|[{}]/g;

/**
 * The innermost brace, `\left` or `\begin{...}` of a formula that is still open where it ends: offsets in
 * UTF-16 units; undefined when all are closed.
 */
export function unclosed(tex: string): { readonly start: number; readonly end: number } | undefined {
  const open: { readonly kind: string; readonly start: number; readonly end: number }[] = [];
  for (const { 0: found, 1: environment, index: start } of tex.matchAll(pairs)) {
    const kind = environment ? 'environment' : /[{}]/.test(found[0] ?? '') ? 'brace' : 'delimiter';
    if (found === '{' || found === '\\left' || environment === 'begin')
      open.push({ kind, start, end: start + found.length });
    else if ((found === '}' || found === '\\right' || environment === 'end') && open.at(-1)?.kind === kind)
      open.pop();
  }
  return open.at(-1);
}

/** What asks whether a command exists; handed to a macro by KaTeX. */
type IsDefined = (command: string) => boolean;

/**
 * What somebody meant who wrote a command that KaTeX does not know: two letters swapped, one too many, one
 * missing or another one, or a variable right behind the command (`\cosx`). KaTeX is asked about each of those;
 * it keeps no list that could be read.
 *
 * @param follows the character behind the command
 * @returns a command that KaTeX knows; undefined when none is so near
 */
export function meantCommand(command: string, follows: string): string | undefined {
  const foreign = elsewhere[command];
  if (foreign !== undefined) return foreign;
  const [, name] = /^\\([a-zA-Z]{2,30})$/.exec(command) ?? [];
  if (name === undefined) return undefined;
  const isDefined = commandsOfKatex();
  const exists = (one: string) => one.length > 1 && isDefined(`\\${one}`) && isOfMath(`\\${one}`);
  const found = [swapped(name), undoubled(name), inserted(name)].flat().find(exists);
  if (found !== undefined) return `\\${found}`;
  const split = parted(name, exists, follows);
  if (split !== undefined) return split;
  // Of short names, every other one is near.
  const last = name.length < 4 ? undefined : [replaced(name), shortened(name)].flat().find(exists);
  return last === undefined ? undefined : `\\${last}`;
}

/** Commands that other packages have, and what is the same in KaTeX. */
const elsewhere: Readonly<Record<string, string>> = {
  '\\ohm': '\\Omega',
  '\\celsius': '^\\circ\\mathrm{C}',
  '\\angstrom': '\\text{Å}',
  '\\infinity': '\\infty',
  '\\integral': '\\int',
  '\\fraction': '\\frac',
  '\\nicefrac': '\\tfrac',
  '\\ang': '\\angle',
  '\\mbox': '\\text',
};

const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];

function* places(name: string, behind = 0): Generator<[before: string, at: string, after: string]> {
  for (let index = 0; index < name.length + behind; index += 1)
    yield [name.slice(0, index), name[index] ?? '', name.slice(index + 1)];
}

function swapped(name: string): string[] {
  return [...places(name)].map(([before, at, after]) => before + after.slice(0, 1) + at + after.slice(1));
}

function undoubled(name: string): string[] {
  return [...places(name)]
    .filter(([before, at]) => before.endsWith(at))
    .map(([before, , after]) => before + after);
}

function inserted(name: string): string[] {
  return [...places(name, 1)].flatMap(([before, at, after]) =>
    letters.map((letter) => before + letter + at + after),
  );
}

function replaced(name: string): string[] {
  return [...places(name)].flatMap(([before, , after]) => letters.map((letter) => before + letter + after));
}

function shortened(name: string): string[] {
  return [...places(name)].map(([before, , after]) => before + after);
}

/** A command and a variable or two without the space between them. */
function parted(name: string, exists: (name: string) => boolean, follows: string): string | undefined {
  for (const length of [1, 2]) {
    const command = name.slice(0, -length);
    const variable = name.slice(-length);
    // An argument in braces belongs to a command: \fracc{1}{2} is no \frac c.
    if (exists(command) && follows !== '{') return `\\${command} ${variable}`;
  }
  return undefined;
}

/** Some commands are there in `\text{...}` alone. */
function isOfMath(command: string): boolean {
  try {
    katex.renderToString(`${command}{x}{x}`, { strict: false, output: 'mathml' });
    return true;
  } catch (error) {
    return !(error as Error).message.includes('Undefined control sequence');
  }
}

let asked: IsDefined | undefined;

/** KaTeX tells macros what is defined. */
function commandsOfKatex(): IsDefined {
  if (asked) return asked;
  const macros = {
    '\\ask': (context: object) => {
      const { isDefined } = context as { isDefined: IsDefined };
      asked = isDefined.bind(context);
      return '';
    },
  };
  katex.renderToString('\\ask', { macros });
  return asked ?? (() => false);
}
