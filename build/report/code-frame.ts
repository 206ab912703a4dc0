import stringWidth from 'string-width';
import type { Location } from '../check/diagnostic.ts';
import type { Range, SourceLine } from '../content/positions.ts';
import { codePointsOf, type Paint, type Tone, visible } from './wording.ts';

interface FrameSetting {
  /** Columns of the terminal; from 40 on, no line of a frame is longer. */
  readonly width: number;
  /** Colour of the underline. */
  readonly tone: Tone;
  readonly paint: Paint;
}

/** Columns left of the line number (the pointer) and right of it (the vertical rule). */
const margin = { left: 4, right: 3 };

/** Least columns for source text, however narrow the terminal. */
const leastRoom = 20;

/**
 * Formats the source lines around a location, numbered, with the range underlined. Of a range over several lines the
 * first and the last are underlined, and every line gets a pointer. Written here because `@babel/code-frame` neither fits
 * lines to the terminal's width nor measures wide and combining characters.
 *
 * @returns lines without line breaks; none for a file without text
 */
export function codeFrame({ excerpt, ...range }: Location, { width, tone, paint }: FrameSetting): string[] {
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
    rows.push(`${isInside(line, range) ? pointer : blank}${rule(`${line}`)}${shown && ` ${shown}`}`);
    if (marked > 0) rows.push(`${blank}${rule('')} ${' '.repeat(indent)}${paint(tone, '^'.repeat(marked))}`);
  }
  return rows;
}

/** Returns the underlined part of a line, in UTF-16 units of its excerpt. */
function markOf({ line, column, text }: SourceLine, range: Range): Mark | undefined {
  const start = range.column - column;
  const end = range.endColumn - column;
  if (line === range.line) return { start, end: line === range.endLine ? end : text.length, keeps: 'start' };
  if (line !== range.endLine || !isInside(line, range)) return undefined;
  const indent = column === 1 ? text.length - text.trimStart().length : 0;
  return { start: Math.min(indent, end - 1), end, keeps: 'end' };
}

/** A range that ends before the first character of a line does not include that line. */
function isInside(line: number, range: Range): boolean {
  if (line === range.line) return true;
  return line > range.line && (line < range.endLine || (line === range.endLine && range.endColumn > 1));
}

/** A part of a line, in UTF-16 units of its excerpt; the end is exclusive. An empty part lies between two characters. */
interface Mark {
  readonly start: number;
  readonly end: number;
  /** The side to keep when the part does not fit. */
  readonly keeps: 'start' | 'end';
}

/** As much of a line as there is room for. */
interface Fitted {
  readonly shown: string;
  /** Columns before what is marked, and columns that are. */
  readonly indent: number;
  readonly marked: number;
}

/** A half-open range of cells. */
interface Window {
  readonly from: number;
  readonly to: number;
}

const cut = '…';
const noMark: Window = { from: 0, to: 0 };

/**
 * Cuts a line to the room there is, around what is marked in it; without a mark, its start is kept.
 *
 * @param room in columns of the terminal
 */
function fit({ text, column }: SourceLine, mark: Mark | undefined, room: number): Fitted {
  const cells = cellsOf(text);
  const marked = mark ? markedCells(cells, mark) : noMark;
  const lead = column > 1 ? cut : '';
  const fits = lead.length + widthOf(cells) <= room;
  const whole = { from: 0, to: cells.length };
  const window = fits ? whole : around(cells, marked, room - 2 * cut.length, mark?.keeps);
  const before = window.from > 0 ? cut : lead;
  const after = window.to < cells.length ? cut : '';
  const kept = cells.slice(window.from, window.to).map(({ shown }) => shown);
  return {
    shown: `${before}${kept.join('')}${after}`.trimEnd(),
    indent: before.length + widthOf(cells.slice(window.from, marked.from)),
    marked: widthOf(cells.slice(Math.max(window.from, marked.from), Math.min(window.to, marked.to))),
  };
}

/** The cells that a mark touches. One between two characters, or behind the last, is shown on what follows. */
function markedCells(cells: Cell[], { start, end }: Mark): Window {
  const from = cells.findIndex((cell) => cell.end > start);
  if (from < 0) {
    const length = cells.at(-1)?.end ?? 0;
    cells.push({ start: length, end: length + 1, shown: ' ', width: 1 });
    return { from: cells.length - 1, to: cells.length };
  }
  const to = cells.findIndex((cell) => cell.start >= end);
  return { from, to: Math.max(from + 1, to < 0 ? cells.length : to) };
}

/** The widest window that there is room for, with as much on either side of what is marked. */
function around(
  cells: readonly Cell[],
  marked: Window,
  room: number,
  keeps: Mark['keeps'] = 'start',
): Window {
  let { from, to } = marked;
  let left = room - widthOf(cells.slice(from, to));
  const take = (index: number, leaving = 0): boolean => {
    const width = cells[index]?.width ?? Number.POSITIVE_INFINITY;
    if (left - width < leaving) return false;
    left -= width;
    return true;
  };
  if (left < 0) {
    left = room;
    // A third is for what leads to the stretch: the name of the property, mostly.
    if (keeps === 'start') {
      for (to = from; take(to, room / 3); ) to += 1;
      while (take(from - 1)) from -= 1;
    } else {
      for (from = to; take(from - 1, room / 3); ) from -= 1;
      while (take(to)) to += 1;
    }
  }
  for (;;) {
    const before = take(from - 1);
    if (before) from -= 1;
    const after = take(to);
    if (after) to += 1;
    if (!before && !after) return { from, to };
  }
}

/** A character as a reader knows it (a grapheme cluster of UAX #29), as a terminal shows it. */
interface Cell {
  /** Where it stands in its text, in UTF-16 units; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly shown: string;
  /** In columns of the terminal; never 0, so that every character can be pointed at. */
  readonly width: number;
}

/** What a tab is shown as that indents a line; elsewhere it is made visible. */
const tab = '    ';

const segmenter = new Intl.Segmenter();

/**
 * Between two characters of ASCII there is always a boundary. Where others stand, those beside them may belong
 * to them, and only there is the segmenter asked, which is slow.
 */
const parts = /(?:[ -~]?[^ -~]+)+[ -~]?|[ -~]/g;

/** The characters of a line of text, from left to right. */
function cellsOf(line: string): Cell[] {
  const indent = line.length - line.trimStart().length;
  return Array.from(line.matchAll(parts), ({ 0: part, index }) => {
    if (/^[ -~]$/.test(part)) return [{ start: index, end: index + 1, shown: part, width: 1 }];
    const clusters = Array.from(segmenter.segment(part), ({ segment, index: at }) =>
      cellsOfCluster(segment, index + at, index + at < indent),
    );
    return clusters.flat();
  }).flat();
}

/** How many columns cells take. */
function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { width }) => sum + width, 0);
}

/** One cell; of a cluster that hides something, one for each code point. */
function cellsOfCluster(cluster: string, start: number, indents: boolean): Cell[] {
  if (cluster === '\t' && indents) return [{ start, end: start + 1, shown: tab, width: tab.length }];
  const width = stringWidth(cluster);
  if (width > 0 && visible(cluster) === cluster)
    return [{ start, end: start + cluster.length, shown: cluster, width }];
  let end = start;
  return Array.from(cluster, (character) => {
    const shown = stringWidth(character) > 0 ? visible(character) : unseen(character);
    end += character.length;
    return { start: end - character.length, end, shown, width: stringWidth(shown) };
  });
}

/** What has no width, and may have a picture all the same. */
function unseen(character: string): string {
  const shown = visible(character);
  return shown === character ? codePointsOf(character) : shown;
}
