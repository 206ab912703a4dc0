import { styleText } from 'node:util';
import stringWidth from 'string-width';
import type { Location } from '../check/diagnostic.ts';
import type { Range, SourceLine } from '../content/positions.ts';
import { visible, withoutCommands } from './wording.ts';

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
 * first and the last are underlined, and every line gets a pointer. `@babel/code-frame` neither cuts lines to the
 * terminal's width nor measures wide characters.
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

/** How a tab is shown that indents a line. */
const tab = '    ';

const segmenter = new Intl.Segmenter();

/**
 * Cuts a line to the room: it begins at its start, or half the room before a mark that is further to the right.
 *
 * @returns what is shown, the columns before the mark, and those of the mark
 */
function fit({ text: written, column }: SourceLine, mark: Mark | undefined, room: number) {
  const [tabs = ''] = /^\t*/.exec(written) ?? [];
  const text = tab.repeat(tabs.length) + written.slice(tabs.length);
  const offset = (at: number) => at + (tab.length - 1) * Math.min(at, tabs.length);
  const start = offset(mark?.start ?? 0);
  const end = offset(mark?.end ?? 0);
  const isLong = stringWidth(shownText(text)) >= room;
  const half = Math.floor(room / 2);
  const before = [start, half - 1, Math.floor(half / 2) - 1, 0]
    .map((units) => Math.max(0, start - units))
    .map((from) => (from > 0 || column > 1 ? cut : '') + shownText(text.slice(from, start)))
    .find((shown) => !isLong || stringWidth(shown) <= half);
  const indent = stringWidth(before ?? '');
  const marked = shownText(text.slice(start, end));
  return {
    shown: withoutCommands(
      cutTo(`${before}${marked}${shownText(text.slice(end))}`, room).trimEnd(),
    ),
    indent,
    marked: mark ? Math.max(1, Math.min(stringWidth(marked), room - indent)) : 0,
  };
}

/** A text with symbols for invisible characters. */
function shownText(text: string): string {
  return Array.from(text, visible).join('');
}

function cutTo(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let shown = '';
  let width = cut.length;
  for (const { segment } of segmenter.segment(text)) {
    width += stringWidth(segment);
    if (width > columns) break;
    shown += segment;
  }
  return shown + cut;
}
