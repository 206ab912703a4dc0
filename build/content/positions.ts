/** Positions in the text of a content file: of JSON values by their pointers, and of offsets as lines and columns. */
import { type Node, parseTree, visit } from 'jsonc-parser';

/** A part of a text: offsets in UTF-16 units, the end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A part of a text. Lines and columns count from 1; columns in UTF-16 units, the end exclusive. */
export interface Range {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export const startOfFile: Range = { line: 1, column: 1, endLine: 1, endColumn: 1 };

/** A line of a file, or a piece of a long one. */
export interface SourceLine {
  readonly line: number;
  /** The column of the piece's first character, from 1. */
  readonly column: number;
  readonly text: string;
}

/** UTF-16 units of a long line that are shown before and after the column in question. */
const shownAround = 400;

/** The text of a file, in which positions are found. It is parsed when the first position is asked for. */
export class Source {
  readonly #text: string;
  #lineStarts: readonly number[] | undefined;
  #root: Node | undefined;
  /** The values of objects that were asked for, by name: an object may have very many. */
  readonly #values = new Map<Node, ReadonlyMap<unknown, Node | undefined>>();

  /** @param text without a byte order mark, which takes no column */
  constructor(text: string) {
    this.#text = text;
  }

  /**
   * The range of the value that a JSON pointer (RFC 6901) names, or of the nearest value around it.
   *
   * @param part the property's name rather than its value, or a part of a string (UTF-16 units of the value)
   */
  valueRange(pointer: string, part?: 'name' | Span): Range {
    const { start, end } = this.#partOf(this.#find(pointer), part);
    return this.range(start, end);
  }

  /** The value that a JSON pointer names, as it is written. */
  written(pointer: string): string {
    const { offset, length } = this.#find(pointer);
    return this.#text.slice(offset, offset + length);
  }

  /** @param start and `end` are offsets in UTF-16 units */
  range(start: number, end: number): Range {
    const [line, column] = this.#position(start);
    const [endLine, endColumn] = this.#position(end);
    return { line, column, endLine, endColumn };
  }

  span({ line, column, endLine, endColumn }: Range): Span {
    const starts = this.#starts();
    const offset = (line: number, column: number) => (starts[line - 1] ?? 0) + column - 1;
    return { start: offset(line, column), end: offset(endLine, endColumn) };
  }

  /** The first line of a range, and one before and after. */
  excerpt({ line, column }: Range): SourceLine[] {
    return [line - 1, line, line + 1].flatMap((number) => {
      const text = this.#lineText(number);
      if (text === undefined) return [];
      const at = number === line ? column - 1 : 0;
      const start = Math.max(0, at - shownAround);
      return { line: number, column: start + 1, text: text.slice(start, at + shownAround) };
    });
  }

  #find(pointer: string): Node {
    const whole = this.#whole();
    if (pointer === '') return whole;
    this.#root ??= treeOf(this.#text) ?? whole;
    let node = this.#root;
    for (const escaped of pointer.split('/').slice(1)) {
      const inner = this.#childOf(node, escaped.replaceAll('~1', '/').replaceAll('~0', '~'));
      if (!inner) break;
      node = inner;
    }
    return node;
  }

  /** The value of a property, or an item; the last one of properties with one name, as in JSON.parse. */
  #childOf(node: Node, name: string): Node | undefined {
    const { type, children = [] } = node;
    if (type === 'array') return children[Number(name)];
    const values =
      this.#values.get(node) ??
      new Map(children.map((property) => [property.children?.[0]?.value, property.children?.[1]]));
    this.#values.set(node, values);
    return values.get(name);
  }

  /** The text without the space around it. */
  #whole(): Node {
    const offset = this.#text.length - this.#text.trimStart().length;
    return { type: 'object', offset, length: Math.max(0, this.#text.trimEnd().length - offset) };
  }

  #partOf(node: Node, part: 'name' | Span | undefined): Span {
    if (part === undefined) return spanOf(node);
    if (part === 'name')
      return spanOf((node.parent?.type === 'property' && node.parent.children?.[0]) || node);
    return node.type === 'string' ? this.#partOfString(spanOf(node), part) : spanOf(node);
  }

  /** The offsets in the file of a part of a string's value. An escape is several characters of the file. */
  #partOfString(string: Span, { start, end }: Span): Span {
    const last = string.end - 1;
    const offsetOf = (unit: number, from: number, at: number): number => {
      let offset = at;
      for (let count = from; count < unit && offset < last; count += 1) {
        if (this.#text[offset] !== '\\') offset += 1;
        else offset += this.#text[offset + 1] === 'u' ? 6 : 2;
      }
      return offset;
    };
    const first = offsetOf(start, 0, string.start + 1);
    return { start: first, end: offsetOf(end, start, first) };
  }

  #position(offset: number): readonly [line: number, column: number] {
    const starts = this.#starts();
    const line = lastAtMost(starts, offset);
    return [line + 1, offset - (starts[line] ?? 0) + 1];
  }

  /** A line without its end, from 1; undefined where the text has no such line. */
  #lineText(line: number): string | undefined {
    const starts = this.#starts();
    const start = starts[line - 1];
    if (start === undefined) return undefined;
    return this.#text.slice(start, starts[line] ?? this.#text.length).replace(/\r?\n$/, '');
  }

  #starts(): readonly number[] {
    if (this.#lineStarts) return this.#lineStarts;
    const starts = [0];
    for (let at = this.#text.indexOf('\n'); at >= 0; at = this.#text.indexOf('\n', at + 1))
      starts.push(at + 1);
    this.#lineStarts = starts;
    return starts;
  }
}

/** The index of the last of some ordered numbers that is not above a value; 0 where all are. */
function lastAtMost(ordered: readonly number[], value: number): number {
  let low = 0;
  let high = ordered.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((ordered[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Undefined for a text that is not JSON, or that is nested deeper than the parser's stack. */
function treeOf(text: string): Node | undefined {
  try {
    return parseTree(text);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function spanOf({ offset, length }: Node): Span {
  return { start: offset, end: offset + length };
}

/** A property name that occurs twice in an object: JSON.parse uses the last one and reports nothing. */
interface DuplicateName {
  readonly name: string;
  readonly pointer: string;
  /** The name with its quotes, where it occurs first, and where it occurs again. */
  readonly first: Span;
  readonly again: Span;
}

/**
 * Every property name that occurs again in its object, in the order of the text, however it is escaped.
 *
 * @param text that JSON.parse accepts; none are found in one that is nested deeper than the parser's stack
 */
export function duplicateNames(text: string): DuplicateName[] {
  const found: DuplicateName[] = [];
  const objects: Map<string, Span>[] = [];
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
