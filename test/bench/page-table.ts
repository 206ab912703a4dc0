import { inOrder, quantile } from './figures.ts';
import type { PageLoad } from './page-load.ts';

/** The loads of a page, at full speed and like on a phone. */
export interface PageLoads {
  readonly path: string;
  readonly machine: readonly PageLoad[];
  readonly phone: readonly PageLoad[];
}

/** The median of each value. */
export function medianLoad(loads: readonly PageLoad[]): PageLoad {
  const median = (figure: keyof PageLoad) => quantile(inOrder(loads.map((load) => load[figure])), 0.5);
  return {
    requests: median('requests'),
    bytes: median('bytes'),
    bytesBeforeUsable: median('bytesBeforeUsable'),
    firstPaint: median('firstPaint'),
    largestPaint: median('largestPaint'),
    usable: median('usable'),
    blocked: median('blocked'),
    shift: median('shift'),
  };
}

/** The medians of pages as a Markdown table; the second of two values in a cell is that of the phone. */
export function pageTable(pages: readonly PageLoads[]): string {
  const rows = pages.map(({ path, machine, phone }) => row(path, medianLoad(machine), medianLoad(phone)));
  return [
    '| Page | Requests | KB in all | KB before usable | First paint, s | Largest paint, s | Usable, s | Blocked, ms | Layout shift |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** The pages whose median of bytes before usable is over the budget. */
export function overBudget(pages: readonly PageLoads[], budget: number): string[] {
  return pages
    .filter(({ machine, phone }) =>
      [machine, phone].some((loads) => medianLoad(loads).bytesBeforeUsable > budget),
    )
    .map(({ path }) => path);
}

function row(path: string, machine: PageLoad, phone: PageLoad): string {
  const both = (tell: (load: PageLoad) => string) => `${tell(machine)} / ${tell(phone)}`;
  const cells = [
    `\`${path}\``,
    machine.requests,
    inKilobytes(machine.bytes),
    both(({ bytesBeforeUsable }) => inKilobytes(bytesBeforeUsable)),
    both(({ firstPaint }) => inSeconds(firstPaint)),
    both(({ largestPaint }) => inSeconds(largestPaint)),
    both(({ usable }) => inSeconds(usable)),
    both(({ blocked }) => blocked.toFixed(0)),
    both(({ shift }) => shift.toFixed(3)),
  ];
  return `| ${cells.join(' | ')} |`;
}

function inKilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}

function inSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(2);
}
