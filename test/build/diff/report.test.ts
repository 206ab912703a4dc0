import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeHTML } from 'entities';
import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table';
import {
  type ChangeReport,
  changesAsMarkdown,
  changesAsText,
  type Row,
  type Section,
  type Words,
} from '../../../build/diff/report.ts';
import { chemistry, physics } from './snapshots.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';

function reportOf(...sections: readonly Section[]): ChangeReport {
  return { ref: 'main', commit, sections };
}

const metre: Words = [{ quoted: 'A' }, ' (', { quoted: 'metre' }, ')'];

/** Rows of every form. */
const report = reportOf(
  {
    title: 'Papers removed',
    isBreaking: true,
    rows: [{ path: 'neet/2023/2023-05-07-s1/physics.json' }],
  },
  {
    title: 'Questions renumbered',
    isBreaking: true,
    rows: [
      { path: physics, before: [{ quoted: 'q4' }], after: [{ quoted: 'q5' }] },
      {
        path: chemistry,
        before: [{ quoted: 'q6' }],
        after: [{ quoted: 'q7' }],
        note: ['from ', { quoted: physics }, '; another question now has the old id'],
      },
    ],
  },
  {
    title: 'Answers changed',
    rows: [
      { path: physics, question: 'q5', before: metre, after: [...metre, ', dropped'] },
      { path: physics, question: 'q9', before: [{ quoted: 'A' }], after: [{ quoted: '' }] },
    ],
  },
  {
    title: 'Questions edited',
    sum: 'text 1, topic 2',
    rows: [
      { path: physics, question: 'q2', note: ['text, topic'] },
      { path: physics, question: 'q5', note: ['topic'] },
    ],
  },
  { title: 'Passages', rows: [{ path: physics, note: [{ quoted: 'p1' }, ' removed'] }] },
);

const text = `Content since main (0123456789)

BREAKING: Papers removed: 1
  - neet/2023/2023-05-07-s1/physics.json

BREAKING: Questions renumbered: 2
  - neet/2024/2024-05-05-s1/physics.json
      - q4 -> q5
  - neet/2024/2024-05-05-s1/chemistry.json
      - q6 -> q7 (from neet/2024/2024-05-05-s1/physics.json; another question now has the old id)

Answers changed: 2
  - neet/2024/2024-05-05-s1/physics.json
      - q5: A (metre) -> A (metre), dropped
      - q9: A -> none

Questions edited: 2 (text 1, topic 2)
  - neet/2024/2024-05-05-s1/physics.json
      - q2 (text, topic)
      - q5 (topic)

Passages: 1
  - neet/2024/2024-05-05-s1/physics.json
      - p1 removed

3 breaking changes for clients that store ids.
`;

const markdown = `## Content since \`main\` (\`0123456789\`)

**3 breaking changes** for clients that store ids.

### Breaking: Papers removed: 1

| File |
| --- |
| \`neet/2023/2023-05-07-s1/physics.json\` |

### Breaking: Questions renumbered: 2

| File | Before | After | Note |
| --- | --- | --- | --- |
| \`neet/2024/2024-05-05-s1/physics.json\` | \`q4\` | \`q5\` |  |
| \`neet/2024/2024-05-05-s1/chemistry.json\` | \`q6\` | \`q7\` | from \`neet/2024/2024-05-05-s1/physics.json\`; another question now has the old id |

### Answers changed: 2

| File | Question | Before | After |
| --- | --- | --- | --- |
| \`neet/2024/2024-05-05-s1/physics.json\` | \`q5\` | \`A\` (\`metre\`) | \`A\` (\`metre\`), dropped |
| \`neet/2024/2024-05-05-s1/physics.json\` | \`q9\` | \`A\` | _none_ |

### Questions edited: 2

text 1, topic 2

| File | Question | Note |
| --- | --- | --- |
| \`neet/2024/2024-05-05-s1/physics.json\` | \`q2\` | text, topic |
| \`neet/2024/2024-05-05-s1/physics.json\` | \`q5\` | topic |

### Passages: 1

| File | Note |
| --- | --- |
| \`neet/2024/2024-05-05-s1/physics.json\` | \`p1\` removed |
`;

const harmless: Section = { title: 'Papers added', rows: [{ path: physics }] };

