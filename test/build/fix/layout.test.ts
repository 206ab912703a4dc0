import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { formattedText } from '../../../build/fix/layout.ts';
import { sampleQuestions } from '../bank-folder.ts';

const contentDir = fileURLToPath(new URL('../../../content', import.meta.url));

/** The text of a paper after formatting. */
function formattedPaper(text: string): string {
  return formattedText('paper', Buffer.from(text)) ?? text;
}

/** The questions of a paper after formatting. */
function formattedQuestions(...questions: readonly object[]) {
  return JSON.parse(formattedPaper(JSON.stringify({ questions }))).questions;
}

const tidy = `{
  "$schema": "../../../schema/subject-file.schema.json",
  "lastUpdated": "2024-06-01T10:00:00Z",
  "questions": [
    {
      "id": "q1",
      "type": "mcq",
      "question": "What is drawn?",
      "options": [
        { "key": "A", "value": "a line" },
        { "key": "B", "value": "a point" }
      ],
      "answer": "A",
      "topic": "Lines",
      "difficulty": "easy",
      "diagrams": [
        {
          "file": "q1.svg",
          "alt": "A line."
        }
      ],
      "accepted": ["A", "B"],
      "dropped": true
    },
    {
      "id": "q2",
      "type": "numerical",
      "question": "What is $1$?",
      "options": [],
      "answer": "1",
      "topic": "Numbers",
      "difficulty": "easy"
    }
  ]
}
`;

describe('Formatting a content file', () => {
  it('does not change a formatted file', () =>
    assert.equal(formattedText('paper', Buffer.from(tidy)), undefined));

  it('does not change the files of the sample bank', async () => {
    const files = (await readdir(contentDir, { recursive: true })).filter(
      (file) => file.endsWith('.json') && !file.startsWith('schema'),
    );
    assert.ok(files.length > 20, files.join());
    for (const file of files) {
      const isTranslation = /\.[^./]+\.json$/.test(file);
      const kind = file.endsWith('exam.json') ? 'exam' : isTranslation ? 'translation' : 'paper';
      assert.equal(formattedText(kind, await readFile(join(contentDir, file))), undefined, file);
    }
  });

  const value = JSON.parse(tidy);
  const others: readonly [string, string][] = [
    ['on one line', JSON.stringify(value)],
    ['with one value a line', JSON.stringify(value, undefined, 2)],
    ['with CRLF', tidy.replaceAll('\n', '\r\n')],
    ['with a byte order mark', `\ufeff${tidy}`],
    ['with escapes that are not needed', tidy.replaceAll('/', '\\/').replaceAll('i', '\\u0069')],
  ];
  it('gives the same result whatever the layout of a file', () => {
    for (const [name, text] of others) assert.equal(formattedPaper(text), tidy, name);
  });

  it('writes letters literally and invisible characters as escapes', () => {
    const invisible = '\n \0 \x7f \x85 \u200b \u2028 \u202e \ufeff \ufffe \ud800 \u{e0041}'.split(
      ' ',
    );
    const written = ['é', '"', '\\', ...invisible];
    assert.equal(
      formattedPaper(JSON.stringify(written)),
      String.raw`["é", "\"", "\\", "\n", "\u0000", "\u007f", "\u0085", "\u200b", "\u2028", "\u202e", "\ufeff", "\ufffe", "\ud800", "\udb40\udc41"]` +
        '\n',
    );
  });
});

describe('Properties are sorted in the order of the schema', () => {
  function shuffled(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(shuffled);
    return Object.fromEntries(
      Object.entries(value)
        .map(([name, inner]) => [name, shuffled(inner)])
        .reverse(),
    );
  }

  it('in a paper, its questions, options and diagrams', () =>
    assert.equal(formattedPaper(JSON.stringify(shuffled(JSON.parse(tidy)))), tidy));

  it('and unknown properties after them in their original order', () => {
    const fixed = formattedPaper(
      '{"zeta": 1, "2": {"b": [], "a": {}}, "__proto__": {}, "questions": [], "1": 3}',
    );
    assert.deepEqual(fixed.match(/"\w+"(?=:)/g), [
      '"questions"',
      '"zeta"',
      '"2"',
      '"b"',
      '"a"',
      '"__proto__"',
      '"1"',
    ]);
  });
});

describe('Options are sorted by key', () => {
  const [a, b, c] = ['A', 'B', 'C'].map((key) => ({ key, value: key }));
  const { mcq, msq } = sampleQuestions;

  it('in questions with one or several right options', () => {
    for (const question of [mcq, msq, { ...mcq, answer: 'B' }])
      assert.deepEqual(formattedQuestions({ ...question, options: [c, a, b] }), [
        { ...question, options: [a, b, c] },
      ]);
  });

  const unsorted: readonly [string, object][] = [
    ['a key is not a capital letter', { ...mcq, options: [c, { key: 'a', value: 'x' }] }],
    ['an option has no key', { ...mcq, options: [c, { value: 'x' }, a] }],
    ['the answer may be a position', { ...mcq, answer: '2', options: [c, b] }],
  ];
  it('but not if they are no lettered options of a question whose answer names letters', () => {
    for (const [name, question] of unsorted)
      assert.deepEqual(formattedQuestions(question), [question], name);
  });
});

