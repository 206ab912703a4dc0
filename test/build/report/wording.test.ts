import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  count,
  formatBytes,
  formatDuration,
  formatNumber,
  formatTime,
} from '../../../build/report/wording.ts';

describe('Formatting', () => {
  it('writes durations, sizes and times with units', () => {
    const second = 1000;
    assert.deepEqual(
      [0, 1, 119 * second, 120 * second, 90 * 60 * second, 47 * 3600 * second, 48 * 3600 * second].map(
        formatDuration,
      ),
      ['0 s', '1 s', '119 s', '2 min', '90 min', '47 h', '2 days'],
    );
    assert.deepEqual([0, 1, 999, 1000, 999_499, 1_000_000].map(formatBytes), [
      '0 bytes',
      '1 byte',
      '999 bytes',
      '1 kB',
      '999 kB',
      '1.0 MB',
    ]);
    assert.equal(formatTime(Date.UTC(2026, 11, 1) + 700), '2026-12-01 00:00 UTC');
  });

  it('writes numbers with thousands separators, and counts with a plural', () => {
    assert.deepEqual([0, 999, 1000, 26_400, 1_000_000].map(formatNumber), [
      '0',
      '999',
      '1,000',
      '26,400',
      '1,000,000',
    ]);
    assert.deepEqual([count(1, 'file'), count(1000, 'file')], ['1 file', '1,000 files']);
  });
});