describe('The text diff', () => {
  it('has every form of change, breaking ones marked', () => {
    assert.equal(changesAsText(report), text);
  });

  it('says that nothing changed, or nothing that is breaking', () => {
    assert.equal(
      changesAsText(reportOf()),
      'Content since main (0123456789): no changes in what a release serves.\n',
    );
    assert.match(
      changesAsText(reportOf(harmless)),
      /\nNo breaking changes for clients that store ids\.\n$/,
    );
  });

  it('has no control characters or log commands, whatever ids and paths contain', () => {
    const controls = [
      '\u001b[2J',
      '\r',
      '\n',
      '\u0000',
      '\u009b31m',
      '\u202e',
      '::error::',
      '\u2028',
    ];
    const name = fc
      .array(fc.oneof(fc.constantFrom(...controls), fc.string()), { minLength: 1 })
      .map((parts) => parts.join(''))
      .filter((text) => text !== '');
    fc.assert(
      fc.property(name, name, name, (question, path, ref) => {
        const rows: Row[] = [{ path, question, note: ['from ', { quoted: path }] }];
        const text = changesAsText({
          ...reportOf({ title: 'One', rows }, { title: 'Two', rows: [{ path }] }),
          ref,
        });
        assert.doesNotMatch(text, /(?!\n)[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/u);
        assert.doesNotMatch(text, /^\s*::/m);
        assert.equal(text.split('\n').length, 11);
      }),
    );
  });
});

/** The HTML of the report, rendered like GitHub: GFM with raw HTML. */
function html(report: ChangeReport): string {
  const options = {
    extensions: [gfmTable()],
    htmlExtensions: [gfmTableHtml()],
    allowDangerousHtml: true,
  };
  return micromark(changesAsMarkdown(report), options);
}

/** The rows of all tables, cell by cell as HTML. */
function cells(report: ChangeReport): string[][] {
  const rows = [...html(report).matchAll(/<tr>\n(.*?)<\/tr>/gs)];
  return rows
    .map(([, row = '']) => [...row.matchAll(/<td>(.*?)<\/td>/gs)].map(([, cell = '']) => cell))
    .filter((row) => row.length > 0);
}

function answerOf(text: string): ChangeReport {
  const after = [{ quoted: 'A' }, ' (', { quoted: text }, ')'];
  return reportOf({
    title: 'Answers changed',
    rows: [{ path: physics, question: 'q1', before: metre, after }],
  });
}

describe('The Markdown diff', () => {
  it('has every form of change in tables, breaking ones marked', () => {
    assert.equal(changesAsMarkdown(report), markdown);
  });

  it('shows any text of the content literally', () => {
    const pieces = '| \\| \\ ` ``` $ $x$ <b> </td> <!-- &lt; * _ @me #1 [a](b) é'.split(' ');
    const piece = fc.oneof(fc.constantFrom(' ', ...pieces), fc.string({ maxLength: 3 }));
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 20 }), (pieces) => {
        const given = pieces.join('').replace(/\p{Cc}/gu, '');
        fc.pre(given !== '');
        const [row] = cells(answerOf(given));
        assert.equal(row?.length, 4);
        const [, shown = ''] =
          /^<code>A<\/code> \(<code>(.*)<\/code>\)$/s.exec(row?.[3] ?? '') ?? [];
        assert.doesNotMatch(shown, /[<>]/);
        assert.equal(decodeHTML(shown), given);
      }),
      { numRuns: 60 },
    );
  });

  it('escapes dollars, between which GitHub would render a formula, and control characters', () => {
    assert.doesNotMatch(changesAsMarkdown(answerOf('$x$')), /[$]/);
    const [row] = cells(answerOf('one\ntwo\u202e\u0000'));
    assert.equal(row?.[3], '<code>A</code> (<code>one␊two&lt;U+202E&gt;␀</code>)');
  });

  it('collapses a long table', () => {
    const rows = Array.from({ length: 30 }, (_, index) => ({
      path: physics,
      question: `q${index}`,
    }));
    const long = reportOf({ title: 'Questions added', rows });
    assert.match(
      html(long),
      /<details>\n<summary>Show<\/summary>\n<table>.*<\/table>\n<\/details>/s,
    );
    assert.equal(cells(long).length, 30);
    assert.doesNotMatch(
      html(reportOf({ title: 'Questions added', rows: rows.slice(0, 10) })),
      /<details>/,
    );
  });

  it('stays within the size limit of GitHub, and counts the rows that are omitted', () => {
    const long = '|`🙂'.repeat(500);
    const words = Array.from({ length: 50 }, () => ({ quoted: long }));
    const row = { path: long, question: long, before: words, after: words, note: words };
    const rows = Array.from({ length: 300 }, () => row);
    const sections = Array.from({ length: 18 }, () => ({ title: 'Answers changed', rows }));
    const report = { ...reportOf(...sections), ref: long };
    const text = changesAsMarkdown(report);
    assert.ok(Buffer.byteLength(text) < 1024 * 1024 * 0.8);
    const rest = [...text.matchAll(/^(\d+) more are not shown here/gm)].map(([, count]) =>
      Number(count),
    );
    assert.equal(rest.length, sections.length);
    const shown = cells(report).length;
    assert.equal(
      shown + rest.reduce((sum, count) => sum + count, 0),
      sections.length * rows.length,
    );
  });
});
