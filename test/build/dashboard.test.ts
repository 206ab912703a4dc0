import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { barsOf, mostOf } from '../../build/site/dashboard/browser/bars.ts';
import {
  comingOf,
  dateOf,
  daysIn,
  distanceOf,
  fieldDateOf,
  momentOf,
  monthOf,
  secondsToEndOf,
  utcDayOf,
} from '../../build/site/dashboard/browser/moments.ts';
import { sentenceOfReturn } from '../../build/site/dashboard/browser/returns.ts';
import { dashboardPages } from '../../build/site/dashboard/pages.ts';
import { countOf, numberOf } from '../../build/site/numbers.ts';
import { pageScript } from '../../build/site/page-script.ts';

// Five and a half hours ahead of UTC, without summer time; the moments below are on other days there.
process.env['TZ'] = 'Asia/Kolkata';

describe('The scripts of the dashboard', () => {
  it('make no markup of text, keep nothing in the browser, and import nothing', async () => {
    for (const { script } of dashboardPages('/neet/2024/s1/physics.json')) {
      assert.doesNotMatch(
        (await pageScript(script)).toString(),
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|localStorage|sessionStorage|\bimport\b|https?:\/\/(?!www\.w3\.org\/2000\/svg)/,
        script,
      );
    }
  });
});

describe('A moment in the dashboard', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const after = (seconds: number) => new Date(now + seconds * 1000).toISOString();

  it('is told by the day of the person, and of usage by the day in UTC', () => {
    assert.equal(dateOf('2026-11-03T20:00:00Z'), '4 Nov 2026');
    assert.match(momentOf('2026-11-03T20:00:00Z'), /^4 November 2026 at 01:30:00/);
    assert.equal(utcDayOf('2026-12-01T00:00:00.000Z'), '1 December 2026');
    assert.equal(utcDayOf('2026-11-09'), '9 November 2026');
    assert.equal(monthOf('2026-11'), 'November 2026');
  });

  for (const [seconds, text] of [
    [-30, 'just now'],
    [0, 'just now'],
    [30, 'in less than a minute'],
    [-60, '1 minute ago'],
    [-7199, '1 hour ago'],
    [5 * 3600, 'in 5 hours'],
    [-86_399, '23 hours ago'],
    [-21 * 86_400, '21 days ago'],
  ] as const) {
    it(`is told by its distance: ${text}`, () => assert.equal(distanceOf(after(seconds), now), text));
  }

  it('to come is told by its distance when it is near', () => {
    assert.equal(comingOf(after(86_400), now), 'in 1 day');
    assert.equal(comingOf(after(3 * 86_400), now), '24 Nov 2026');
  });

  it('that ends a day is the person’s midnight', () => {
    assert.equal(secondsToEndOf('2026-11-21', now), 6.5 * 3600);
    assert.equal(secondsToEndOf('2026-12-31', now), 6.5 * 3600 + 40 * 86_400);
    assert.equal(fieldDateOf(Date.parse('2026-11-03T20:00:00Z')), '2026-11-04');
  });

  it('is in a month of so many days', () => {
    for (const [month, days] of [
      ['2026-11', 30],
      ['2026-12', 31],
      ['2027-02', 28],
      ['2028-02', 29],
    ] as const) {
      assert.equal(daysIn(month), days, month);
    }
  });
});

describe('The bars of a month', () => {
  const days = [0, 1, 4000].map((used, index) => ({ day: `2026-11-0${index + 1}`, used }));

  it('are as high as the day’s share of the day that had the most, and never nothing for something', () => {
    assert.deepEqual(
      barsOf(days, 30, 100).map(({ height }) => height),
      [0, 2, 100],
    );
    assert.equal(mostOf(days), 4000);
  });

  it('stand in the place of their day, within the whole month', () => {
    for (const [index, { left, width }] of barsOf(days, 30, 100).entries()) {
      assert.ok(left > (100 / 30) * index && left + width < (100 / 30) * (index + 1));
    }
  });

  it('are none without days, and flat without requests', () => {
    assert.deepEqual(barsOf([], 30, 100), []);
    assert.equal(mostOf([]), 0);
    assert.equal(barsOf(days.slice(0, 1), 30, 100)[0]?.height, 0);
  });
});

describe('Words of the dashboard', () => {
  it('count', () => {
    assert.equal(numberOf(1_000_000), '1,000,000');
    assert.equal(countOf(1, 'request'), '1 request');
    assert.equal(countOf(1000, 'request'), '1,000 requests');
  });

  it('never repeat what an address says, and know what it means in any spelling', () => {
    assert.equal(sentenceOfReturn('INVALID_TOKEN'), sentenceOfReturn('Invalid token'));
    for (const code of ['<b>', 'constructor', '__proto__', '']) {
      assert.equal(sentenceOfReturn(code), 'Signing in did not work. Try it again, or in another way.');
    }
  });
});
