import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formattedText } from '../../../build/fix/layout.ts';

/** Parts that combine to entities, formulas, tags and decomposed letters. */
const pieces = [
  ...[
    '&',
    'amp',
    'lt',
    'gt',
    'num',
    'l',
    't',
    'or',
    'in',
    '#',
    'x',
    '3',
    '6',
    '0',
    '38',
    '60',
    '894',
    '769',
    ';',
    '\u037e',
  ],
  ...['&lt;', '&amp;', '&#36;', '&#116;', '&eacute;', '&#xD83D;', '&#8203;', '&bne;'],
  ...['$', '$$', '\\', '{', '}', '\\begin', '%', '<', '>', '/', '!', ' ', '\n', '\t'],
  ...[
    'e',
    '\u0301',
    '\u0338',
    '=',
    '\u0958',
    '\u212b',
    '\u00e9',
    '\u200b',
    '\u2028',
    '\ud83d',
    '\ude00',
    '\ufeff',
  ],
];
const messyText = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''));

const names = [
  ...['$schema', 'subjects', 'lastUpdated', 'questions', 'id', 'type', 'question', 'options', 'answer'],
  ...['topic', 'difficulty', 'diagrams', 'accepted', 'dropped', 'key', 'value', 'file', 'alt'],
  ...[
    'passages',
    'passage',
    'text',
    'solution',
    'number',
    'section',
    'label',
    'diagram',
    'marking',
    'answerRange',
  ],
  ...['__proto__', 'constructor', '1', '0', '', 'a\u0301', '&lt;'],
];
const numbers = ['0', '-0', '1.0', '1e400', '12345678901234567890', '0.10', '1E-2'];
const white = fc.constantFrom('', ' ', '\n', '\r\n', '\t  ');

/** JSON texts that are similar to content files. */
const { json } = fc.letrec<{ json: string; list: string; object: string; inner: string }>((tie) => ({
  json: fc.oneof(tie('object'), tie('object'), tie('inner')),
  inner: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      messyText.map((text) => JSON.stringify(text)),
      fc.constantFrom('"A"', '"B"', '"C"', '"A,C"'),
      fc.constantFrom('true', 'false', 'null', ...numbers),
    ),
    tie('object'),
    tie('list'),
  ),
  list: fc
    .tuple(white, fc.array(tie('inner'), { maxLength: 4 }))
    .map(([space, items]) => `[${space}${items.join(`${space},`)}]`),
  object: fc
    .tuple(
      white,
      fc.uniqueArray(fc.tuple(fc.constantFrom(...names), tie('inner')), {
        maxLength: 6,
        selector: ([name]) => name,
      }),
    )
    .map(([space, members]) => {
      const texts = members.map(([name, value]) => `${JSON.stringify(name)}${space}:${value}`);
      return `{${texts.join(`,${space}`)}${space}}`;
    }),
}));

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
  it('is idempotent', () => {
    fc.assert(
      fc.property(kind, file, (kind, bytes) => {
        const fixed = formattedText(kind, bytes);
        if (fixed !== undefined) assert.equal(formattedText(kind, Buffer.from(fixed)), undefined);
      }),
      { numRuns: 2000 },
    );
  });

  it('preserves its meaning', () => {
    fc.assert(
      fc.property(kind, file, (kind, bytes) => {
        const before = bytes.toString();
        const after = formattedText(kind, bytes) ?? before;
        assert.deepEqual(meaning(JSON.parse(after)), meaning(JSON.parse(before)));
        assert.deepEqual(literals(after), literals(before));
      }),
      { numRuns: 2000 },
    );
  });

  it('preserves a value without known properties', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }), (value) => {
        const fixed = formattedText('paper', Buffer.from(JSON.stringify({ other: value }))) ?? '';
        assert.equal(JSON.stringify(JSON.parse(fixed)), JSON.stringify({ other: value }));
      }),
    );
  });
});
