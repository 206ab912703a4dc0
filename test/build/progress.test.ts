import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { progressLine } from '../../build/commands/progress.ts';

/** Creates a progress line with a fake clock that `pass` advances. `output` has what it wrote. */
function start(stream: { readonly isTTY: boolean; readonly columns: number }) {
  let now = 0;
  const output: string[] = [];
  const write = (text: string | Uint8Array) => output.push(String(text)) > 0;
  const progress = progressLine({ ...stream, write }, () => now);
  return { progress, output, pass: (milliseconds: number) => (now += milliseconds) };
}

/** Returns the output for work of so many steps, each of which takes `each` milliseconds. */
function outputOf(isTTY: boolean, steps: number, each: number): string[] {
  const { progress, output, pass } = start({ isTTY, columns: 80 });
  for (let done = 1; done <= steps; done += 1) {
    pass(each);
    progress.show('Shifts:', done, steps);
  }
  progress.clear();
  return output;
}

describe('The progress line', () => {
  it('is a bar with counts and the time left on a terminal, and is erased at the end', () => {
    const lines = outputOf(true, 8, 1000);
    assert.equal(lines[0], '\r\u001b[2KShifts: ███░░░░░░░░░░░░░░░░░░░░░ 1 of 8');
    assert.equal(lines[3], '\r\u001b[2KShifts: ████████████░░░░░░░░░░░░ 4 of 8, 4 s left');
    assert.equal(lines.at(-1), '\r\u001b[2K');
  });

  it('is written at most ten times a second on a terminal', () => {
    assert.equal(outputOf(true, 1000, 10).length, 100 + 1);
  });

  it('shows additional text beside the counts', () => {
    const { progress, output, pass } = start({ isTTY: true, columns: 80 });
    progress.show('Files:', 1, 4000, '12 kB');
    pass(2000);
    progress.show('Files:', 2001, 4000, '24 kB');
    assert.match(output[0] ?? '', / 1 of 4,000, 12 kB$/);
    assert.match(output[1] ?? '', / 2,001 of 4,000, 24 kB, 2 s left$/);
  });

  it('prints a note above itself, and is erased at the end', () => {
    const { progress, output } = start({ isTTY: true, columns: 80 });
    progress.show('Files:', 1, 1);
    progress.note('Something went wrong.');
    progress.clear();
    const line = 'Files: ████████████████████████ 1 of 1';
    const erase = '\r\u001b[2K';
    assert.equal(output.join(''), `${erase}${line}${erase}Something went wrong.\n${line}${erase}`);
  });

  it('is no wider than the terminal', () => {
    const { progress, output } = start({ isTTY: true, columns: 30 });
    progress.show('Files:', 1, 1000, '12 kB');
    assert.equal(output[0]?.length, '\r\u001b[2K'.length + 29);
  });

  it('is printed as plain lines if the output is not a terminal', () => {
    assert.deepEqual(outputOf(false, 12, 1000), [
      'Shifts: 5 of 12, 7 s left\n',
      'Shifts: 10 of 12, 2 s left\n',
    ]);
  });

  it('is not printed for short work if the output is not a terminal', () => {
    assert.deepEqual(outputOf(false, 100, 30), []);
  });
});
