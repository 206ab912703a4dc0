import { visit } from 'jsonc-parser';

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

/** The index of the last of numbers in order that is not above a value; 0 where all are. */
export function lastAtMost(ordered: readonly number[], value: number): number {
  let low = 0;
  let high = ordered.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((ordered[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Where a value stands, and the name of the property that has it. Strings with their quotes. */
export interface PlacedValue extends Stretch {
  readonly name?: Stretch;
}

/**
 * Finds values in a JSON text by their pointers. Of each array and object on the way, the places of its
 * items are found once, and passed over without a look inside: neither how large the text is nor how deep
 * it is nested matters. A text that is no JSON has no values that could be relied on, but ends.
 */
export class ValueIndex {
  readonly #text: string;
  readonly #items = new Map<number, ReadonlyMap<string, PlacedValue>>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The value that a pointer (RFC 6901) names; the nearest value around it where it names nothing. */
  find(pointer: string): PlacedValue {
    let value = this.#root();
    for (const escaped of pointer.split('/').slice(1)) {
      const inner = this.#itemsOf(value).get(escaped.replaceAll('~1', '/').replaceAll('~0', '~'));
      if (!inner) return value;
      value = inner;
    }
    return value;
  }

  #root(): PlacedValue {
    const start = this.#text.length - this.#text.trimStart().length;
    return { start, end: Math.max(start, this.#text.trimEnd().length) };
  }

  #itemsOf({ start, end }: PlacedValue): ReadonlyMap<string, PlacedValue> {
    const known = this.#items.get(start);
    if (known) return known;
    const items = this.#text[start] === '{' ? this.#properties(start + 1, end) : this.#list(start, end);
    this.#items.set(start, items);
    return items;
  }

  /** Of two properties of one name the last one, as JSON.parse has it. */
  #properties(from: number, end: number): Map<string, PlacedValue> {
    const properties = new Map<string, PlacedValue>();
    let at = this.#pastSpace(from);
    while (at < end && this.#text[at] === '"') {
      const name = { start: at, end: this.#pastString(at) };
      const start = this.#pastSpace(this.#pastSpace(name.end) + 1);
      const value = { start, end: this.#pastValue(start), name };
      properties.set(stringOf(this.#text.slice(name.start, name.end)), value);
      at = this.#pastSpace(this.#pastSpace(value.end) + 1);
    }
    return properties;
  }

  #list(from: number, end: number): Map<string, PlacedValue> {
    const items = new Map<string, PlacedValue>();
    if (this.#text[from] !== '[') return items;
    let start = this.#pastSpace(from + 1);
    while (start < end - 1) {
      const value = { start, end: this.#pastValue(start) };
      items.set(String(items.size), value);
      start = this.#pastSpace(this.#pastSpace(value.end) + 1);
    }
    return items;
  }

  #pastSpace(from: number): number {
    let at = from;
    while (isSpace(this.#text.charCodeAt(at))) at += 1;
    return at;
  }

  #pastString(from: number): number {
    const { length } = this.#text;
    let at = from + 1;
    for (; at < length; at += 1) {
      const unit = this.#text.charCodeAt(at);
      if (unit === backslash) at += 1;
      else if (unit === quote) return at + 1;
    }
    return length;
  }

  #pastValue(from: number): number {
    const { length } = this.#text;
    let depth = 0;
    let at = from;
    while (at < length) {
      const character = this.#text[at] ?? '';
      if (character === '"') at = this.#pastString(at);
      else if (character === '{' || character === '[') {
        depth += 1;
        at += 1;
      } else if (character === '}' || character === ']') {
        if (depth === 0) return at;
        depth -= 1;
        at += 1;
      } else if (depth === 0) return this.#pastWord(at);
      else {
        at += 1;
        continue;
      }
      if (depth === 0) return at;
    }
    return length;
  }

  /** A number, `true`, `false` or `null`; at least one character, so that any text comes to its end. */
  #pastWord(from: number): number {
    let at = from + 1;
    while (/[\w.+-]/.test(this.#text[at] ?? '')) at += 1;
    return at;
  }
}

const quote = 0x22;
const backslash = 0x5c;

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

function stringOf(json: string): string {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** A stretch of a text: offsets in UTF-16 units, the end exclusive. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** A property's name that an object holds twice: JSON.parse takes the last one and says nothing. */
export interface DuplicateName {
  readonly name: string;
  /** JSON pointer (RFC 6901) to the object. */
  readonly pointer: string;
  /** The name with its quotes, where it stands first, and where it stands again. */
  readonly first: Stretch;
  readonly again: Stretch;
}

/**
 * Every name that stands again in its object, in the order of the text, however it is escaped.
 *
 * @param text that JSON.parse accepts; one nested deeper than the stack holds is passed over
 */
export function duplicateNames(text: string): DuplicateName[] {
  const found: DuplicateName[] = [];
  const objects: Map<string, Stretch>[] = [];
  try {
    visit(text, {
      onObjectBegin: () => void objects.push(new Map()),
      onObjectEnd: () => void objects.pop(),
      onObjectProperty: (name, offset, length, _line, _character, pathOf) => {
        const again = { start: offset, end: offset + length };
        const names = objects.at(-1);
        const first = names?.get(name);
        if (first) found.push({ name, pointer: pointerOf(pathOf()), first, again });
        else names?.set(name, again);
      },
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return found;
}

function pointerOf(path: readonly (string | number)[]): string {
  return path.map((part) => `/${escapePointer(String(part))}`).join('');
}

/** A property's name as part of a JSON pointer (RFC 6901, 3). */
export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
