import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeHTML } from 'entities';
import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table';
import { changesAsMarkdown } from '../../../build/diff/markdown.ts';
import type { ChangeReport, Scoring } from '../../../build/diff/report.ts';
import { changesAsText } from '../../../build/diff/text.ts';
import { chemistry, noChanges, physics } from './snapshots.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';

/** A report with these changes since `main`. */
function reportOf(changes: Partial<ChangeReport>): ChangeReport {
  return { ref: 'main', commit, ...noChanges, ...changes };
}

const scoring: Scoring = { answer: 'A', texts: ['metre'], accepted: [], dropped: false };

/** The changes that are shown in every way. */
const changes: Partial<ChangeReport> = {
  papers: { added: [], removed: ['neet/2023/2023-05-07-s1/physics.json'] },
  renumbered: [
    { before: { id: 'q4', path: physics }, after: { id: 'q5', path: physics }, reused: false },
    { before: { id: 'q6', path: physics }, after: { id: 'q7', path: chemistry }, reused: true },
  ],
  answers: [
    {
      id: 'q5',
      path: physics,
      before: scoring,
      after: { answer: 'B', texts: ['second'], accepted: ['A', 'B'], dropped: true },
    },
    { id: 'q9', path: physics, before: { ...scoring, texts: [] }, after: { ...scoring, answer: '', texts: [] } },
  ],
  edits: [
    { id: 'q2', path: physics, fields: ['question', 'topic'] },
    { id: 'q5', path: physics, fields: ['topic', 'accepted'] },
  ],
};

/** A report with a change of every kind. */
const everyChange = reportOf({
  ...changes,
  papers: { added: [chemistry], removed: ['neet/2023/2023-05-07-s1/physics.json'] },
  translations: {
    added: ['neet/2024/2024-05-05-s1/physics.hi.json'],
    removed: ['neet/2024/2024-05-05-s1/physics.ta.json'],
    questions: [{ id: 'q2', path: 'neet/2024/2024-05-05-s1/physics.bn.json', change: 'changed' }],
  },
  marks: [chemistry],
  passages: [{ id: 'p1', path: physics, change: 'removed' }],
  added: [{ id: 'q3', path: chemistry }],
  removed: [{ id: 'q1', path: 'neet/2023/2023-05-07-s1/physics.json' }],
  moved: [{ id: 'q8', from: physics, to: chemistry }],
  reordered: [physics],
  stale: [
    { path: physics, before: '2024-06-01T10:00:00Z', after: '2024-06-01T10:00:00Z', fault: 'same' },
    { path: chemistry, before: '2024-06-01T10:00:00Z', after: '2024-05-01T10:00:00Z', fault: 'earlier' },
  ],
  diagrams: ['neet/2024/2024-05-05-s1/diagrams/q2-lens.svg'],
  exams: [{ path: 'neet/exam.json', change: 'changed' }],
  incomparable: [{ path: physics, side: 'before', reason: 'It is not UTF-8.' }],
});

/** The report of `everyChange`. */
const everyChangeText = `Content since main (0123456789)

BREAKING: Papers removed: 1
  - neet/2023/2023-05-07-s1/physics.json

BREAKING: Translations removed: 1
  - neet/2024/2024-05-05-s1/physics.ta.json

BREAKING: Questions removed: 1
  - neet/2023/2023-05-07-s1/physics.json
      - q1

BREAKING: Questions renumbered: 2
  - neet/2024/2024-05-05-s1/physics.json
      - q4 -> q5
  - neet/2024/2024-05-05-s1/chemistry.json
      - q6 -> q7 (from neet/2024/2024-05-05-s1/physics.json; another question now has the old id)

Answers changed: 2
  - neet/2024/2024-05-05-s1/physics.json
      - q5: A (metre) -> B (second), accepted: A and B, dropped
      - q9: A -> none

Marks of papers changed: 1
  - neet/2024/2024-05-05-s1/chemistry.json

Files with a wrong lastUpdated: 2
  - neet/2024/2024-05-05-s1/physics.json
      - 2024-06-01T10:00:00Z -> 2024-06-01T10:00:00Z (the content changed, but the time did not)
  - neet/2024/2024-05-05-s1/chemistry.json
      - 2024-06-01T10:00:00Z -> 2024-05-01T10:00:00Z (the time went backwards)

Files that cannot be compared: 1
  - neet/2024/2024-05-05-s1/physics.json
      - at the ref: It is not UTF-8.

Papers added: 1
  - neet/2024/2024-05-05-s1/chemistry.json

Translations added: 1
  - neet/2024/2024-05-05-s1/physics.hi.json

Questions added: 1
  - neet/2024/2024-05-05-s1/chemistry.json
      - q3

Questions moved to another paper: 1
  - neet/2024/2024-05-05-s1/chemistry.json
      - q8 (from neet/2024/2024-05-05-s1/physics.json)

Questions edited: 2 (text 1, topic 2, order of accepted answers 1)
  - neet/2024/2024-05-05-s1/physics.json
      - q2 (text, topic)
      - q5 (topic, order of accepted answers)

Passages: 1
  - neet/2024/2024-05-05-s1/physics.json
      - p1 removed

Translations of questions: 1
  - neet/2024/2024-05-05-s1/physics.bn.json
      - q2 (changed)

Papers in another order: 1
  - neet/2024/2024-05-05-s1/physics.json

Diagrams changed: 1
  - neet/2024/2024-05-05-s1/diagrams/q2-lens.svg

Exam files: 1
  - neet/exam.json
      - changed

5 breaking changes for clients that store ids.
`;

