import type { SourceLine } from '../content/source.ts';
import { type Cell, cellsOf, widthOf } from './cells.ts';

/**
 * A stretch of a line, in UTF-16 units of the text that is given of it; the end is exclusive. A stretch of no
 * length is a place between two characters.
 */
export interface Mark {
  readonly start: number;
  readonly end: number;
  /** What is kept of a stretch that there is no room for. */
  readonly keeps: 'start' | 'end';
}

/** As much of a line as there is room for. */
export interface Fitted {
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
export function fit({ text, column }: SourceLine, mark: Mark | undefined, room: number): Fitted {
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