describe('Formatting does not change a file', () => {
  const unformattable: readonly [string, Uint8Array | string][] = [
    [
      'that is not UTF-8',
      Buffer.concat([Buffer.from(' "caf'), Buffer.from([0xe9]), Buffer.from('"')]),
    ],
    ['that is UTF-16', Buffer.from('\ufeff{}', 'utf16le')],
    ['that is not JSON', ' {"questions": [}'],
    ['with a trailing comma', ' [1,]'],
    ['with a repeated property', ' {"questions": [{"id": "q1", "answer": "A", "answer": "B"}]}'],
    ['with 33 nested lists', ` ${'['.repeat(33)}${']'.repeat(33)}`],
    ['with 1,000,000 nested objects', `${'{"a":'.repeat(1_000_000)}1${'}'.repeat(1_000_000)}`],
  ];
  it('that has no single meaning as JSON, or is nested too deeply', () => {
    for (const [name, content] of unformattable)
      assert.equal(formattedText('paper', Buffer.from(content)), undefined, name);
  });

  it('but changes one with 32 nested lists', () =>
    assert.notEqual(
      formattedText('paper', Buffer.from(` ${'['.repeat(32)}${']'.repeat(32)}`)),
      undefined,
    ));
});

/** Parts that combine to entities, formulas, tags and decomposed letters. */
const pieces = [
  ...'& amp lt gt num l t or in # x 3 6 0 38 60 894 769 ; $ $$ \\ { } \\begin % < > / ! e ='.split(
    ' ',
  ),
  ...'&lt; &amp; &#36; &#116; &eacute; &#xD83D; &#8203; &bne;'.split(' '),
  ...[' ', '\n', '\t'],
  ...Array.from('\u037e\u0301\u0338\u0958\u212b\u00e9\u200b\u2028\ufeff'),
  ...['\ud83d', '\ude00'],
];
const messyText = fc
  .array(fc.constantFrom(...pieces), { maxLength: 12 })
  .map((parts) => parts.join(''));

const names =
  'questions id type question options answer accepted key value file passages diagram __proto__ 1 &lt;'.split(
    ' ',
  );
/** Written as they are: their digits have to stay. */
const numbers = ['0', '-0', '1.0', '1e400', '12345678901234567890', '0.10', '1E-2'];
const values = [messyText, fc.constantFrom('A', 'B', 'A,C', true, null)];
const number = fc.constantFrom(...numbers).map((literal) => `number ${literal}`);

/** JSON texts that are similar to content files, in any layout. */
const json = fc
  .tuple(
    fc.object({ key: fc.constantFrom(...names), values: [...values, number], maxDepth: 5 }),
    fc.constantFrom('', '  ', '\t'),
  )
  .map(([value, indent]) =>
    JSON.stringify(value, undefined, indent).replace(/"number ([^"]*)"/g, '$1'),
  );

/** Files with a list of questions, some of which are invalid. */
const questions = fc
  .array(json, { minLength: 1, maxLength: 3 })
  .map((items) => `{"questions": [${items.join(', ')}], "note": ${items[0]}}`);

const kind = fc.constantFrom('paper' as const, 'exam' as const, 'translation' as const);
const file = fc.oneof(json, questions).map((text) => Buffer.from(text));

/** Removes the order of properties and options from a value. */
function meaning(value: unknown, name?: string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value))
    return Object.entries(value)
      .map(([inner, held]) => [inner, meaning(held, inner)])
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  const items = value.map((item) => meaning(item));
  return name === 'options' ? items.map((item) => JSON.stringify(item)).sort() : items;
}

function literals(text: string): string[] {
  return (text.replace(/"(?:[^"\\]|\\.)*"/g, '""').match(/[\w.+-]+/g) ?? []).sort();
}

describe('Formatting a file with any JSON', () => {
  it('preserves its meaning, and changes nothing in a second run', () => {
    fc.assert(
      fc.property(kind, file, (kind, bytes) => {
        const before = bytes.toString();
        const after = formattedText(kind, bytes) ?? before;
        assert.deepEqual(meaning(JSON.parse(after)), meaning(JSON.parse(before)));
        assert.deepEqual(literals(after), literals(before));
        assert.equal(formattedText(kind, Buffer.from(after)), undefined);
      }),
      { numRuns: 200 },
    );
  });
});
