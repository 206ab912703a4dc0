import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import stringWidth from 'string-width';
import type { Location } from '../../../build/check/diagnostic.ts';
import { Source } from '../../../build/content/positions.ts';
import { codeFrame, painter } from '../../../build/report/code-frame.ts';
import {
  count,
  formatBytes,
  formatDuration,
  formatNumber,
  formatTime,
} from '../../../build/report/wording.ts';
import {
  anyProblem,
  awkwardReport,
  paperText,
  placeIn,
  problemWithoutText,
} from './sample-report.ts';

describe('A code frame', () => {
  it('underlines a range, or the first line of a longer one', () => {
    assert.equal(
      frameOf(placeIn(paperText, '"type"')),
      `
    5 │       "id": "q1",
  > 6 │       "type": "mcq",
      │       ^^^^^^
    7 │       "options": [`,
    );
    assert.equal(
      frameOf(placeIn(paperText, '[\n        { "key": "A"')),
      `
    6 │       "type": "mcq",
  > 7 │       "options": [
      │                  ^
    8 │         { "key": "A", "value": "metre" },`,
    );
  });

  it('points at an empty range between two characters or after the last', () => {
    assert.equal(frameOf(emptyPlaceIn('{\n', 2)), '\n    1 │ {\n  > 2 │\n      │ ^');
    assert.equal(frameOf(emptyPlaceIn('', 0)), '\n  > 1 │\n      │ ^');
  });

  it('cuts a long line at its end, and begins before a range that is further to the right', () => {
    const long = `"${'a'.repeat(2000)} here ${'b'.repeat(2000)}"`;
    assert.equal(
      frameOf(placeIn(long, 'here'), 40),
      `\n  > 1 │ …${'a'.repeat(14)} here ${'b'.repeat(10)}…\n      │ ${' '.repeat(16)}^^^^`,
    );
    assert.equal(
      frameOf(placeIn(long, long.slice(0, 5)), 40),
      `\n  > 1 │ "${'a'.repeat(30)}…\n      │ ^^^^^`,
    );
  });

  it('is empty for a file without text', () => {
    assert.deepEqual(codeFrame(problemWithoutText, ...settingOf(80)), []);
  });
});

it('The lines of a code frame fit into any width', () => {
  const places = awkwardReport.diagnostics.flatMap((problem) => [
    problem,
    ...(problem.related ?? []),
  ]);
  for (const width of [40, 80, 200]) {
    for (const place of places) assertFits(place, width);
    fc.assert(fc.property(anyProblem, (place) => assertFits(place, width)));
  }
});

function assertFits(place: Location, width: number): void {
  for (const row of codeFrame(place, ...settingOf(width))) {
    assert.ok(stringWidth(row) <= width, `${stringWidth(row)} columns: ${row}`);
    assert.equal(row, row.trimEnd());
  }
}

function settingOf(width: number) {
  return [width, 'error', painter(false)] as const;
}

/** The rows of the frame, each after a line break. */
function frameOf(place: Location, width = 80): string {
  return codeFrame(place, ...settingOf(width))
    .map((row) => `\n${row}`)
    .join('');
}

function emptyPlaceIn(text: string, offset: number): Location {
  const source = new Source(text);
  const range = source.range(offset, offset);
  return { message: '', file: 'a.json', ...range, excerpt: source.excerpt(range) };
}

it('Numbers, sizes and times have units, thousands separators and plurals', () => {
  const hour = 3_600_000;
  const durations = [0, 1, 119_000, 120_000, 1.5 * hour, 47 * hour, 48 * hour].map(formatDuration);
  assert.deepEqual(durations, ['0 s', '1 s', '119 s', '2 min', '90 min', '47 h', '2 days']);
  const sizes = [0, 1, 999, 1000, 999_499, 1_000_000].map(formatBytes);
  assert.deepEqual(sizes, ['0 bytes', '1 byte', '999 bytes', '1 kB', '999 kB', '1.0 MB']);
  const numbers = [0, 999, 1000, 26_400, 1_000_000].map(formatNumber);
  assert.deepEqual(numbers, ['0', '999', '1,000', '26,400', '1,000,000']);
  assert.deepEqual([count(1, 'file'), count(1000, 'file')], ['1 file', '1,000 files']);
  assert.equal(formatTime(Date.UTC(2026, 11, 1) + 700), '2026-12-01 00:00 UTC');
});
