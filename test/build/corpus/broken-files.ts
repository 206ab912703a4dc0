import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrokenBank, edit, files } from './broken-bank.ts';

const megabyte = 1024 * 1024;

/** The last question of a paper, cut short, and what is open there. */
const cutShort = [
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

/** Mistakes of files as such, and of what is in an exam file. */
export const brokenFiles: readonly BrokenBank[] = [
  {
    shows: 'a file is larger than any paper',
    rule: 'readable-file',
    make: (dir) => truncate(join(dir, files.physics), 17 * megabyte),
    file: files.physics,
    pointer: '',
    says: 'The file is too large: 17 MB. The limit is 16 MB.',
  },
  {
    shows: 'a file was saved as Latin-1',
    rule: 'utf-8',
    make: async (dir) => {
      const text = await readFile(join(dir, files.physics), 'utf8');
      await writeFile(join(dir, files.physics), text.replace('’', "'"), 'latin1');
    },
    edits: [edit('physics', 'Schrödinger’s', "Schr⟦\ufffd⟧dinger's")],
    pointer: '',
    says: 'The file is not UTF-8: it has the bytes F6 here.',
    suggestion: 'ö',
  },
  {
    shows: 'a file was saved as UTF-16',
    rule: 'utf-8',
    make: async (dir) => {
      const text = await readFile(join(dir, files.physics), 'utf8');
      await writeFile(join(dir, files.physics), `\ufeff${text}`, 'utf16le');
    },
    file: files.physics,
    pointer: '',
    says: 'The file is in the wrong encoding.',
  },
  {
    shows: 'a file begins with a byte order mark',
    rule: 'byte-order-mark',
    make: async (dir) => {
      const text = await readFile(join(dir, files.physics), 'utf8');
      await writeFile(join(dir, files.physics), `\ufeff${text}`);
    },
    file: files.physics,
    pointer: '',
    says: 'The file begins with a byte order mark.',
  },
  {
    shows: 'a comma is missing',
    rule: 'syntax',
    edits: [edit('physics', '"answer": "C",\n      "topic"', '"answer": "C"\n      ⟦"topic"⟧')],
    pointer: '',
    says: 'Put a comma between two items.',
  },
  {
    shows: 'a comma stands behind the last item',
    rule: 'syntax',
    edits: [edit('neet', '"biology"]', '"biology"⟦,⟧]')],
    pointer: '',
    says: 'Remove the trailing comma.',
  },
  {
    shows: 'a bracket is missing, and all that follows is read otherwise',
    rule: 'syntax',
    edits: [
      edit('biology', '"options": [', '"options": ⟦[⟧'),
      edit('biology', '"Insulin" }\n      ],', '"Insulin" }\n      ,'),
    ],
    pointer: '',
    says: 'Nothing closes this [: a ] is missing.',
  },
  {
    shows: 'a file is cut short',
    rule: 'syntax',
    edits: cutShort,
    pointer: '',
    says: 'The text ends here, and a } is missing.',
    related: 1,
  },
  {
    shows: 'a backslash is written once',
    rule: 'syntax',
    edits: [edit('physics', '$300\\\\,', '$300⟦\\,⟧')],
    pointer: '',
    says: 'In JSON, write a backslash twice',
    suggestion: '\\\\,',
  },
  {
    shows: 'a quote stands inside a text',
    rule: 'syntax',
    edits: [edit('biology', 'carries oxygen', 'carries ⟦"⟧oxygen"')],
    pointer: '',
    says: 'Write a quote inside a text as \\"',
    suggestion: '\\"',
  },
  {
    shows: 'a merge was not finished',
    rule: 'syntax',
    edits: [
      edit(
        'neet',
        '  "label": "NEET",\n',
        '⟦<<<<<<< HEAD\n  "label": "NEET",\n=======\n  "label": "NEET (UG)",\n>>>>>>> spelling⟧\n',
      ),
    ],
    pointer: '',
    says: 'This is an unresolved merge conflict.',
  },
  {
    shows: 'the properties of an exam are not its own',
    rule: 'schema',
    edits: [edit('neet', '"label"', '⟦"lable"⟧')],
    pointer: '/lable',
    says: 'Unknown property "lable"',
    suggestion: 'label',
  },
  {
    shows: 'a subject is in upper case',
    rule: 'schema',
    edits: [edit('neet', '"chemistry"', '⟦"Chemistry"⟧')],
    pointer: '/subjects/1',
    says: '"Chemistry" has the wrong format.',
    suggestion: 'chemistry',
  },
  {
    shows: 'a subject is listed twice',
    rule: 'schema',
    edits: [
      edit(
        'neet',
        '["physics", "chemistry", "biology"]',
        '[⟪"physics"⟫, "chemistry", "biology", ⟦"physics"⟧]',
      ),
    ],
    pointer: '/subjects/3',
    says: 'The items 1 and 4 are the same.',
    related: 1,
  },
];
