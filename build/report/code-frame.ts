import { styleText } from 'node:util';
import stringWidth from 'string-width';
import type { Location } from '../check/diagnostic.ts';
import type { SourceLine, Span } from '../content/positions.ts';
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
 * Formats the source lines around the start of a location, numbered, with the first line of the range underlined.
 * `@babel/code-frame` neither cuts lines to the terminal's width nor measures wide characters.
 *
 * @param width columns of the terminal; from 40 on, no line of a frame is longer
 * @param tone colour of the underline
 * @returns lines without line breaks; none for a file without text
 */
export function codeFrame(
  { excerpt, line, column, endLine, endColumn }: Location,
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
  for (const source of excerpt) {
    const isMarked = source.line === line;
    if (source.line > line && source.text === '') break;
    const start = column - source.column;
    const end = endLine === line ? endColumn - source.column : source.text.length;
    const { shown, indent, marked } = fit(source, isMarked ? { start, end } : undefined, room);
    rows.push(`${isMarked ? pointer : blank}${rule(String(source.line))}${shown && ` ${shown}`}`);
    if (isMarked)
      rows.push(`${blank}${rule('')} ${' '.repeat(indent)}${paint(tone, '^'.repeat(marked))}`);
  }
  return rows;
}

const cut = '…';

const segmenter = new Intl.Segmenter();

/**
 * Cuts a line to the room: it begins at its start, or half the room before a mark that is further to the right.
 *
 * @returns what is shown, the columns before the mark, and those of the mark
 */
function fit({ text, column }: SourceLine, mark: Span | undefined, room: number) {
  const { start, end } = mark ?? { start: 0, end: 0 };
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
