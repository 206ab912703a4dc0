import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PageLoad } from './page-load.ts';
import { medianLoad, overBudget, pageTable } from './page-table.ts';

const light: PageLoad = {
  ...{ requests: 5, bytes: 20_000, bytesBeforeUsable: 17_250 },
  ...{ firstPaint: 120, largestPaint: 150, usable: 180, blocked: 0, shift: 0 },
};
const slow: PageLoad = {
  ...light,
  firstPaint: 1500,
  largestPaint: 2000,
  usable: 2250,
  blocked: 71,
  shift: 0.0042,
};
const heavy: PageLoad = { ...light, bytes: 400_000, bytesBeforeUsable: 250_001 };

describe('The results of page loads', () => {
  it('are the medians of each value', () => {
    const loads = [light, { ...light, usable: 90, blocked: 12 }, { ...slow, blocked: 3 }];
    assert.deepEqual(medianLoad(loads), { ...light, usable: 180, blocked: 3 });
  });

  it('are formatted as a Markdown table with a row for each page, the phone second', () => {
    const [head = '', rule = '', row = ''] = pageTable([
      { path: '/docs/', machine: [light], phone: [slow] },
    ]).split('\n');
    assert.equal(
      row,
      '| `/docs/` | 5 | 20.0 | 17.3 / 17.3 | 0.12 / 1.50 | 0.15 / 2.00 | 0.18 / 2.25 | 0 / 71 | 0.000 / 0.004 |',
    );
    for (const line of [head, rule]) assert.equal(line.split('|').length, row.split('|').length);
  });

  it('report pages over the budget at either speed, by their medians', () => {
    const page = (path: string, machine: PageLoad[], phone: PageLoad[]) => ({ path, machine, phone });
    const pages = [
      page('/once/', [light, heavy, light], [slow, slow, heavy]),
      page('/phone/', [light], [heavy]),
      page('/machine/', [heavy], [slow]),
      page('/on-it/', [{ ...light, bytesBeforeUsable: 250_000 }], [slow]),
    ];
    assert.deepEqual(overBudget(pages, 250_000), ['/phone/', '/machine/']);
  });
});
