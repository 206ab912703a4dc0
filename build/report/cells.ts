import stringWidth from 'string-width';
import { codePointsOf, visible } from './visible.ts';

/** A character as a reader knows it (a grapheme cluster of UAX #29), as a terminal shows it. */
export interface Cell {
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
export function cellsOf(line: string): Cell[] {
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
export function widthOf(cells: readonly Cell[]): number {
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
