import assert from 'node:assert/strict';

/** Returns the cells of a table by row, with the header first. @param region name of the scrolling region around it */
export function tableIn(page: string, region: string): string[][] {
  const start = page.indexOf(`aria-label="${region}"`);
  assert.ok(start >= 0, `There is no ${region}`);
  const table = page.slice(start, page.indexOf('</table>', start));
  return [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => textOf(cell)),
  );
}

/** Returns the text of HTML. */
export function textOf(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns the numbers of a table by row and column. */
export function numbersIn(page: string, region: string): Record<string, Record<string, number>> {
  const [head = [], ...rows] = tableIn(page, region);
  return Object.fromEntries(
    rows.map(([name = '', ...cells]) => [
      name,
      Object.fromEntries(
        cells.map((cell, index) => [head[index + 1], Number(cell.replaceAll(',', ''))]),
      ),
    ]),
  );
}
