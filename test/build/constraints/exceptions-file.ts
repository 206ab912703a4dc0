import { paperPath } from '../bank-folder.ts';
import { additional, type ConstraintRow, required } from './row.ts';

const exception = {
  rule: 'repeated-stem',
  file: paperPath,
  pointer: '/questions/0/question',
  reason: 'Both papers asked it.',
};

/** A list that a bank needs in which two papers ask one question. */
export const exceptionsFile = { exceptions: [exception] };

const schema = '/$defs/exception';
const first = '/exceptions/0';
const noText = 'Expected text';

/** One row or more for every constraint of `exceptions.schema.json`. */
export const exceptionsFileRows: readonly ConstraintRow[] = [
  { constraints: ['/type'], at: '', passes: [], fails: [], says: 'Expected an object in braces' },
  required('', '', 'exceptions', [exception]),
  additional('', '', '$schema, exceptions'),
  {
    constraints: ['/properties/$schema/type'],
    at: '/$schema',
    passes: ['schema/exceptions.schema.json', undefined],
    fails: 7,
    says: noText,
  },
  {
    constraints: ['/properties/exceptions/type'],
    at: '/exceptions',
    passes: [[exception]],
    fails: exception,
    says: 'Expected a list in square brackets',
  },
  {
    constraints: [`${schema}/type`],
    at: first,
    passes: [exception],
    fails: 'repeated-stem',
    says: 'Expected an object in braces',
  },
  required(schema, first, 'rule', exception.rule),
  required(schema, first, 'file', exception.file),
  required(schema, first, 'pointer', exception.pointer),
  required(schema, first, 'reason', exception.reason),
  additional(schema, first, 'rule, file, pointer, reason'),
  ...(['rule', 'file', 'pointer', 'reason'] as const).map(
    (name): ConstraintRow => ({
      constraints: [`${schema}/properties/${name}/type`],
      at: `${first}/${name}`,
      passes: [exception[name]],
      fails: 7,
      says: noText,
    }),
  ),
  ...(['rule', 'file'] as const).map(
    (name): ConstraintRow => ({
      constraints: [`${schema}/properties/${name}/minLength`],
      at: `${first}/${name}`,
      passes: [],
      fails: '',
      says: 'The text is empty.',
    }),
  ),
  {
    constraints: [`${schema}/properties/pointer/pattern`],
    at: `${first}/pointer`,
    passes: [exception.pointer],
    fails: 'questions/0/question',
    says: 'has the wrong format. The JSON pointer that the report names',
  },
  {
    constraints: [`${schema}/properties/reason/minLength`],
    at: `${first}/reason`,
    passes: ['0123456789'],
    fails: 'It is so.',
    says: 'The text is shorter than 10 characters. Why the bank keeps it',
  },
];
