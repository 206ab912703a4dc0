import { styleText } from 'node:util';
import stringWidth from 'string-width';
import type { Location } from '../check/diagnostic.ts';
import type { Range, SourceLine } from '../content/positions.ts';
import { codePointsOf, visible, withoutCommands } from './wording.ts';

/** What a colour stands for. */
export type Tone = 'error' | 'warning' | 'related' | 'place' | 'message' | 'suggestion' | 'aside';

/** Colours a text of one line. */
export type Paint = (tone: Tone, text: string) => string;

const styles = {
  error: ['bold', 'red'],
  warning: ['bold', 'yellow'],
  related: ['bold', 'cyan'],
  place: ['bold'],
  message: ['bold'],
  suggestion: ['green'],
  aside: ['gray'],
} as const satisfies Record<Tone, readonly Parameters<typeof styleText>[0][]>;

/** Returns a function that colours text with ANSI escapes, or leaves it plain. */
export function painter(colour: boolean): Paint {
  if (!colour) return (_tone, text) => text;
  return (tone, text) =>
    text === '' ? '' : styleText([...styles[tone]], text, { validateStream: false });
}

/** Columns left of the line number (the pointer) and right of it (the vertical rule). */
const margin = { left: 4, right: 3 };

/** Least columns for source text, however narrow the terminal. */
const leastRoom = 20;

/**
 * Formats the source lines around a location, numbered, with the range underlined. Of a range over several lines the
 * first and the last are underlined, and every line gets a pointer. `@babel/code-frame` neither fits lines to the
 * terminal's width nor measures wide and combining characters.
 *
 * @param width columns of the terminal; from 40 on, no line of a frame is longer
 * @param tone colour of the underline
 * @returns lines without line breaks; none for a file without text
 */
export function codeFrame(
  { excerpt, ...range }: Location,
  width: number,
  tone: Tone,
  paint: Paint,
): string[] {
  const digits = String(excerpt.at(-1)?.line ?? 0).length;
  const room = Math.max(leastRoom, width - margin.left - digits - margin.right);
  const blank = ' '.repeat(margin.left);
  const pointer = `  ${paint(tone, '>')} `;
  const rule = (number: string) => paint('aside', `${number.padStart(digits)} │`);
  const rows: string[] = [];
  let next = excerpt[0]?.line;
  for (const source of excerpt) {
    const { line, text } = source;
    if (line > range.endLine && text === '') break;
    if (line !== next) rows.push(paint('aside', '…'.padStart(margin.left + digits)));
    next = line + 1;
    const { shown, indent, marked } = fit(source, markOf(source, range), room);
    rows.push(
      `${isInside(line, range) ? pointer : blank}${rule(String(line))}${shown && ` ${shown}`}`,
    );
    if (marked > 0)
      rows.push(`${blank}${rule('')} ${' '.repeat(indent)}${paint(tone, '^'.repeat(marked))}`);
  }
  return rows;
}

/** A part of a line, in UTF-16 units of its excerpt; the end is exclusive. An empty part is between two characters. */
interface Mark {
  readonly start: number;
  readonly end: number;
}

function markOf({ line, column, text }: SourceLine, range: Range): Mark | undefined {
  const start = range.column - column;
  const end = range.endColumn - column;
  if (line === range.line) return { start, end: line === range.endLine ? end : text.length };
  if (line !== range.endLine || !isInside(line, range)) return undefined;
  const indent = column === 1 ? text.length - text.trimStart().length : 0;
  return { start: Math.min(indent, end - 1), end };
}

/** A range that ends before the first character of a line does not include that line. */
function isInside(line: number, { line: first, endLine, endColumn }: Range): boolean {
  return line === first || (line > first && line < endLine) || (line === endLine && endColumn > 1);
}

const cut = '…';

