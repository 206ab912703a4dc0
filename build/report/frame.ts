import type { Range } from '../content/position.ts';
import type { SourceLine } from '../content/source.ts';
import type { Location } from './diagnostic.ts';
import { fit, type Mark } from './fit.ts';
import type { Paint, Tone } from './paint.ts';

export interface FrameSetting {
  /** Columns of the terminal; from 40 on, no line of a frame is longer. */
  readonly width: number;
  /** Of what marks the stretch. */
  readonly tone: Tone;
  readonly paint: Paint;
}

/** Columns before and behind the number of a line: a pointer to what is marked, and a rule. */
const margin = { left: 4, right: 3 };

/** A line is never cut below this, however narrow the terminal. */
const leastRoom = 20;

/**
 * The lines around a place, numbered, and the stretch underlined. Of a stretch over several lines, the
 * first and the last are underlined, and every line is pointed at.
 *
 * @returns lines without line breaks; none for a place in a file without text
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

/** What of a line is underlined, in UTF-16 units of its piece. */
function markOf({ line, column, text }: SourceLine, range: Range): Mark | undefined {
  const start = range.column - column;
  const end = range.endColumn - column;
  if (line === range.line) return { start, end: line === range.endLine ? end : text.length, keeps: 'start' };
  if (line !== range.endLine || !isInside(line, range)) return undefined;
  const indent = column === 1 ? text.length - text.trimStart().length : 0;
  return { start: Math.min(indent, end - 1), end, keeps: 'end' };
}

/** A stretch that ends before the first character of a line does not reach into it. */
function isInside(line: number, range: Range): boolean {
  if (line === range.line) return true;
  return line > range.line && (line < range.endLine || (line === range.endLine && range.endColumn > 1));
}
