import { additional, type ConstraintRow, refusing, required } from './row.ts';

/** One row or more for every constraint of `exam.schema.json`. */
export const examFileRows: readonly ConstraintRow[] = [
  { constraints: ['/type'], at: '', passes: [], fails: [], says: 'Expected an object in braces' },
  required('', '', 'label', 'NEET'),
  required('', '', 'subjects', ['physics']),
  additional('', '', '$schema, label, subjects'),
  {
    constraints: ['/properties/$schema/type'],
    at: '/$schema',
    passes: ['../schema/exam.schema.json', undefined],
    fails: 7,
    says: 'Expected text',
  },
  {
    constraints: ['/properties/label/type'],
    at: '/label',
    passes: ['JEE Main'],
    fails: null,
    says: 'Expected text',
  },
  {
    constraints: ['/properties/label/minLength'],
    at: '/label',
    passes: ['N'],
    fails: '',
    says: 'The text is empty.',
  },
  {
    constraints: ['/properties/label/maxLength'],
    at: '/label',
    // Characters, not UTF-16 units: each of these has two.
    passes: ['N'.repeat(100), '🎓'.repeat(100)],
    fails: 'N'.repeat(101),
    says: 'The text is longer than 100 characters.',
  },
  {
    constraints: ['/properties/subjects/type'],
    at: '/subjects',
    passes: [['physics']],
    fails: 'physics',
    says: 'Expected a list in square brackets',
  },
  {
    constraints: ['/properties/subjects/minItems'],
    at: '/subjects',
    passes: [['physics']],
    fails: [],
    says: 'At least one item is required.',
  },
  {
    constraints: ['/properties/subjects/uniqueItems'],
    at: '/subjects',
    passes: [['physics', 'chemistry']],
    fails: ['physics', 'chemistry', 'physics'],
    says: 'are the same.',
    pointer: '/subjects/2',
  },
  {
    constraints: ['/properties/subjects/items/type'],
    at: '/subjects/1',
    passes: ['mathematics'],
    fails: 2,
    says: 'Expected text',
  },
  ...refusing(
    ['Biology', 'life sciences', '2nd-language', '', '../physics'],
    {
      constraints: ['/properties/subjects/items/pattern'],
      at: '/subjects/1',
      passes: ['mathematics', 'english-2', 'x'],
    },
    "has the wrong format. A subject's name in lower case: `physics`.",
  ),
];
