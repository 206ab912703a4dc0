import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { calendarOf } from '../../../gateway/limits/decision.ts';

const day = 86_400_000;

/** Times close together and far apart, in any order, as if the clock were set. */
const moments = fc.array(
  fc.oneof(
    fc.integer({ min: Date.UTC(2026, 1, 27), max: Date.UTC(2026, 2, 2) }),
    fc.integer({ min: Date.UTC(2023, 11, 1), max: Date.UTC(2029, 1, 1) }),
    fc.integer({ min: 19_000, max: 22_000 }).map((days) => days * day),
    fc.integer({ min: 19_000, max: 22_000 }).map((days) => days * day - 1),
  ),
  { minLength: 1, maxLength: 20 },
);

describe('calendarOf', () => {
  it('returns the day and month in UTC, whatever the previous call', () =>
    fc.assert(
      fc.property(moments, (moments) => {
        for (const now of moments) {
          const { day, month, monthEnd } = calendarOf(now);
          assert.equal(day, new Date(now).toISOString().slice(0, 10));
          assert.equal(month, day.slice(0, 7));
          assert.ok(new Date(monthEnd - 1).toISOString().startsWith(month) && monthEnd > now);
          assert.match(new Date(monthEnd).toISOString(), /-01T00:00:00.000Z$/);
        }
      }),
    ));

  it('returns the length of the month, in leap years too', () => {
    const spans = [
      Date.UTC(2026, 0, 31),
      Date.UTC(2026, 1, 28),
      Date.UTC(2028, 1, 1),
      Date.UTC(2026, 11, 31),
    ];
    assert.deepEqual(
      spans.map((now) => calendarOf(now).monthSpan / 86_400),
      [31, 28, 29, 31],
    );
  });
});
