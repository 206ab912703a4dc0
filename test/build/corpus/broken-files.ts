import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrokenBank, edit, files } from './broken-bank.ts';

const megabyte = 1024 * 1024;

/** Truncates a paper in its last question, and marks the open brace. */
const truncated = [
  edit(
    'biology',
    '    {\n      "id": "neet-2024-05-05-s1-biology-02"',
    '    ⟪{⟫\n      "id": "neet-2024-05-05-s1-biology-02"',
  ),
  edit(
    'biology',
    '"answer": "B",\n      "topic": "Cell: The Unit of Life",\n      "difficulty": "easy"\n    }\n  ]\n}\n',
    '"answer": "B"⟦⟧\n',
  ),
];

/** Mistakes in the encoding and syntax of files, and in exam files. */
export const brokenFiles: readonly BrokenBank[] = [
  {
    title: 'a file that is too large',
    rule: 'readable-file',
    make: (dir) => truncate(join(dir, files.physics), 17 * megabyte),
    file: files.physics,
    pointer: '',
    message: 'The file is too large: 17 MB. The limit is 16 MB.',
  },
  {
    title: 'a file in Latin-1',
    rule: 'utf-8',
    make: async (dir) => {
      const text = await readFile(join(dir, files.physics), 'utf8');
      await writeFile(join(dir, files.physics), text.replace('’', "'"), 'latin1');
    },
    edits: [edit('physics', 'Schrödinger’s', "Schr⟦\ufffd⟧dinger's")],
    pointer: '',
    message: 'The file is not UTF-8: it has the bytes F6 here.',
    suggestion: 'ö',
  },
  {
    title: 'a file in UTF-16',
    rule: 'utf-8',
    make: async (dir) => {
      const text = await readFile(join(dir, files.physics), 'utf8');
      await writeFile(join(dir, files.physics), `\ufeff${text}`, 'utf16le');
    },
    file: files.physics,
    pointer: '',
    message: 'The file is in the wrong encoding.',
  },
  {
    title: 'a byte order mark',
    rule: 'byte-order-mark',
    make: async (dir) => {
      const text = await readFile(join(dir, files.physics), 'utf8');
      await writeFile(join(dir, files.physics), `\ufeff${text}`);
    },
    file: files.physics,
    pointer: '',
    message: 'The file begins with a byte order mark.',
    suggestion: '',
  },
  {
    title: 'a missing comma',
    rule: 'syntax',
    edits: [edit('physics', '"answer": "C",\n      "topic"', '"answer": "C"\n      ⟦"topic"⟧')],
    pointer: '',
    message: 'Put a comma between two items.',
  },
  {
    title: 'a trailing comma',
    rule: 'syntax',
    edits: [edit('neet', '"biology"]', '"biology"⟦,⟧]')],
    pointer: '',
    message: 'Remove the trailing comma.',
    suggestion: '',
  },
  {
    title: 'a missing bracket',
    rule: 'syntax',
    edits: [
      edit('biology', '"options": [', '"options": ⟦[⟧'),
      edit('biology', '"Insulin" }\n      ],', '"Insulin" }\n      ,'),
    ],
    pointer: '',
    message: 'This [ is not closed: a ] is missing.',
  },
  {
    title: 'a truncated file',
    rule: 'syntax',
    edits: truncated,
    pointer: '',
    message: 'The file ends here, and a } is missing.',
    related: 1,
  },
  {
    title: 'an unescaped backslash',
    rule: 'syntax',
    edits: [edit('physics', '$300\\\\,', '$300⟦\\,⟧')],
    pointer: '',
    message: 'In JSON, write a backslash twice',
    suggestion: '\\\\,',
  },
  {
    title: 'an unescaped quote in a text',
    rule: 'syntax',
    edits: [edit('biology', 'carries oxygen', 'carries ⟦"⟧oxygen"')],
    pointer: '',
    message: 'Write a quote inside a text as \\"',
    suggestion: '\\"',
  },
  {
    title: 'an unresolved merge conflict',
    rule: 'syntax',
    edits: [
      edit(
        'neet',
        '  "label": "NEET",\n',
        '⟦<<<<<<< HEAD\n  "label": "NEET",\n=======\n  "label": "NEET (UG)",\n>>>>>>> spelling⟧\n',
      ),
    ],
    pointer: '',
    message: 'This is an unresolved merge conflict.',
  },
  {
    title: 'a misspelt property of an exam',
    rule: 'schema',
    edits: [edit('neet', '"label"', '⟦"lable"⟧')],
    pointer: '/lable',
    message: 'Unknown property "lable"',
    suggestion: 'label',
  },
  {
    title: 'a subject in upper case',
    rule: 'schema',
    edits: [edit('neet', '"chemistry"', '⟦"Chemistry"⟧')],
    pointer: '/subjects/1',
    message: '"Chemistry" has the wrong format.',
    suggestion: 'chemistry',
  },
  {
    title: 'a repeated subject',
    rule: 'schema',
    edits: [
      edit(
        'neet',
        '["physics", "chemistry", "biology"]',
        '[⟪"physics"⟫, "chemistry", "biology", ⟦"physics"⟧]',
      ),
    ],
    pointer: '/subjects/3',
    message: 'is listed twice.',
    related: 1,
  },
];
