import type { DiagramReference, Question } from '../content/types.ts';
import latex from '../rules/latex.json' with { type: 'json' };

/**
 * A 53-bit hash of a stretch of a text, made without a copy of it: two multiplicative hashes over two UTF-16 units at a
 * time. Equal texts have equal hashes; different texts hardly ever do. It is no protection against deliberate collisions.
 */
export function textHash(text: string, start = 0, end = text.length): number {
  let high = 0x9e3779b9;
  let low = 0x7f4a7c15 ^ (end - start);
  for (let at = start; at < end; at += 2) {
    const units = text.charCodeAt(at) | (at + 1 < end ? text.charCodeAt(at + 1) << 16 : 0);
    high = Math.imul(high ^ units, 0x85ebca6b);
    high ^= high >>> 15;
    low = Math.imul(low ^ units, 0x5bd1e995);
    low ^= low >>> 13;
  }
  return joined(high, low);
}

/**
 * The hash of what makes a question the same as another one: its text, in which line breaks and repeated spaces do not
 * count, and its options in any order. Of an option, its first characters are enough: questions with the same hash are
 * compared.
 */
export function questionHash({ question, options }: ComparedTexts): number {
  let sum = textHash(withSingleSpaces(question)) % exactSum;
  for (const { value = '' } of options)
    sum += textHash(value, 0, Math.min(value.length, hashedStart)) % exactSum;
  return sum;
}

/** UTF-16 units. */
const hashedStart = 12;

interface ComparedTexts extends Pick<Question, 'question'> {
  readonly options: readonly {
    readonly value?: string | undefined;
    readonly diagram?: DiagramReference | undefined;
  }[];
}

/** The sum of 32 smaller numbers is exact in any order: a question has at most 26 options. */
const exactSum = 2 ** 48;

/** What two questions with the same hash are compared by. */
export function questionTexts({ question, options }: ComparedTexts): string[] {
  const shown = options.map(
    ({ value = '', diagram }) => `${value}${diagram ? `\n${diagram.file}` : ''}`,
  );
  return [withSingleSpaces(question), ...shown.sort()];
}

/** A text with single spaces. Most texts have no others and are returned as they are. */
function withSingleSpaces(text: string): string {
  return text.includes('\n') || text.includes('  ') ? text.replace(/\s+/g, ' ').trim() : text;
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

const backslash = 0x5c;
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
  return joined(high, low);
}

/** The 53 bits of two 32-bit hashes that a number can hold. */
function joined(high: number, low: number): number {
  return mixed(high ^ low) * 2 ** 21 + (mixed(low) >>> 11);
}

/** Spreads the last units over all bits. */
function mixed(word: number): number {
  let bits = word;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
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