/**
 * Cuts a line to the room: it begins at its start, or some columns before a mark that is further to the right. The end
 * of a line fills the room.
 *
 * @returns what is shown, the columns before the mark, and those of the mark
 */
function fit({ text, column }: SourceLine, mark: Mark | undefined, room: number) {
  const cells = cellsOf(text);
  const { from, to } = mark ? markedCells(cells, mark) : { from: 0, to: 0 };
  const lead = column > 1 ? cut : '';
  let first = 0;
  let last = cells.length;
  if (lead.length + widthOf(cells) > room) {
    const columns = room - 2 * cut.length;
    if (widthOf(cells.slice(0, to)) > columns)
      first = Math.min(
        from - countFitting(cells.slice(0, from).toReversed(), columns / 3),
        cells.length - countFitting(cells.toReversed(), columns),
      );
    last = first + countFitting(cells.slice(first), columns);
  }
  const before = first > 0 ? cut : lead;
  const shown = cells.slice(first, last).map((cell) => cell.shown);
  return {
    shown: withoutCommands(`${before}${shown.join('')}${last < cells.length ? cut : ''}`.trimEnd()),
    indent: before.length + widthOf(cells.slice(first, from)),
    marked: widthOf(cells.slice(from, Math.min(last, to))),
  };
}

/** Counts the first cells that fit into a number of columns. */
function countFitting(cells: readonly Cell[], columns: number): number {
  let width = 0;
  for (const [index, cell] of cells.entries()) {
    width += cell.width;
    if (width > columns) return index;
  }
  return cells.length;
}

/** The cells that a mark touches. One between two characters, or after the last, is shown on what follows. */
function markedCells(cells: Cell[], { start, end }: Mark) {
  const length = cells.at(-1)?.end ?? 0;
  if (start >= length) cells.push({ start: length, end: length + 1, shown: ' ', width: 1 });
  const from = cells.findIndex((cell) => cell.end > start);
  const to = cells.findIndex((cell) => cell.start >= end);
  return { from, to: Math.max(from + 1, to < 0 ? cells.length : to) };
}

/** A character as a reader sees it (a grapheme cluster of UAX #29), as a terminal shows it. */
interface Cell {
  /** Offsets in its text, in UTF-16 units; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly shown: string;
  /** In columns of the terminal; never 0, so that every character can be underlined. */
  readonly width: number;
}

/** How a tab is shown that indents a line. */
const tab = '    ';

const segmenter = new Intl.Segmenter();

/** Between two ASCII characters there is always a boundary. The segmenter, which is slow, finds the others. */
const parts = /(?:[ -~]?[^ -~]+)+[ -~]?|[ -~]/g;

/** The characters of a line of text, from left to right. */
function cellsOf(line: string): Cell[] {
  const indent = line.length - line.trimStart().length;
  return Array.from(line.matchAll(parts)).flatMap(({ 0: part, index }) => {
    if (/^[ -~]$/.test(part)) return [{ start: index, end: index + 1, shown: part, width: 1 }];
    const clusters = [...segmenter.segment(part)];
    return clusters.flatMap(({ segment, index: at }) =>
      cellsOfCluster(segment, index + at, index + at < indent),
    );
  });
}

function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { width }) => sum + width, 0);
}

/** One cell; for a cluster with invisible characters, one for each code point. */
function cellsOfCluster(cluster: string, start: number, indents: boolean): Cell[] {
  if (cluster === '\t' && indents)
    return [{ start, end: start + 1, shown: tab, width: tab.length }];
  const width = stringWidth(cluster);
  if (width > 0 && visible(cluster) === cluster)
    return [{ start, end: start + cluster.length, shown: cluster, width }];
  let end = start;
  return Array.from(cluster, (character) => {
    const picture = visible(character);
    const shown =
      picture === character && stringWidth(character) === 0 ? codePointsOf(character) : picture;
    end += character.length;
    return { start: end - character.length, end, shown, width: stringWidth(shown) };
  });
}
