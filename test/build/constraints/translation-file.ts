import { shiftPath } from '../bank-folder.ts';
import type { ConstraintRow } from './constraint-row.ts';

export const translationPath = `${shiftPath}/physics.hi.json`;

const question = {
  id: 'q1',
  question: 'लंबाई का मात्रक क्या है?',
  options: [
    { key: 'A', value: 'मीटर' },
    { key: 'B', value: 'सेकंड' },
  ],
};

/** A translation of the sample question of type `mcq`. */
export const translationFile = { lastUpdated: '2024-06-01T10:00:00Z', questions: [question] };

function row(constraint: string, at: string, fails: unknown, message?: string, pointer = at): ConstraintRow {
  return {
    constraints: [constraint],
    at,
    passes: [],
    fails,
    pointer,
    ...(message !== undefined && { message }),
  };
}

/** Rows on an object with text properties. */
function objectRows(schema: string, at: string, valid: Readonly<Record<string, unknown>>): ConstraintRow[] {
  const known = Object.keys(valid);
  return [
    row(`${schema}/type`, at, 'text', 'in braces'),
    row(
      `${schema}/additionalProperties`,
      at,
      { ...valid, colour: 'red' },
      'Unknown property',
      `${at}/colour`,
    ),
    ...known.map((name) => {
      const others = Object.fromEntries(Object.entries(valid).filter(([other]) => other !== name));
      return row(`${schema}/required/${name}`, at, others, `The property "${name}" is missing.`);
    }),
  ];
}

function textRows(schema: string, at: string, canBeEmpty = false): ConstraintRow[] {
  const type = row(`${schema}/type`, at, 7, 'quotation marks');
  return canBeEmpty ? [type] : [type, row(`${schema}/minLength`, at, '', 'The text is empty.')];
}

const first = '/questions/0';
const ofQuestion = '/$defs/question/properties';
const ofOption = '/$defs/option/properties';
const list = 'in square brackets';

/** Rows on passages and diagrams, which the translation does not have, replace the list. */
function inList(at: string, valid: object, rows: readonly ConstraintRow[]): ConstraintRow[] {
  return rows.map((one) => {
    const [, name] = /^\/0\/(.*)$/.exec(one.at) ?? [];
    const fails = name === undefined ? one.fails : { ...valid, [name]: one.fails };
    return { ...one, at, fails: [fails], pointer: `${at}${one.pointer}` };
  });
}

/** At least one row for every constraint of `translation.schema.json`. */
export const translationRows: readonly ConstraintRow[] = [
  { constraints: ['/type'], at: '', passes: [], fails: [], message: 'in braces' },
  row('/additionalProperties', '/colour', 'red', 'Unknown property "colour"'),
  row('/required/lastUpdated', '/lastUpdated', undefined, 'is missing', ''),
  row('/required/questions', '/questions', undefined, 'is missing', ''),
  {
    ...row('/properties/$schema/type', '/$schema', 7, 'quotation marks'),
    passes: ['../../../schema/translation.schema.json'],
  },
  row('/properties/lastUpdated/type', '/lastUpdated', 7, 'quotation marks'),
  row('/properties/lastUpdated/pattern', '/lastUpdated', '2024-06-01t10:00:00z', 'has the wrong format'),
  row(
    '/properties/lastUpdated/format',
    '/lastUpdated',
    '2023-02-29T10:00:00Z',
    'is not a valid date and time',
  ),
  row('/properties/questions/type', '/questions', {}, list),
  row('/properties/questions/minItems', '/questions', [], 'A paper needs at least one question.'),
  row('/properties/passages/type', '/passages', {}, list),
  ...objectRows('/$defs/question', first, { id: 'q1', question: 'क्या?' }),
  ...textRows(`${ofQuestion}/id`, `${first}/id`, true),
  ...textRows(`${ofQuestion}/question`, `${first}/question`),
  ...textRows(`${ofQuestion}/solution`, `${first}/solution`),
  row(`${ofQuestion}/options/type`, `${first}/options`, {}, list),
  row(`${ofQuestion}/diagrams/type`, `${first}/diagrams`, {}, list),
  ...objectRows('/$defs/option', `${first}/options/0`, { key: 'A' }),
  ...textRows(`${ofOption}/key`, `${first}/options/0/key`, true),
  ...textRows(`${ofOption}/value`, `${first}/options/0/value`),
  ...inList('/passages', { id: 'p1', text: 'क' }, [
    ...objectRows('/$defs/passage', '/0', { id: 'p1', text: 'क' }),
    ...textRows('/$defs/passage/properties/id', '/0/id', true),
    ...textRows('/$defs/passage/properties/text', '/0/text'),
    row('/$defs/passage/properties/diagrams/type', '/0/diagrams', {}, list),
  ]),
  ...inList(`${first}/diagrams`, { file: 'q1.png', alt: 'क' }, [
    ...objectRows('/$defs/diagram', '/0', { file: 'q1.png', alt: 'क' }),
    ...textRows('/$defs/diagram/properties/file', '/0/file', true),
    ...textRows('/$defs/diagram/properties/alt', '/0/alt'),
  ]),
];
