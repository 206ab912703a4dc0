import { paperPath } from '../bank-folder.ts';
import { additional, type ConstraintRow, required } from './constraint-row.ts';

const exception = {
  rule: 'repeated-stem',
  file: paperPath,
  pointer: '/questions/0/question',
  reason: 'Both papers asked it.',
};

/** The list of a bank in which two papers have the same question. */
export const exceptionsFile = { exceptions: [exception] };

const schema = '/$defs/exception';
const first = '/exceptions/0';
const noText = 'in quotation marks';

/** At least one row for every constraint of `exceptions.schema.json`. */
export const exceptionsFileRows: readonly ConstraintRow[] = [
  { constraints: ['/type'], at: '', passes: [], fails: [], message: 'in braces' },
  required('', '', 'exceptions', [exception]),
  additional('', '', '$schema, exceptions'),
  {
    constraints: ['/properties/$schema/type'],
    at: '/$schema',
    passes: ['schema/exceptions.schema.json', undefined],
    fails: 7,
    message: noText,
  },
  {
    constraints: ['/properties/exceptions/type'],
    at: '/exceptions',
    passes: [[exception]],
    fails: exception,
    message: 'Write a list in square brackets',
  },
  {
    constraints: [`${schema}/type`],
    at: first,
    passes: [exception],
    fails: 'repeated-stem',
    message: 'in braces',
  },
  required(schema, first, 'rule', exception.rule),
  required(schema, first, 'reason', exception.reason),
  additional(schema, first, 'rule, question, file, pointer, reason'),
  ...(['rule', 'file', 'pointer', 'reason'] as const).map(
    (name): ConstraintRow => ({
      constraints: [`${schema}/properties/${name}/type`],
      at: `${first}/${name}`,
      passes: [exception[name]],
      fails: 7,
      message: noText,
    }),
  ),
  {
    constraints: [`${schema}/properties/question/type`],
    at: `${first}/question`,
    passes: [],
    fails: 7,
    message: noText,
  },
  ...(['rule', 'question', 'file'] as const).map(
    (name): ConstraintRow => ({
      constraints: [`${schema}/properties/${name}/minLength`],
      at: `${first}/${name}`,
      passes: [],
      fails: '',
      message: 'The text is empty.',
    }),
  ),
  {
    constraints: [`${schema}/properties/pointer/pattern`],
    at: `${first}/pointer`,
    passes: [exception.pointer],
    fails: 'questions/0/question',
    message: 'has the wrong format. One place in the file',
  },
  {
    constraints: [`${schema}/properties/reason/minLength`],
    at: `${first}/reason`,
    passes: ['0123456789'],
    fails: 'It is so.',
    message: 'The text is shorter than 10 characters. The reason for the exception',
  },
];
