import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { defaultBank } from '../../build/release/config.ts';
import { pageScript } from '../../build/site/assets.ts';
import {
  dateOf,
  dateTimeOf,
  daysIn,
  monthOf,
  relativeTimeOf,
  returnErrorMessage,
  upcomingDateOf,
  utcDateOf,
} from '../../build/site/browser/dashboard/texts.ts';
import { dashboardPages } from '../../build/site/dashboard/pages.ts';

// UTC+05:30 without daylight saving time. The times below are on another day there.
const { TZ } = process.env;
process.env['TZ'] = 'Asia/Kolkata';
after(() => {
  if (TZ === undefined) delete process.env['TZ'];
  else process.env['TZ'] = TZ;
});

it('The scripts of the dashboard insert no HTML, store nothing in the browser, and import nothing', async () => {
  for (const { script } of dashboardPages(defaultBank, '/neet/2024/s1/physics.json')) {
    assert.doesNotMatch(
      (await pageScript(script)).toString(),
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|localStorage|sessionStorage|\bimport\b|https?:\/\//,
      script,
    );
  }
});

describe('Dates in the dashboard', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const after = (seconds: number) => new Date(now + seconds * 1000).toISOString();

  it('are in local time, and in UTC for usage', () => {
    assert.equal(dateOf('2026-11-03T20:00:00Z'), '4 Nov 2026');
    assert.match(dateTimeOf('2026-11-03T20:00:00Z'), /^4 November 2026 at 01:30:00/);
    assert.equal(utcDateOf('2026-12-01T00:00:00.000Z'), '1 December 2026');
    assert.equal(utcDateOf('2026-11-09'), '9 November 2026');
    assert.equal(monthOf('2026-11'), 'November 2026');
  });

  it('are relative', () => {
    const times = [
      [-30, 'just now'],
      [0, 'just now'],
      [30, 'in less than a minute'],
      [-60, '1 minute ago'],
      [-7199, '2 hours ago'],
      [5 * 3600, 'in 5 hours'],
      [23 * 3600 + 1799, 'in 23 hours'],
      [86_399, 'in 1 day'],
      [-21 * 86_400, '21 days ago'],
    ] as const;
    for (const [seconds, text] of times) assert.equal(relativeTimeOf(after(seconds), now), text);
  });

  it('have a time, and are also relative, when they are at most two days away', () => {
    assert.equal(upcomingDateOf(after(86_400), now), '22 Nov, 17:30 (in 1 day)');
    assert.equal(upcomingDateOf(after(3 * 86_400), now), '24 Nov 2026');
  });

  it('count the days of a month', () => {
    assert.deepEqual(['2026-11', '2026-12', '2027-02', '2028-02'].map(daysIn), [30, 31, 28, 29]);
  });
});

it('Texts of the dashboard never repeat the error code of a URL, and match it in any spelling', () => {
  assert.equal(returnErrorMessage('INVALID_TOKEN'), returnErrorMessage('Invalid token'));
  for (const code of ['<b>', 'constructor', '__proto__', '']) {
    assert.equal(returnErrorMessage(code), 'Signing in failed. Try again, or sign in another way.');
  }
});
