/** What KaTeX reports about formulas, with places and suggestions. */
import katex, { type StrictFunction, type TrustContext } from 'katex';
import 'katex/contrib/mhchem';
import bounds from '../content/bounds.json' with { type: 'json' };
import { formulaOf, withoutTexts } from '../content/formulas.ts';
import latex from '../content/latex.json' with { type: 'json' };
import type { Span } from '../content/positions.ts';
import type { FormulaProblem } from './rule.ts';

/**
 * What is wrong with a formula; undefined when KaTeX renders it as it is written.
 *
 * @param text the formula with its dollars
 */
export function formulaProblem(text: string): FormulaProblem | undefined {
  const { tex, display } = formulaOf(text);
  const defines = definition.test(tex);
  const most = defines ? bounds.formulaWithDefinitions : bounds.formula;
  if (tex.length > most)
    return unset(`This formula is longer than ${most} characters. Split it.`, whole(tex));
  const characters: Token[] = [];
  const untrusted: string[] = [];
  const strict: StrictFunction = (code, _message, token) => {
    const isCharacter = code === 'unknownSymbol' || code === 'unicodeTextInMathMode';
    if (isCharacter && !eastAsianPunctuation.test((token as Token).text ?? ''))
      characters.push(token as Token);
    return 'ignore';
  };
  const trust = ({ command }: TrustContext) => {
    untrusted.push(command);
    return false;
  };
  let markup: string;
  try {
    // Only MathML: HTML fails for the same formulas and takes three times as long.
    const options = {
      displayMode: display,
      throwOnError: true,
      output: 'mathml',
      strict,
      trust,
    } as const;
    markup = katex.renderToString(
      tex,
      defines ? { ...options, maxExpand: bounds.expansions } : options,
    );
  } catch (error) {
    if (error instanceof katex.ParseError) return ofParseError(tex, error as ParseFault);
    if (error instanceof RangeError)
      return unset('This formula is nested too deeply. Simplify it.', whole(tex));
    // What mhchem throws is no error of JavaScript, and its messages are for its authors.
    if (!(error instanceof Error))
      return unset('\\ce and \\pu do not accept this formula.', whole(tex));
    // KaTeX also throws other errors for input it does not expect.
    return unset(`KaTeX cannot render this formula: ${sentence(error.message)}`, whole(tex));
  }
  const comment = ofComment(tex);
  if (comment) return { ...comment, certain: isPercent(text) };
  const [command] = untrusted;
  if (command !== undefined)
    return unset(`${command} is not allowed in formulas.`, ofWord(tex, command));
  const shared = sharedDefinition.exec(tex)?.[0];
  if (shared !== undefined) {
    const message = `${shared} changes the other formulas of a page. Use \\def, or write the formula without it.`;
    return unset(message, ofWord(tex, shared));
  }
  if (
    Array.from(markup.matchAll(writtenLength), ([, em]) => Number(em)).some(isTooLong) ||
    wideRowGap.test(tex)
  ) {
    const [place = tex] = lengthCommand.exec(tex) ?? [];
    return unset(
      `A length in this formula is more than ${bounds.formulaLength} em. Make it shorter.`,
      ofWord(tex, place),
    );
  }
  const doubled = ofDoubled(tex);
  return doubled ?? ofCharacters(tex, characters);
}

/** Two backslashes before the name of a command are a line break and letters. */
function ofDoubled(tex: string): FormulaProblem | undefined {
  for (const { 0: found, 1: name = '', index: start } of tex.matchAll(
    /\\\\([a-zA-Z]{3,30})|\\[\s\S]/g,
  )) {
    if (name === '' || !isDefined?.(`\\${name}`)) continue;
    const message = `${found} is a line break and the letters ${name}. Write \\${name}, which is "\\\\${name}" in the file.`;
    return unset(message, { start, end: start + found.length }, `\\${name}`);
  }
  return undefined;
}

/** Looks the same in any font, and is usual between formulas. */
const eastAsianPunctuation =
  /^[\u3000-\u3030\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]$/;

const definition = /\\(?:[egx]?def|(?:re)?newcommand|providecommand|(?:future)?let)(?![a-zA-Z])/;

/** Definitions for all formulas of a page, where an app renders them together, and the same for one formula. */
const sharedDefinition = /\\(?:gdef|xdef|global)(?![a-zA-Z])/;

