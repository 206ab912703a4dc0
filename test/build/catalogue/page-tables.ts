import assert from 'node:assert/strict';

/** The cells of a table of a page, row by row, the head first. @param region name of the place that it scrolls in */
export function tableIn(page: string, region: string): string[][] {
  const start = page.indexOf(`aria-label="${region}"`);
  assert.ok(start >= 0, `There is no ${region}`);
  const table = page.slice(start, page.indexOf('</table>', start));
  return [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => textOf(cell)),
  );
}

/** Markup as it reads. */
export function textOf(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/\s+/g, ' ')
    .trim();
}

/** What its rows say, under the names of their columns and after the names of the rows. */
export function numbersIn(page: string, region: string): Record<string, Record<string, number>> {
  const [head = [], ...rows] = tableIn(page, region);
  return Object.fromEntries(
    rows.map(([name = '', ...cells]) => [
      name,
      Object.fromEntries(cells.map((cell, index) => [head[index + 1], Number(cell.replaceAll(',', ''))])),
    ]),
  );
}
