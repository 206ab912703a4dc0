import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import stringWidth from 'string-width';
import type { Location } from '../../../build/check/diagnostic.ts';
import { Source } from '../../../build/content/positions.ts';
import { codeFrame } from '../../../build/report/code-frame.ts';
import { painter, visible } from '../../../build/report/wording.ts';
import { anyProblem, awkwardReport, paperText, placeIn, problemWithoutText } from './sample-report.ts';

describe('The frame of a place', () => {
  it('underlines a stretch of one line', () => {
    assert.equal(
      frameOf(placeIn(paperText, '"type"')),
      `
    5 │       "id": "q1",
  > 6 │       "type": "mcq",
      │       ^^^^^^
    7 │       "options": [`,
    );
  });

  it('points at every line of a longer stretch, and underlines where it starts and ends', () => {
    assert.equal(
      frameOf(placeIn(paperText, '[\n        { "key": "A", "value": "metre" },\n        {')),
      `
     6 │       "type": "mcq",
  >  7 │       "options": [
       │                  ^
  >  8 │         { "key": "A", "value": "metre" },
  >  9 │         { "key": "B", "value": "second" }
       │         ^
    10 │       ],`,
    );
  });

  it('leaves the line out behind which a stretch ends with a line break', () => {
    assert.equal(
      frameOf(placeIn(paperText, '"mcq",\n')),
      `
    5 │       "id": "q1",
  > 6 │       "type": "mcq",
      │               ^^^^^^
    7 │       "options": [
    8 │         { "key": "A", "value": "metre" },`,
    );
  });

  it('leaves out the middle of a long stretch, and an empty line behind it', () => {
    assert.equal(
      frameOf(placeIn(paperText, paperText.trimEnd())),
      `
  >  1 │ {
       │ ^
  >  2 │   "lastUpdated": "2024-06-01T10:00:00Z",
     …
  > 13 │   ]
  > 14 │ }
       │ ^`,
    );
  });

  it('points at a place between two characters, or behind the last', () => {
    assert.equal(frameOf(emptyPlaceIn('{\n"a"1}\n', 5)), '\n    1 │ {\n  > 2 │ "a"1}\n      │    ^');
    assert.equal(frameOf(emptyPlaceIn('{\n"a"\n', 5)), '\n    1 │ {\n  > 2 │ "a"\n      │    ^');
    assert.equal(frameOf(emptyPlaceIn('{\n', 2)), '\n    1 │ {\n  > 2 │\n      │ ^');
    assert.equal(frameOf(emptyPlaceIn('', 0)), '\n  > 1 │\n      │ ^');
  });

  it('counts columns as a terminal does', () => {
    assert.equal(
      frameOf(placeIn('["漢字", "👨‍👩‍👧", "e\u0301", "here"]', '"here"')),
      '\n  > 1 │ ["漢字", "👨‍👩‍👧", "e\u0301", "here"]\n      │                     ^^^^^^',
    );
  });

  it('shows a tab that indents as four columns, and any other as a picture', () => {
    assert.equal(frameOf(placeIn('\t"a\tb"', '\tb"')), '\n  > 1 │     "a␉b"\n      │       ^^^');
  });

  it('underlines the whole character that a stretch holds a part of', () => {
    assert.equal(frameOf(placeIn('"e\u0301a"', '\u0301')), '\n  > 1 │ "e\u0301a"\n      │  ^');
    assert.equal(frameOf(placeIn('"👨‍👩‍👧"', '👩')), '\n  > 1 │ "👨‍👩‍👧"\n      │  ^^');
  });

  it('cuts a long line around what is marked', () => {
    const long = `"${'a'.repeat(2000)} here ${'b'.repeat(2000)}"`;
    assert.equal(
      frameOf(placeIn(long, 'here'), 40),
      `\n  > 1 │ …${'a'.repeat(12)} here ${'b'.repeat(12)}…\n      │ ${' '.repeat(14)}^^^^`,
    );
    assert.equal(
      frameOf(placeIn(long, long.slice(0, 5)), 40),
      `\n  > 1 │ "${'a'.repeat(29)}…\n      │ ^^^^^`,
    );
    assert.equal(
      frameOf(placeIn(long, '"'.padStart(4, 'b')), 40),
      `\n  > 1 │ …${'b'.repeat(29)}"\n      │ ${' '.repeat(27)}^^^^`,
    );
  });

  it('keeps the start of a stretch that is longer than the line has room, and some of what leads to it', () => {
    const long = `    "question": "${'a'.repeat(2000)}"`;
    assert.equal(
      frameOf(placeIn(long, `"${'a'.repeat(2000)}"`), 80),
      `\n  > 1 │     "question": "${'a'.repeat(53)}…\n      │ ${' '.repeat(16)}${'^'.repeat(54)}`,
    );
  });

  it('keeps the end of the last line of a longer stretch', () => {
    const last = `  "question": "${'a'.repeat(2000)}"`;
    const frame = codeFrame(placeIn(`{\n${last},\n}`, `{\n${last}`), settingOf(40));
    assert.match(frame[3] ?? '', /^ {6}│ +\^+$/);
    assert.match(frame[2] ?? '', /^ {2}> 2 │ …a+",$/);
    assert.equal(frame[3]?.lastIndexOf('^'), frame[2]?.lastIndexOf('"'));
  });

  it('is empty in a file without text', () => {
    assert.deepEqual(codeFrame(problemWithoutText, settingOf(80)), []);
  });
});

describe('No line of a frame', () => {
  const places = awkwardReport.diagnostics.flatMap((problem) => [problem, ...(problem.related ?? [])]);
  for (const width of [40, 80, 200]) {
    it(`is longer than ${width} columns, where those are the terminal's`, () => {
      for (const place of places) assertFits(place, width);
      fc.assert(fc.property(anyProblem, (place) => assertFits(place, width)));
    });
  }

  function assertFits(place: Location, width: number): void {
    for (const row of codeFrame(place, settingOf(width))) {
      assert.ok(stringWidth(row) <= width, `${stringWidth(row)} columns: ${row}`);
      assert.equal(row, row.trimEnd());
    }
  }
});

describe('What is underlined', () => {
  // What is shown as it is: of what is not, the tests above tell.
  const character = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 1 })
    .filter((one) => stringWidth(one) > 0 && visible(one) === one);
  const words = fc.array(character, { maxLength: 120 }).map((characters) => characters.join(''));

  it('is the stretch, as far as it is shown', () => {
    fc.assert(
      fc.property(words, words, words, fc.integer({ min: 40, max: 200 }), (before, marked, after, width) => {
        const text = `${before}[${marked}]${after}`;
        const source = new Source(text);
        const range = source.range(before.length, before.length + marked.length + 2);
        const place = { message: '', file: 'a.json', ...range, excerpt: source.excerpt(range) };
        const [line = '', underline = ''] = codeFrame(place, settingOf(width));
        const start = underline.indexOf('^');
        const shown = columnsOf(line, start, underline.length);
        if (stringWidth(`[${marked}]`) <= width - 10) assert.equal(shown, `[${marked}]`);
        else assert.ok(shown.length > 1 && `[${marked}]`.startsWith(shown));
      }),
    );
  });

  /** What stands between two columns, from 0. */
  function columnsOf(line: string, start: number, end: number): string {
    let column = 0;
    let found = '';
    for (const { segment } of new Intl.Segmenter().segment(line)) {
      if (column >= start && column < end) found += segment;
      column += stringWidth(segment);
    }
    return found;
  }
});

function settingOf(width: number) {
  return { width, tone: 'error', paint: painter(false) } as const;
}

/** The rows below each other, after a line break. */
function frameOf(place: Location, width = 80): string {
  return codeFrame(place, settingOf(width))
    .map((row) => `\n${row}`)
    .join('');
}

function emptyPlaceIn(text: string, offset: number): Location {
  const source = new Source(text);
  const range = source.range(offset, offset);
  return { message: '', file: 'a.json', ...range, excerpt: source.excerpt(range) };
}
