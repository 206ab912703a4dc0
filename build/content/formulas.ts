import latex from './latex.json' with { type: 'json' };
import type { Span } from './positions.ts';
import { backslash, joinedHash, nextDollar, textHash, visitFormulas } from './question.ts';

/** A formula in a text: `$...$`, or `$$...$$` on a line of its own. */
export interface Formula {
  readonly tex: string;
  /** Offsets of the LaTeX in the text, without the dollars. */
  readonly start: number;
  readonly end: number;
  readonly display: boolean;
  /** Its offsets with the dollars. */
  readonly outer: Span;
}

/** The formulas of a text, and the offset of an unclosed dollar; -1 when there is none. */
export function formulasOf(text: string): {
  readonly formulas: readonly Formula[];
  readonly openAt: number;
} {
  const formulas: Formula[] = [];
  let last = 0;
  const loose = visitFormulas(text, (start, end) => {
    formulas.push(formulaOf(text.slice(start, end), start));
    last = end;
  });
  return { formulas, openAt: loose < 0 ? -1 : nextDollar(text, last) };
}

/** @returns a function that returns the formula at an offset, to be called with offsets in ascending order */
export function formulaFinder(text: string): (offset: number) => Formula | undefined {
  const { formulas } = formulasOf(text);
  let index = 0;
  return (offset) => {
    while ((formulas[index]?.end ?? Number.POSITIVE_INFINITY) <= offset) index += 1;
    const formula = formulas[index];
    return formula && formula.start <= offset ? formula : undefined;
  };
}

/** A text with its formulas replaced by a character, so that offsets stay the same. */
export function proseOf(text: string, character = ' '): string {
  let prose = '';
  let last = 0;
  visitFormulas(text, (start, end) => {
    prose += text.slice(last, start) + character.repeat(end - start);
    last = end;
  });
  return prose + text.slice(last);
}

/** The offsets of all dollars that may be delimiters. */
export function dollarsOf(text: string): number[] {
  const dollars: number[] = [];
  for (let at = nextDollar(text, 0); at >= 0; at = nextDollar(text, at + 1)) dollars.push(at);
  return dollars;
}

/** @param text a formula with its dollars @param offset of the formula in the text that holds it */
export function formulaOf(text: string, offset = 0): Formula {
  const display = text.startsWith('$$');
  const dollars = display ? 2 : 1;
  const tex = text.slice(dollars, -dollars);
  const outer = { start: offset, end: offset + text.length };
  return { tex, start: outer.start + dollars, end: outer.end - dollars, display, outer };
}

/** LaTeX with its texts (`\text{...}`) replaced by spaces. */
export function withoutTexts(tex: string): string {
  let rest = '';
  let last = 0;
  for (const { 0: command, index } of tex.matchAll(/\\(?:text[a-z]*|[mhf]box)\s*\{/g)) {
    if (index < last) continue;
    const from = index + command.length;
    const end = closingBrace(tex, from);
    rest += tex.slice(last, from) + ' '.repeat(end - from);
    last = end;
  }
  return rest + tex.slice(last);
}

function closingBrace(tex: string, from: number): number {
  let depth = 1;
  for (let at = from; at < tex.length; at += 1) {
    if (tex[at] === '\\') at += 1;
    else if (tex[at] === '{') depth += 1;
    else if (tex[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return tex.length;
}

/**
 * The hash of a formula's shape. KaTeX treats all letters alike, and all digits: if it accepts `$12\,\mathrm{kg}$`, it
 * accepts `$47\,\mathrm{cm}$`. Formulas have the same shape when they differ only in letters and digits outside
 * commands, and use only commands that treat all letters and digits alike. Every other formula has its own shape.
 *
 * @param start offset of the formula in the text, with its dollars
 */
export function formulaHash(text: string, start: number, end: number): number {
  return sharedShapeHash(text, start, end) ?? textHash(text, start, end);
}

/** The formulas of most banks have far fewer shapes. Without a limit, a set fails at 2^24. */
const mostFormulas = 2 ** 20;

/** Adds hashes to those of known valid formulas, unless these are very many. KaTeX checks any other formula again. */
export function rememberFormulas(known: Set<number>, hashes: Iterable<number>): void {
  for (const hash of hashes) if (known.size < mostFormulas) known.add(hash);
}

const anyLetter = 0x78;
const anyDigit = 0x30;

/** Returns undefined for a formula that shares its shape with no other. */
function sharedShapeHash(text: string, start: number, end: number): number | undefined {
  let high = 0x2545f491;
  let low = 0x4f6cdd1d ^ (end - start);
  let commandEnd = start;
  for (let at = start; at < end; at += 1) {
    let unit = text.charCodeAt(at);
    if (at >= commandEnd) {
      if (unit === backslash) {
        commandEnd = endOfCommand(text, at + 1, end);
        if (!uniformCommands.has(text.slice(at + 1, commandEnd))) return undefined;
      } else if (isLetter(unit)) unit = anyLetter;
      else if (unit >= 0x30 && unit <= 0x39) unit = anyDigit;
      // A comment hides what follows. Characters beyond ASCII may be missing from the font.
      else if (unit > 0x7e || unit === 0x25) return undefined;
    }
    high = Math.imul(high ^ unit, 0x85ebca6b);
    high ^= high >>> 15;
    low = Math.imul(low ^ unit, 0x5bd1e995);
    low ^= low >>> 13;
  }
  return joinedHash(high, low);
}

/** The offset after the letters of a command, or after its only character. */
function endOfCommand(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isLetter(text.charCodeAt(at))) at += 1;
  return at === from ? from + 1 : at;
}

function isLetter(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a);
}

/** Commands after which letters and digits have no special meaning. A missing one costs time in KaTeX, nothing else. */
const uniformCommands: ReadonlySet<string> = new Set(latex.uniform);
