import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { progressLine } from '../../build/commands/progress.ts';

/** What is written about work of so many steps, each of which takes so long, in milliseconds. */
function written(isTTY: boolean, steps: number, each: number): string[] {
  let now = 0;
  const lines: string[] = [];
  const write = (text: string | Uint8Array) => lines.push(String(text)) > 0;
  const { show, clear } = progressLine({ isTTY, write }, () => now);
  for (let done = 1; done <= steps; done += 1) {
    now += each;
    show('Shifts:', done, steps);
  }
  clear();
  return lines;
}

describe('The progress of long work', () => {
  it('is a bar with counts and the time left on a terminal, and nothing of it stays', () => {
    const lines = written(true, 8, 1000);
    assert.equal(lines[0], '\r\u001b[2KShifts: ███░░░░░░░░░░░░░░░░░░░░░ 1 of 8');
    assert.equal(lines[3], '\r\u001b[2KShifts: ████████████░░░░░░░░░░░░ 4 of 8, 4 s left');
    assert.equal(lines.at(-1), '\r\u001b[2K');
  });

  it('is written no more often than a person looks', () => {
    assert.equal(written(true, 1000, 10).length, 100 + 1);
  });

  it('is plain lines in a log', () => {
    assert.deepEqual(written(false, 12, 1000), [
      'Shifts: 5 of 12, 7 s left\n',
      'Shifts: 10 of 12, 2 s left\n',
    ]);
  });

  it('is not told in a log of work that is done within seconds', () => {
    assert.deepEqual(written(false, 100, 30), []);
  });
});
