import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { NamedTally } from '../../../build/site/catalogue/catalogue.ts';
import {
  barChart,
  barsOf,
  heatLevels,
  heatMap,
  maxOf,
  shadeOf,
} from '../../../build/site/catalogue/charts.ts';
import { html } from '../../../build/site/html.ts';
import { textOf } from './page-tables.ts';

function row(name: string, easy: number, medium: number, hard: number, unrated = 0): NamedTally {
  return { name, tally: { easy, medium, hard, unrated } };
}

const counts = fc.nat({ max: 5000 });
const anyRows = fc.array(
  fc.tuple(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }), counts, counts, counts),
  { minLength: 1, maxLength: 60 },
);

function chartOf(rows: readonly NamedTally[]): string {
  return barChart({ title: 'Questions by topic', noun: 'topic', rows }).text;
}

describe('The bars of a chart', () => {
  it('follow each other from the left, in proportion to their counts', () => {
    const [bar] = barsOf([row('Optics', 10, 5, 25)], 80);
    assert.deepEqual(bar, [
      { difficulty: 'easy', count: 10, left: 0, width: 12.5 },
      { difficulty: 'medium', count: 5, left: 12.5, width: 6.25 },
      { difficulty: 'hard', count: 25, left: 18.75, width: 31.25 },
    ]);
  });

  it('have no segment for a count of 0', () => {
    const bars = barsOf([row('Optics', 0, 2, 0), row('Waves', 0, 0, 0)], 2);
    assert.deepEqual(bars, [[{ difficulty: 'medium', count: 2, left: 0, width: 100 }], []]);
  });

  it('stay within the chart, whatever the counts are', () => {
    fc.assert(
      fc.property(anyRows, (tuples) => {
        const rows = tuples.map((parts) => row(...parts));
        for (const bar of barsOf(rows, maxOf(rows)))
          for (const { left, width } of bar) assert.ok(left >= 0 && width >= 0 && left + width <= 100.01);
      }),
    );
  });
});

describe('A chart', () => {
  const rows = [row('Optics', 4, 3, 2), row('Waves', 0, 1, 0)];

  it('draws bars in SVG with classes, without inline styles or scripts', () => {
    const chart = chartOf(rows);
    assert.equal(chart.match(/<svg width="100%" height="18" role="img"/g)?.length, 2);
    assert.doesNotMatch(chart, /style=|<style|<script|url\(|#[0-9a-f]{6}\b/);
  });

  it('describes each bar in words', () => {
    assert.match(chartOf(rows), /<ul class="chart" aria-label="Bar chart: Questions by topic">/);
    const words = [...chartOf(rows).matchAll(/role="img" aria-label="(.*?)"/g)].map(([, label]) => label);
    assert.deepEqual(words, ['4 easy, 3 medium, 2 hard', '1 medium']);
  });

  it('shows the same numbers as its table', () => {
    const drawn = [...chartOf(rows).matchAll(/<text class="on-(\w+)".*?>(.*?)<\/text>/g)];
    assert.deepEqual(
      drawn.map(([, difficulty, count]) => `${count} ${difficulty}`),
      ['4 easy', '3 medium', '2 hard', '1 medium'],
    );
    const names = [...chartOf(rows).matchAll(/<li>(.*?)<svg/gs)].map(([, name = '']) => textOf(name));
    assert.deepEqual(names, ['Optics 9', 'Waves 1']);
    assert.match(chartOf(rows), /<th scope="row">Optics<\/th><td>4<\/td><td>3<\/td><td>2<\/td><td>9<\/td>/);
  });

  it('shows the first rows only, and says how many more the table has', () => {
    const many = Array.from({ length: 400 }, (_, index) => row(`Topic ${index}`, 0, 3, 0));
    const svg = chartOf(many);
    assert.equal(svg.match(/<rect/g)?.length, 24);
    assert.equal(svg.match(/<tr>/g)?.length, 401);
    assert.ok(textOf(svg).includes('376 more topics with 1,128 questions in the table.'));
  });

  it('shows a number that does not fit as a tooltip', () => {
    const svg = chartOf([row('Optics', 1, 0, 999)]);
    assert.ok(svg.includes('>999</text>') && !svg.includes('<title>999'));
    assert.ok(!svg.includes('>1</text>') && svg.includes('<title>1 easy</title>'));
  });

  it('escapes names', () => {
    const nasty = `</text></svg><script>alert("1")</script> & 'more' <!-- ]]> \u202e`;
    const svg = chartOf([row(nasty, 1, 2, 3)]);
    assert.doesNotMatch(svg, /<script|<!--|alert\("/);
    assert.ok(textOf(svg).includes('alert("1")'));
  });

  it('gives the same bytes for the same numbers', () => {
    fc.assert(
      fc.property(anyRows, (tuples) => {
        const rows = tuples.map((parts) => row(...parts));
        assert.equal(chartOf(rows), chartOf(structuredClone(rows)));
      }),
      { numRuns: 20 },
    );
  });
});

describe('The levels of a heat map', () => {
  it('begin at round numbers', () => {
    assert.deepEqual(
      heatLevels(1000).map(({ from, to }) => [from, to]),
      [
        [1, 199],
        [200, 399],
        [400, 599],
        [600, 799],
        [800, 1000],
      ],
    );
  });

  it('are one per count for a small maximum, and none for a maximum of 0', () => {
    assert.deepEqual(heatLevels(0), []);
    assert.deepEqual(heatLevels(2), [
      { from: 1, to: 1, shade: 3 },
      { from: 2, to: 2, shade: 5 },
    ]);
  });

  it('give every count one shade, and a larger count no lighter one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (most, share) => {
          const levels = heatLevels(most);
          const count = Math.max(1, Math.floor(most * share));
          const [shade, next] = [shadeOf(levels, count), shadeOf(levels, Math.min(most, count + 1))];
          assert.ok(levels.length <= 5);
          assert.ok(shade !== undefined && next !== undefined && 1 <= shade && shade <= next && next <= 5);
          assert.equal(levels.filter(({ from, to }) => from <= count && count <= to).length, 1);
          assert.equal(shadeOf(levels, most), 5);
        },
      ),
    );
  });

  it('have no shade for 0', () => assert.equal(shadeOf(heatLevels(10), 0), undefined));
});

describe('A heat map', () => {
  const map = heatMap(
    'Questions by exam and year',
    ['2025', '2024'],
    [
      { name: html`${'A & B'}`, counts: [0, 1200] },
      { name: html`${'<i>'}`, counts: [600, 40] },
    ],
  ).text;

  it('shows the number in every shaded cell', () => {
    const cells = [...map.matchAll(/<td class="shade-(\d)">([\d,]+)<\/td>/g)].map(([, shade, count]) => [
      count,
      shade,
    ]);
    assert.deepEqual(cells, [
      ['1,200', '5'],
      ['600', '3'],
      ['40', '2'],
    ]);
    assert.match(map, /<td class="none"><span class="unseen">0<\/span><\/td>/);
  });

  it('adds up its rows and escapes their names', () => {
    assert.match(map, /<th scope="row">A &#38; B<\/th>.*<td class="all">1,200<\/td>/);
    assert.match(map, /<th scope="row">&#60;i&#62;<\/th>.*<td class="all">640<\/td>/);
  });

  it('explains its shades', () => {
    assert.match(textOf(map), /1–499 500–999 1,000–1,200/);
  });
});
