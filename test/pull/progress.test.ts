import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { showProgress } from '../../build/pull/progress.ts';
import { systemTiming } from '../../build/pull/rate-limit.ts';
import { Tally } from '../../build/pull/tally.ts';
import { counted, inWords, momentInWords, quoted, sizeInWords } from '../../build/pull/words.ts';

describe('The progress of a pull', () => {
  it('is one line on a terminal, written over, with a bar, counts and the time that is left', () => {
    const { text, tally, pass } = start({ isTTY: true, columns: 80 });
    tally.expect(4);
    pass(1000);
    tally.done({ kind: 'papers', bytes: 12_345 });
    assert.equal(lastLine(text()), '[######..................] 1 of 4 files, 12 kB');
    pass(1000);
    tally.done();
    assert.equal(lastLine(text()), '[############............] 2 of 4 files, 12 kB, 2 s left');
    assert.ok(!text().includes('\n'));
  });

  it('keeps a sentence above the line, and leaves nothing behind in the end', () => {
    const { text, tally, progress, pass } = start({ isTTY: true, columns: 80 });
    tally.expect(1);
    pass(1);
    tally.done();
    progress.note('Something was not as it should be.');
    progress.end();
    const line = '[########################] 1 of 1 file, 0 bytes';
    assert.ok(text().endsWith(`Something was not as it should be.\n${line}\r\u001b[2K`), text());
  });

  it('fits the terminal', () => {
    const { text, tally, pass } = start({ isTTY: true, columns: 30 });
    tally.expect(1000);
    pass(1);
    tally.done();
    assert.equal(lastLine(text()).length, 29);
  });

  it('is a plain line every ten seconds in a log', () => {
    const { text, tally, pass } = start({});
    tally.expect(100);
    for (let file = 0; file < 50; file += 1) {
      pass(500);
      tally.done({ kind: 'diagrams', bytes: 1000 });
    }
    assert.equal(
      text(),
      [
        '1 of 100 files, 1 kB\n',
        '21 of 100 files, 21 kB, 40 s left\n',
        '41 of 100 files, 41 kB, 30 s left\n',
      ].join(''),
    );
  });
});

describe('The words of a pull', () => {
  it('are those that people use for amounts', () => {
    const second = 1000;
    assert.deepEqual(
      [0, 1, 119 * second, 120 * second, 90 * 60 * second, 47 * 3600 * second, 48 * 3600 * second].map(
        inWords,
      ),
      ['0 s', '1 s', '119 s', '2 min', '90 min', '47 h', '2 days'],
    );
    assert.deepEqual([0, 1, 999, 1000, 999_499, 1_000_000].map(sizeInWords), [
      '0 bytes',
      '1 byte',
      '999 bytes',
      '1 kB',
      '999 kB',
      '1.0 MB',
    ]);
    assert.deepEqual([counted(1, 'file'), counted(1000, 'file')], ['1 file', '1,000 files']);
    assert.equal(momentInWords(Date.UTC(2026, 11, 1) + 700), '2026-12-01 00:00 UTC');
  });

  it('let no text of a service command the terminal, or fill it', () => {
    assert.equal(quoted('a\u001b[31m\u009b\u202e\n"b"'), '"a\\u001b[31m\\u009b\\u202e\\n\\"b\\""');
    assert.equal(quoted('x'.repeat(1000)).length, 85);
  });
});

/** A tally on a clock that a test moves, and what its screen shows. */
function start(screen: { readonly isTTY?: boolean; readonly columns?: number }) {
  let elapsed = 0;
  const timing = { ...systemTiming, elapsed: () => elapsed };
  let written = '';
  const progress = showProgress({ ...screen, write: (text) => (written += text) }, timing);
  return {
    progress,
    tally: new Tally(progress, timing),
    text: () => written,
    pass(milliseconds: number) {
      elapsed += milliseconds;
    },
  };
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\u001b[2K') + '\u001b[2K'.length);
}
