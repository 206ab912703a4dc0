import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeHTML } from 'entities';
import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table';
import { changesAsMarkdown } from '../../../build/diff/markdown.ts';
import type { ChangeReport, Scoring } from '../../../build/diff/report.ts';
import { everyChange, reportOf } from './sample-report.ts';
import { physics } from './snapshots.ts';

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

const scoring: Scoring = { answer: 'A', texts: ['metre'], accepted: [], dropped: false };

function answerOf(text: string): ChangeReport {
  const after = { ...scoring, texts: [text] };
  return reportOf({ answers: [{ id: 'q1', path: physics, before: scoring, after }] });
}

/** The report of `everyChange`. */
const everyChangeMarkdown = `## Content since \`main\` (\`0123456789\`)

**5 breaking changes** for clients that store ids.

### Breaking: Papers removed: 1

| File |
| --- |
| \`neet/2023/2023-05-07-s1/physics.json\` |

### Breaking: Translations removed: 1

| File |
| --- |
| \`neet/2024/2024-05-05-s1/physics.ta.json\` |

### Breaking: Questions removed: 1

| File | Question |
| --- | --- |
| \`neet/2023/2023-05-07-s1/physics.json\` | \`q1\` |

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

### Marks of papers changed: 1

| File |
| --- |
| \`neet/2024/2024-05-05-s1/chemistry.json\` |

### Files with a wrong lastUpdated: 2

| File | Before | After | Note |
| --- | --- | --- | --- |
| \`neet/2024/2024-05-05-s1/physics.json\` | \`2024-06-01T10:00:00Z\` | \`2024-06-01T10:00:00Z\` | the content changed, but the time did not |
| \`neet/2024/2024-05-05-s1/chemistry.json\` | \`2024-06-01T10:00:00Z\` | \`2024-05-01T10:00:00Z\` | the time went backwards |

### Files that cannot be compared: 1

| File | Note |
| --- | --- |
| \`neet/2024/2024-05-05-s1/physics.json\` | at the ref: It is not UTF-8. |

### Papers added: 1

| File |
| --- |
| \`neet/2024/2024-05-05-s1/chemistry.json\` |

### Translations added: 1

| File |
| --- |
| \`neet/2024/2024-05-05-s1/physics.hi.json\` |

### Questions added: 1

| File | Question |
| --- | --- |
| \`neet/2024/2024-05-05-s1/chemistry.json\` | \`q3\` |

### Questions moved to another paper: 1

| File | Question | Note |
| --- | --- | --- |
| \`neet/2024/2024-05-05-s1/chemistry.json\` | \`q8\` | from \`neet/2024/2024-05-05-s1/physics.json\` |

### Questions edited: 2

text 1, topic 2, order of accepted answers 1

| File | Question | Note |
| --- | --- | --- |
| \`neet/2024/2024-05-05-s1/physics.json\` | \`q2\` | text, topic |
| \`neet/2024/2024-05-05-s1/physics.json\` | \`q5\` | topic, order of accepted answers |

### Passages: 1

| File | Note |
| --- | --- |
| \`neet/2024/2024-05-05-s1/physics.json\` | \`p1\` removed |

### Translations of questions: 1

| File | Question | Note |
| --- | --- | --- |
| \`neet/2024/2024-05-05-s1/physics.bn.json\` | \`q2\` | changed |

### Papers in another order: 1

| File |
| --- |
| \`neet/2024/2024-05-05-s1/physics.json\` |

### Diagrams changed: 1

| File |
| --- |
| \`neet/2024/2024-05-05-s1/diagrams/q2-lens.svg\` |

### Exam files: 1

| File | Note |
| --- | --- |
| \`neet/exam.json\` | changed |
`;

describe('The Markdown diff', () => {
  it('lists every kind of change in tables, breaking ones first', () => {
    assert.equal(changesAsMarkdown(everyChange), everyChangeMarkdown);
  });

  it('says that nothing changed', () => {
    assert.match(changesAsMarkdown(reportOf({})), /^## .*\n\nNo changes in what a release serves\.\n$/);
  });

  it('shows any text of the content literally', () => {
    const piece = fc.constantFrom(
      ...[
        '|',
        '\\|',
        '\\',
        '`',
        '```',
        ' ',
        '$',
        '$x$',
        '<b>',
        '</td>',
        '<!--',
        '&lt;',
        '*',
        '_',
        '@me',
        '#1',
        '[a](b)',
        'é',
      ],
    );
    const text = fc.array(fc.oneof(piece, fc.string({ maxLength: 3 })), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(text, (pieces) => {
        const given = pieces.join('').replace(/\p{Cc}/gu, '');
        fc.pre(given !== '');
        const [row] = cells(answerOf(given));
        assert.equal(row?.length, 4);
        const [, shown = ''] = /^<code>A<\/code> \(<code>(.*)<\/code>\)$/s.exec(row?.[3] ?? '') ?? [];
        assert.doesNotMatch(shown, /[<>]/);
        assert.equal(decodeHTML(shown), given);
      }),
      { numRuns: 500 },
    );
  });

  it('escapes dollars, between which GitHub would render a formula', () => {
    const [row] = cells(answerOf('5$'));
    assert.equal(row?.[3], '<code>A</code> (<code>5$</code>)');
    assert.doesNotMatch(changesAsMarkdown(answerOf('$x$')), /[$]/);
  });

  it('makes control characters visible', () => {
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
    const long = '|`🙂'.repeat(5000);
    const many = Array.from({ length: 5000 }, (_, index) => index);
    const question = { id: long, path: long };
    const words = { answer: long, texts: [long], accepted: many.map(() => long).slice(0, 50), dropped: true };
    const report = reportOf({
      ref: long,
      papers: { added: many.map(() => long), removed: many.map(() => long) },
      added: many.map(() => question),
      removed: many.map(() => question),
      renumbered: many.map(() => ({ before: question, after: question, reused: true })),
      moved: many.map(() => ({ id: long, from: long, to: long })),
      answers: many.map(() => ({ ...question, before: words, after: words })),
      edits: many.map(() => ({ ...question, fields: ['question'] })),
      reordered: many.map(() => long),
      stale: many.map(() => ({ path: long, before: long, after: long, fault: 'same' })),
      diagrams: many.map(() => long),
      exams: many.map(() => ({ path: long, change: 'changed' })),
      incomparable: many.map(() => ({ path: long, side: 'after', reason: 'It is not UTF-8.' })),
    });
    const markdown = changesAsMarkdown(report);
    assert.ok(Buffer.byteLength(markdown) < 1024 * 1024 * 0.6);
    const rest = [...markdown.matchAll(/^(\d+) more are not shown here/gm)].map(([, count]) => Number(count));
    assert.equal(rest.length, 13);
    assert.equal(cells(report).length + rest.reduce((sum, count) => sum + count, 0), 13 * 5000);
  });
});
