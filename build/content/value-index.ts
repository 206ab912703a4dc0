import type { Stretch } from './duplicate-names.ts';

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
