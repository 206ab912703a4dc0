import { lastAtMost } from './last-at-most.ts';

/** A stretch of a text. Lines and columns count from 1; columns in UTF-16 units, the end exclusive. */
export interface Range {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export const startOfFile: Range = { line: 1, column: 1, endLine: 1, endColumn: 1 };

/** The lines of a text, found once. */
export class Lines {
  readonly #text: string;
  /** Offsets of the lines' first characters. */
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#text = text;
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#starts = starts;
  }

  /** @param start and `end` are offsets in UTF-16 units */
  range(start: number, end: number): Range {
    const [line, column] = this.#position(start);
    const [endLine, endColumn] = this.#position(end);
    return { line, column, endLine, endColumn };
  }

  /** A line's text without its end, from 1; undefined where the text has no such line. */
  text(line: number): string | undefined {
    const start = this.#starts[line - 1];
    if (start === undefined) return undefined;
    return this.#text.slice(start, this.#starts[line] ?? this.#text.length).replace(/\r?\n$/, '');
  }

  #position(offset: number): readonly [line: number, column: number] {
    const line = lastAtMost(this.#starts, offset);
    return [line + 1, offset - (this.#starts[line] ?? 0) + 1];
  }
}
