import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { progressLine } from '../../build/commands/progress.ts';

/** A progress line on a clock that a test moves, and what is written of it. */
function start(stream: { readonly isTTY: boolean; readonly columns: number }) {
  let now = 0;
  const written: string[] = [];
  const write = (text: string | Uint8Array) => written.push(String(text)) > 0;
  const progress = progressLine({ ...stream, write }, () => now);
  return { progress, written, pass: (milliseconds: number) => (now += milliseconds) };
}

/** What is written about work of so many steps, each of which takes so long, in milliseconds. */
function written(isTTY: boolean, steps: number, each: number): string[] {
  const { progress, written, pass } = start({ isTTY, columns: 80 });
  for (let done = 1; done <= steps; done += 1) {
    pass(each);
    progress.show('Shifts:', done, steps);
  }
  progress.clear();
  return written;
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

  it('shows other numbers beside the counts', () => {
    const { progress, written, pass } = start({ isTTY: true, columns: 80 });
    progress.show('Files:', 1, 4000, '12 kB');
    pass(2000);
    progress.show('Files:', 2001, 4000, '24 kB');
    assert.match(written[0] ?? '', / 1 of 4,000, 12 kB$/);
    assert.match(written[1] ?? '', / 2,001 of 4,000, 24 kB, 2 s left$/);
  });

  it('keeps a sentence above the line, and leaves nothing behind in the end', () => {
    const { progress, written } = start({ isTTY: true, columns: 80 });
    progress.show('Files:', 1, 1);
    progress.note('Something was not as it should be.');
    progress.clear();
    const line = 'Files: ████████████████████████ 1 of 1';
    const erase = '\r\u001b[2K';
    assert.equal(
      written.join(''),
      `${erase}${line}${erase}Something was not as it should be.\n${line}${erase}`,
    );
  });

  it('fits the terminal', () => {
    const { progress, written } = start({ isTTY: true, columns: 30 });
    progress.show('Files:', 1, 1000, '12 kB');
    assert.equal(written[0]?.length, '\r\u001b[2K'.length + 29);
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