/** A length in MathML. That of a gap between rows is only in HTML. */
const writtenLength = /="-?([\d.]+)em"/g;
const wideRowGap = /\\\\\s*\[\s*-?\d{3,}/;
const lengthCommand =
  /\\(?:rule|[hm]?kern|[hm]?space|[hm]skip|raisebox|above|genfrac|\\)(?![a-zA-Z])/;

function isTooLong(em: number): boolean {
  return em > bounds.formulaLength;
}

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

function unset(message: string, { start, end }: Span, suggestion?: string): FormulaProblem {
  return { kind: 'unset', message, start, end, suggestion };
}

function ofParseError(tex: string, error: ParseFault): FormulaProblem {
  if (error.rawMessage.startsWith('Too many expansions'))
    return unset(
      'The commands of this formula expand without end. Write the formula without them.',
      whole(tex),
    );
  const place = placeOf(tex, error);
  const [, name = ''] =
    /^(?:Undefined control sequence|No such environment): (.+)$/s.exec(error.rawMessage) ?? [];
  const instead = commands.get(name);
  const advice = instead === undefined ? adviceFor.get(name) : `Write ${instead}.`;
  if (advice !== undefined)
    return unset(
      `${name} is not supported in formulas. ${advice}`,
      place ?? ofWord(tex, name),
      instead,
    );
  if (name.startsWith('\\'))
    return unset(`Unknown command ${name}.`, place ?? ofWord(tex, name), meantCommand(name));
  const [, column] = /^Unknown column alignment: (.)/su.exec(error.rawMessage) ?? [];
  if (column !== undefined) {
    const message = `"${column}" is not a column type. Write l, c or r for each column, and | for a line.`;
    return unset(message, place ?? whole(tex));
  }
  const [, displayed] = /^\{(.+)\} can be used only in display mode/.exec(error.rawMessage) ?? [];
  if (displayed !== undefined) {
    const message = `${displayed} needs a formula on its own line: write $$...$$${inlineEnvironments.get(displayed) ?? '.'}`;
    return unset(message, place ?? ofWord(tex, displayed));
  }
  const [, odd] = /^Expected 'EOF', got '(.+)'$/s.exec(error.rawMessage) ?? [];
  const message =
    odd === undefined
      ? `KaTeX cannot render this formula: ${sentence(error.rawMessage)}`
      : `Unexpected ${odd}. Remove it, or add what is missing before it.`;
  if (!place) return unset(message, whole(tex));
  if (place.start < tex.trimEnd().length) return unset(message, place);
  const open = unclosed(tex);
  if (open) return unset(`${tex.slice(open.start, open.end)} is not closed in this formula.`, open);
  return unset(message, lastWord(tex));
}

/** The place of an error; undefined when it is in the expansion of a macro. */
function placeOf(tex: string, { message, position, length = 0 }: ParseFault): Span | undefined {
  if (position === undefined) return undefined;
  const end = position + length;
  const around = tex.slice(Math.max(0, position - shownAround), end + shownAround);
  const shown = message.replaceAll(underline, '').replaceAll('…', '');
  if (end > tex.length || !shown.endsWith(around.replaceAll('…', ''))) return undefined;
  // KaTeX includes the space after a command.
  return { start: position, end: position + tex.slice(position, end).trimEnd().length };
}

/** The message of KaTeX has this much of the formula around the place, which it underlines character by character. */
const shownAround = 15;
const underline = '\u0332';

function whole(tex: string): Span {
  return { start: 0, end: tex.length };
}

function ofWord(tex: string, word: string): Span {
  const start = tex.indexOf(word);
  return start < 0 ? whole(tex) : { start, end: start + word.length };
}

function lastWord(tex: string): Span {
  const end = tex.trimEnd().length;
  const word = /(?:\\[a-zA-Z]+|\\?[\s\S])$/.exec(tex.slice(Math.max(0, end - 50), end))?.[0] ?? '';
  return word === '' ? whole(tex) : { start: end - word.length, end };
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/** A percent sign begins a comment, which KaTeX leaves out without an error. */
function ofComment(tex: string): FormulaProblem | undefined {
  const [before] = /^(?:[^\\%]|\\[\s\S])*/.exec(tex) ?? [''];
  const start = before.length;
  return tex[start] === '%'
    ? unset('LaTeX ignores everything after a %.', { start, end: start + 1 }, '\\%')
    : undefined;
}

/** Whether each percent sign of a formula is a sign: KaTeX renders the formula with it, and no comment ends in a line. */
function isPercent(text: string): boolean {
  const escaped = text.replace(/\\[\s\S]|%/g, (sign) => (sign === '%' ? '\\%' : sign));
  return !/(?<!\\)%.*\n/.test(text) && formulaProblem(escaped) === undefined;
}

/** Characters in \text{...} are rendered like the words around them. */
function ofCharacters(tex: string, tokens: readonly Token[]): FormulaProblem | undefined {
  if (tokens.length === 0) return undefined;
  const math = withoutTexts(tex);
  const token = tokens.find(({ text = '', loc }) => loc && math.startsWith(text, loc.start));
  if (!token?.loc) return undefined;
  const { text = '', loc } = token;
  const message = `KaTeX renders ${text} in another font. Put words in \\text{...}.`;
  const suggestion = /^\p{Sc}$/u.test(text) ? `\\text{${text}}` : characterCommands.get(text);
  return { kind: 'character', message, start: loc.start, end: loc.end, suggestion };
}

/** Characters that keyboards and word processors put into formulas, and the LaTeX for them. */
const characterCommands = new Map(Object.entries(latex.characters));
/** Commands that KaTeX does not have, and the same in KaTeX. */
const commands = new Map(Object.entries(latex.commands));
/** Commands and environments that KaTeX does not have, and how to write the formula without them. */
const adviceFor = new Map(Object.entries(latex.advice));
/** Environments for formulas on their own line, and those for formulas between words. */
const inlineEnvironments = new Map(Object.entries(latex.inline));

const pairs = /\\(?:left|right)(?![a-zA-Z])|\\(begin|end)\s*\{[^{}]{0,50}\}|\\[\s\S]|[{}]/g;

/** The innermost brace, `\left` or `\begin{...}` that is still open at the end; undefined when all are closed. */
function unclosed(tex: string): Span | undefined {
  const open: (Span & { readonly kind: string })[] = [];
  for (const { 0: found, 1: environment, index: start } of tex.matchAll(pairs)) {
    const sign = /^[{}]/.test(found) ? 'brace' : 'delimiter';
    const kind = environment ? 'environment' : sign;
    if (found === '{' || found === '\\left' || environment === 'begin')
      open.push({ kind, start, end: start + found.length });
    else if (
      (found === '}' || found === '\\right' || environment === 'end') &&
      open.at(-1)?.kind === kind
    )
      open.pop();
  }
  return open.at(-1);
}

/**
 * The command from which one slip of typing makes an unknown one: two letters are swapped, or one is doubled, missing or
 * wrong. A short name is similar to many, and the start of a name is an abbreviation, perhaps of a package. KaTeX exports
 * no list of its commands, so each similar name is tried.
 */
function meantCommand(command: string): string | undefined {
  const [, name] = /^\\([a-zA-Z]{4,30})$/.exec(command) ?? [];
  if (name === undefined) return undefined;
  for (const meant of similarNames(name))
    if (!meant.startsWith(name) && isCommand(`\\${meant}`)) return `\\${meant}`;
  return undefined;
}

const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The names from which a slip makes another, the likeliest slips first. */
function* similarNames(name: string): Generator<string> {
  const places = Array.from(
    name,
    (at, index) => [name.slice(0, index), at, name.slice(index + 1)] as const,
  );
  for (const [before, at, after] of places) yield before + after.slice(0, 1) + at + after.slice(1);
  for (const [before, at, after] of places) if (before.endsWith(at)) yield before + after;
  for (const [before, at, after] of places)
    for (const letter of letters) yield before + letter + at + after;
  // With one letter replaced, each short name is another: \cosx is not \cosh.
  if (name.length < 5) return;
  for (const [before, , after] of places)
    for (const letter of letters) yield before + letter + after;
}

/** Whether KaTeX has a command, and not only in `\text{...}`. */
function isCommand(command: string): boolean {
  if (!isDefined?.(command)) return false;
  try {
    katex.renderToString(`${command}{x}{x}`, { strict: false, output: 'mathml' });
    return true;
  } catch (error) {
    return !(error as Error).message.includes('Undefined control sequence');
  }
}

/** KaTeX gives macros a function that returns whether a command exists. */
let isDefined: ((command: string) => boolean) | undefined;
katex.renderToString('\\ask', {
  macros: {
    '\\ask': (context: object) => {
      isDefined = (context as { isDefined: (command: string) => boolean }).isDefined.bind(context);
      return '';
    },
  },
});
