/** From here on Unicode has scripts whose characters are about twice as wide as Latin ones, and emoji. */
const firstWide = 0x1100;

const ellipsis = '…';

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Breaks a text into lines for an SVG, which breaks none itself: between words where it can, inside a word
 * that is longer than a line. What does not fit ends in an ellipsis.
 *
 * @param width of a line, in Latin letters
 * @param most lines
 */
export function linesOf(text: string, width: number, most: number): string[] {
  const lines: string[] = [];
  let rest = text.trim().replace(/\s+/gu, ' ');
  while (rest !== '' && lines.length < most) {
    const isLast = lines.length === most - 1;
    const line =
      isLast && widthOf(rest) > width ? `${fitting(rest, width - 1)}${ellipsis}` : firstLine(rest, width);
    lines.push(line);
    rest = rest.slice(line.length).trimStart();
  }
  return lines;
}

function firstLine(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const line = fitting(text, width);
  const lastSpace = text[line.length] === ' ' ? line.length : line.lastIndexOf(' ');
  return lastSpace > 0 ? line.slice(0, lastSpace) : line;
}

/** The longest beginning of a text that is no wider; no character is cut apart. */
function fitting(text: string, width: number): string {
  let end = 0;
  let left = width;
  for (const { segment } of characters.segment(text)) {
    left -= characterWidth(segment);
    if (left < 0) break;
    end += segment.length;
  }
  return text.slice(0, end).trimEnd();
}

function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of characters.segment(text)) width += characterWidth(segment);
  return width;
}

function characterWidth(character: string): number {
  const [code = 0] = [character.codePointAt(0)];
  // Punctuation such as dashes and quotation marks stands above the first wide script.
  const isWide = code >= firstWide && !(code >= 0x1e00 && code < 0x2e80);
  return isWide ? 2 : 1;
}