/** The report of `changes`. */
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
| \`neet/2024/2024-05-05-s1/physics.json\` | \`q5\` | \`A\` (\`metre\`) | \`B\` (\`second\`), accepted: \`A\` and \`B\`, dropped |
| \`neet/2024/2024-05-05-s1/physics.json\` | \`q9\` | \`A\` | _none_ |

### Questions edited: 2

text 1, topic 2, order of accepted answers 1

| File | Question | Note |
| --- | --- | --- |
| \`neet/2024/2024-05-05-s1/physics.json\` | \`q2\` | text, topic |
| \`neet/2024/2024-05-05-s1/physics.json\` | \`q5\` | topic, order of accepted answers |
`;

describe('The text diff', () => {
  it('lists every kind of change, breaking ones first', () => {
    assert.equal(changesAsText(everyChange), everyChangeText);
  });

  it('says that nothing changed', () => {
    assert.equal(
      changesAsText(reportOf({})),
      'Content since main (0123456789): no changes in what a release serves.\n',
    );
  });

  it('says that no change is breaking', () => {
    const text = changesAsText(reportOf({ added: [{ id: 'q1', path: physics }] }));
    assert.match(text, /\nNo breaking changes for clients that store ids\.\n$/);
  });

  it('truncates long texts', () => {
    const scoring = { answer: 'A', texts: ['🙂'.repeat(500)], accepted: [], dropped: false };
    const text = changesAsText(reportOf({ answers: [{ id: 'q1', path: physics, before: scoring, after: scoring }] }));
    assert.ok(text.includes(`A (${'🙂'.repeat(99)}…) -> A (`));
  });

  it('has no control characters or log commands, whatever ids and paths contain', () => {
    const controls = ['\u001b[2J', '\r', '\n', '\u0000', '\u009b31m', '\u202e', '::error::', '\u2028'];
    const name = fc
      .array(fc.oneof(fc.constantFrom(...controls), fc.string()), { minLength: 1 })
      .map((parts) => parts.join(''))
      .filter((text) => text !== '');
    fc.assert(
      fc.property(name, name, name, (id, path, ref) => {
        const changed = { added: [{ id, path }], moved: [{ id, from: path, to: path }], diagrams: [path] };
        const text = changesAsText(reportOf({ ...changed, ref }));
        assert.doesNotMatch(text, /(?!\n)[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/u);
        assert.doesNotMatch(text, /^\s*::/m);
        assert.equal(text.split('\n').length, 15);
      }),
    );
  });
});

/** The HTML of the report, rendered like GitHub: GFM with raw HTML. */
function html(report: ChangeReport): string {
  const options = { extensions: [gfmTable()], htmlExtensions: [gfmTableHtml()], allowDangerousHtml: true };
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
  const after = { ...scoring, texts: [text] };
  return reportOf({ answers: [{ id: 'q1', path: physics, before: scoring, after }] });
}

describe('The Markdown diff', () => {
  it('lists changes in tables, breaking ones first', () => {
    assert.equal(changesAsMarkdown(reportOf(changes)), markdown);
  });

  it('says that nothing changed, or nothing that is breaking', () => {
    assert.match(changesAsMarkdown(reportOf({})), /^## .*\n\nNo changes in what a release serves\.\n$/);
    assert.match(changesAsMarkdown(reportOf({ marks: [physics] })), /\nNo breaking changes for clients/);
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
        const [, shown = ''] = /^<code>A<\/code> \(<code>(.*)<\/code>\)$/s.exec(row?.[3] ?? '') ?? [];
        assert.doesNotMatch(shown, /[<>]/);
        assert.equal(decodeHTML(shown), given);
      }),
      { numRuns: 300 },
    );
  });

  it('escapes dollars, between which GitHub would render a formula, and control characters', () => {
    assert.doesNotMatch(changesAsMarkdown(answerOf('$x$')), /[$]/);
    const [row] = cells(answerOf('one\ntwo\u202e\u0000'));
    assert.equal(row?.[3], '<code>A</code> (<code>one␊two&lt;U+202E&gt;␀</code>)');
  });

  it('collapses a long table', () => {
    const added = Array.from({ length: 30 }, (_, index) => ({ id: `q${index}`, path: physics }));
    const page = html(reportOf({ added }));
    assert.match(page, /<details>\n<summary>Show<\/summary>\n<table>.*<\/table>\n<\/details>/s);
    assert.equal(cells(reportOf({ added })).length, 30);
    assert.doesNotMatch(html(reportOf({ added: added.slice(0, 10) })), /<details>/);
  });

  it('stays within the size limit of GitHub, and counts the rows that are omitted', () => {
    const long = '|`🙂'.repeat(500);
    const length = 300;
    const many = <Value>(value: Value) => Array<Value>(length).fill(value);
    const question = { id: long, path: long };
    const words = { answer: long, texts: [long], accepted: Array<string>(50).fill(long), dropped: true };
    const report = reportOf({
      ref: long,
      papers: { added: many(long), removed: many(long) },
      added: many(question),
      removed: many(question),
      renumbered: many({ before: question, after: question, reused: true }),
      moved: many({ id: long, from: long, to: long }),
      answers: many({ ...question, before: words, after: words }),
      edits: many({ ...question, fields: ['question'] }),
      reordered: many(long),
      stale: many({ path: long, before: long, after: long, fault: 'same' }),
      diagrams: many(long),
      exams: many({ path: long, change: 'changed' }),
      incomparable: many({ path: long, side: 'after', reason: 'It is not UTF-8.' }),
    });
    const text = changesAsMarkdown(report);
    assert.ok(Buffer.byteLength(text) < 1024 * 1024 * 0.6);
    const rest = [...text.matchAll(/^(\d+) more are not shown here/gm)].map(([, count]) => Number(count));
    assert.equal(rest.length, 13);
    assert.equal(cells(report).length + rest.reduce((sum, count) => sum + count, 0), 13 * length);
  });
});
