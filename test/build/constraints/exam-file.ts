import { additional, type ConstraintRow, rejectedValues, required } from './constraint-row.ts';

/** At least one row for every constraint of `exam.schema.json`. */
export const examFileRows: readonly ConstraintRow[] = [
  { constraints: ['/type'], at: '', passes: [], fails: [], message: 'in braces' },
  required('', '', 'label', 'NEET'),
  required('', '', 'subjects', ['physics']),
  additional('', '', '$schema, label, subjects, topics'),
  {
    constraints: ['/properties/$schema/type'],
    at: '/$schema',
    passes: ['../schema/exam.schema.json', undefined],
    fails: 7,
    message: 'in quotation marks',
  },
  {
    constraints: ['/properties/label/type'],
    at: '/label',
    passes: ['JEE Main'],
    fails: null,
    message: 'in quotation marks',
  },
  {
    constraints: ['/properties/label/minLength'],
    at: '/label',
    passes: ['N'],
    fails: '',
    message: 'The text is empty.',
  },
  {
    constraints: ['/properties/label/maxLength'],
    at: '/label',
    // Characters, not UTF-16 units: each of these has two.
    passes: ['N'.repeat(100), '🎓'.repeat(100)],
    fails: 'N'.repeat(101),
    message: 'The text is longer than 100 characters.',
  },
  {
    constraints: ['/properties/subjects/type'],
    at: '/subjects',
    passes: [['physics']],
    fails: 'physics',
    message: 'Write a list in square brackets',
  },
  {
    constraints: ['/properties/subjects/minItems'],
    at: '/subjects',
    passes: [['physics']],
    fails: [],
    message: 'An exam needs at least one subject.',
  },
  {
    constraints: ['/properties/subjects/uniqueItems'],
    at: '/subjects',
    passes: [['physics', 'chemistry']],
    fails: ['physics', 'chemistry', 'physics'],
    message: 'is listed twice.',
    pointer: '/subjects/2',
  },
  {
    constraints: ['/properties/subjects/items/type'],
    at: '/subjects/1',
    passes: ['mathematics'],
    fails: 2,
    message: 'in quotation marks',
  },
  ...['code', 'label'].map((name): ConstraintRow => {
    const { [name]: _, ...others }: Record<string, string> = { code: 'cs', label: 'Computer Science' };
    return {
      constraints: [`/properties/subjects/items/required/${name}`],
      at: '/subjects/1',
      passes: [{ code: 'cs', label: 'Computer Science' }],
      fails: others,
      message: `The property "${name}" is missing.`,
    };
  }),
  ...(
    [
      ['additionalProperties', { name: 'x' }, 'Unknown property "name"', 'name'],
      ['properties/code/type', { code: 7 }, 'quotation marks', 'code'],
      ['properties/code/pattern', { code: 'CS' }, 'has the wrong format', 'code'],
      ['properties/label/type', { label: 7 }, 'quotation marks', 'label'],
      ['properties/label/minLength', { label: '' }, 'The text is empty.', 'label'],
      ['properties/label/maxLength', { label: 'N'.repeat(101) }, 'longer than 100', 'label'],
    ] as const
  ).map(([constraint, wrong, message, name]): ConstraintRow => {
    return {
      constraints: [`/properties/subjects/items/${constraint}`],
      at: '/subjects/1',
      passes: [],
      fails: { code: 'cs', label: 'Computer Science', ...wrong },
      message,
      pointer: `/subjects/1/${name}`,
    };
  }),
  ...rejectedValues(
    ['Biology', 'life sciences', '2nd-language', '', '../physics'],
    {
      constraints: ['/properties/subjects/items/pattern'],
      at: '/subjects/1',
      passes: ['mathematics', 'english-2', 'x'],
    },
    "has the wrong format. A subject's name in lower case: `physics`.",
  ),
  {
    constraints: ['/properties/topics/type'],
    at: '/topics',
    passes: [undefined, {}, { physics: ['Optics', 'Units'] }, { chemistry: ['Solutions'] }],
    fails: ['Units'],
    message: 'in braces',
  },
  ...(
    [
      ['type', 'Units', 'Write a list in square brackets', ''],
      ['minItems', [], 'List at least one topic, or leave the subject out.', ''],
      ['uniqueItems', ['Units', 'Units'], 'is listed twice.', '/1'],
      ['items/type', ['Units', 7], 'in quotation marks', '/1'],
      ['items/minLength', ['Units', ''], 'The text is empty.', '/1'],
      ['items/maxLength', ['Units', 'N'.repeat(101)], 'longer than 100', '/1'],
    ] as const
  ).map(([constraint, fails, message, item]): ConstraintRow => {
    return {
      constraints: [`/properties/topics/additionalProperties/${constraint}`],
      at: '/topics',
      passes: [],
      fails: { physics: fails },
      message,
      pointer: `/topics/physics${item}`,
    };
  }),
];
