import type { Stretch } from './duplicate-names.ts';
import { Lines, type Range } from './position.ts';
import { type PlacedValue, ValueIndex } from './value-index.ts';

/** A line of a file, or a piece of a long one. */
export interface SourceLine {
  /** From 1. */
  readonly line: number;
  /** The column of the piece's first character, from 1. */
  readonly column: number;
  readonly text: string;
}

/** Of a long line, so many UTF-16 units are shown before and behind the column that counts. */
const shownAround = 400;

/** The text of a file, in which places are found. It is looked through as far as they call for. */
export class Source {
  readonly #text: string;
  #lines: Lines | undefined;
  #values: ValueIndex | undefined;

  /** @param text without a byte order mark, which takes no column */
  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Where the value stands that a JSON pointer (RFC 6901) names; the nearest value around it where it names
   * nothing.
   *
   * @param part the property's name rather than its value, or a stretch of a text (UTF-16 units of the value)
   */
  valueRange(pointer: string, part?: 'name' | Stretch): Range {
    this.#values ??= new ValueIndex(this.#text);
    const value = this.#values.find(pointer);
    const { start, end } = this.#partOf(value, part);
    return this.range(start, end);
  }

  /** Where a stretch of the text stands: offsets in UTF-16 units. */
  range(start: number, end: number): Range {
    this.#lines ??= new Lines(this.#text);
    return this.#lines.range(start, end);
  }

  /** The lines of a range, one before and one behind; of many, the first and the last. */
  excerpt({ line, column, endLine, endColumn }: Range): SourceLine[] {
    this.#lines ??= new Lines(this.#text);
    const shown = new Set([line - 1, line, line + 1, endLine - 1, endLine, endLine + 1]);
    const excerpt: SourceLine[] = [];
    for (const number of [...shown].filter((one) => one >= line - 1 && one <= endLine + 1)) {
      const text = this.#lines.text(number);
      if (text === undefined) continue;
      const at = number === line ? column : number === endLine ? endColumn : 1;
      const start = Math.max(0, at - 1 - shownAround);
      excerpt.push({ line: number, column: start + 1, text: text.slice(start, at - 1 + shownAround) });
    }
    return excerpt;
  }

  #partOf(value: PlacedValue, part: 'name' | Stretch | undefined): Stretch {
    if (part === undefined) return value;
    if (part === 'name') return value.name ?? value;
    return this.#text[value.start] === '"' ? this.#escaped(value, part) : value;
  }

  /** Offsets in the file of a stretch of a string's value: an escape is one or two of its units. */
  #escaped(string: Stretch, { start, end }: Stretch): Stretch {
    const last = string.end - 1;
    const offsetOf = (unit: number, from: number, at: number): number => {
      let here = at;
      for (let count = from; count < unit && here < last; count += 1) {
        if (this.#text[here] !== '\\') here += 1;
        else here += this.#text[here + 1] === 'u' ? 6 : 2;
      }
      return here;
    };
    const first = offsetOf(start, 0, string.start + 1);
    return { start: first, end: offsetOf(end, start, first) };
  }
}
