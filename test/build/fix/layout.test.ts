import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { formattedText } from '../../../build/fix/layout.ts';
import { sampleExam, sampleQuestions } from '../bank-folder.ts';

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
    ['indented by tabs', JSON.stringify(value, undefined, '\t')],
    ['with one value a line', JSON.stringify(value, undefined, 2)],
    ['with CRLF', tidy.replaceAll('\n', '\r\n')],
    ['with CR', tidy.replaceAll('\n', '\r')],
    ['without a line break at the end', tidy.trimEnd()],
    ['with empty lines around', `\n\n${tidy}\n\n`],
    ['with a byte order mark', `\ufeff${tidy}`],
    ['with escapes that are not needed', tidy.replaceAll('/', '\\/').replaceAll('i', '\\u0069')],
  ];
  for (const [name, text] of others)
    it(`gives the same result for a file ${name}`, () => assert.equal(formattedPaper(text), tidy));

  it('sorts the options of a translation like those of its original', () => {
    const options = ['B', 'A'].map((key) => ({ key, value: key }));
    const written = JSON.stringify({ questions: [{ question: 'x', id: 'q1', options }] });
    const formatted = JSON.parse(formattedText('translation', Buffer.from(written)) ?? '');
    assert.deepEqual(formatted, { questions: [{ id: 'q1', question: 'x', options: options.reverse() }] });
  });

  it('works for exam files', () =>
    assert.equal(
      formattedText('exam', Buffer.from(JSON.stringify(sampleExam))),
      '{\n  "label": "NEET",\n  "subjects": ["physics", "chemistry", "biology"]\n}\n',
    ));

  it('writes each item of a long list on its own line', () => {
    const written = Array.from({ length: 10 }, (_, number) => `Alternating currents ${number}`);
    const lines = written.map((topic) => `  "${topic}"`).join(',\n');
    assert.equal(formattedPaper(JSON.stringify(written)), `[\n${lines}\n]\n`);
  });

  it('writes letters literally and invisible characters as escapes', () => {
    const written = [
      'é',
      '"',
      '\\',
      '\n',
      '\0',
      '\x7f',
      '\x85',
      '\u200b',
      '\u2028',
      '\u202e',
      '\ufeff',
      '\ufffe',
      '\ud800',
      '\u{e0041}',
    ];
    assert.equal(
      formattedPaper(JSON.stringify(written)),
      String.raw`["é", "\"", "\\", "\n", "\u0000", "\u007f", "\u0085", "\u200b", "\u2028", "\u202e", "\ufeff", "\ufffe", "\ud800", "\udb40\udc41"]` +
        '\n',
    );
  });

  it('writes the joiners of Devanagari and of emoji literally', () =>
    assert.equal(formattedPaper('["क्\\u200dष", "👩\u200d🔬"]'), '["क्\u200dष", "👩\u200d🔬"]\n'));
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

  it('in an exam file', () => {
    const exam = '{"subjects": [], "label": "NEET", "$schema": "../schema/exam.schema.json"}';
    assert.equal(
      formattedText('exam', Buffer.from(exam)),
      '{\n  "$schema": "../schema/exam.schema.json",\n  "label": "NEET",\n  "subjects": []\n}\n',
    );
  });

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
    ['two have the same key', { ...mcq, options: [c, b, { ...b, value: 'x' }] }],
    ['a key is not a capital letter', { ...mcq, options: [c, { key: 'a', value: 'x' }] }],
    ['an option has no key', { ...mcq, options: [c, { value: 'x' }, a] }],
    ['an option is not an object', { ...mcq, options: [c, 'B', a] }],
    ['the answer may be a position', { ...mcq, answer: '2', options: [c, b] }],
    ['there is no answer', { id: 'q1', options: [c, b] }],
  ];
  for (const [name, question] of unsorted)
    it(`but not if ${name}`, () => assert.deepEqual(formattedQuestions(question), [question]));

  it('and other lists are not sorted', () => {
    const question = {
      ...msq,
      answer: 'C,A',
      diagrams: [
        { file: 'q1-b.png', alt: 'B' },
        { file: 'q1-a.png', alt: 'A' },
      ],
      accepted: ['C,A', 'B'],
    };
    assert.deepEqual(formattedQuestions({ ...msq, id: 'q2' }, question), [{ ...msq, id: 'q2' }, question]);
    const exam = JSON.stringify({ label: 'NEET', subjects: ['physics', 'biology'] });
    assert.deepEqual(JSON.parse(formattedText('exam', Buffer.from(exam)) ?? ''), JSON.parse(exam));
  });
});

it('Texts are not changed', () => {
  const question = {
    ...sampleQuestions.mcq,
    question: 'Cafe\u0301 &gt; \\(x\\)',
    topic: ['&lt;'],
    note: '&amp;',
  };
  assert.deepEqual(formattedQuestions(question), [question]);
});

describe('Formatting preserves an invalid value:', () => {
  for (const number of ['1.0', '-0', '1e400', '1E+2', '12345678901234567890', '0.1000'])
    it(`the number ${number}`, () =>
      assert.equal(formattedPaper(`{"questions":[${number}]}`), `{\n  "questions": [${number}]\n}\n`));

  for (const text of ['null', 'true', '"text"', '[]', '{}', '17', '{\n  "questions": {}\n}'])
    it(text.replaceAll('\n', ''), () => assert.equal(formattedPaper(` ${text}`), `${text}\n`));

  it('an option with a list in it', () => {
    const question = { ...sampleQuestions.mcq, options: [{ key: 'A', value: 'x', more: [[1], {}] }, null] };
    assert.deepEqual(formattedQuestions(question), [question]);
  });
});

describe('Formatting does not change a file', () => {
  const unformattable: readonly [string, Uint8Array | string][] = [
    ['that is not UTF-8', Buffer.concat([Buffer.from(' "caf'), Buffer.from([0xe9]), Buffer.from('"')])],
    ['that is UTF-16', Buffer.from('\ufeff{}', 'utf16le')],
    ['that is empty', ''],
    ['that is not JSON', ' {"questions": [}'],
    ['with a comment', ' {} // nothing'],
    ['with a trailing comma', ' [1,]'],
    ['with a repeated property', ' {"questions": [{"id": "q1", "answer": "A", "answer": "B"}]}'],
    ['with a repeated property that has an escape in its name', ' {"label": 1, "\\u006cabel": 2}'],
    ['with 33 nested lists', ` ${'['.repeat(33)}${']'.repeat(33)}`],
    ['with 10,000 nested lists', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['with 1,000,000 nested objects', `${'{"a":'.repeat(1_000_000)}1${'}'.repeat(1_000_000)}`],
  ];
  for (const [name, content] of unformattable)
    it(name, () => assert.equal(formattedText('paper', Buffer.from(content)), undefined));

  it('but changes one with 32 nested lists', () =>
    assert.notEqual(formattedText('paper', Buffer.from(` ${'['.repeat(32)}${']'.repeat(32)}`)), undefined));
});
