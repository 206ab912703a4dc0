import { mkdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { jpeg, png } from '../image-bytes.ts';
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

/** Mistakes of files as such: what they are, where they stand, what they are called. */
export const brokenFiles: readonly BrokenBank[] = [
  {
    shows: 'a file is larger than any paper',
    rule: 'readable-file',
    make: (dir) => truncate(join(dir, files.physics), 17 * megabyte),
    file: files.physics,
    pointer: '',
    says: 'The file is too large: 17 MB, where 16 MB are the most.',
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
    says: 'The file is not UTF-8: here stand the bytes F6.',
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
    says: 'The file is UTF-16.',
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
    says: 'A comma belongs between two items.',
  },
  {
    shows: 'a comma stands behind the last item',
    rule: 'syntax',
    edits: [edit('neet', '"biology"]', '"biology"⟦,⟧]')],
    pointer: '',
    says: 'After the last item stands no comma.',
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
    says: 'This is no JSON escape',
    suggestion: '\\\\,',
  },
  {
    shows: 'a quote stands inside a text',
    rule: 'syntax',
    edits: [edit('biology', 'carries oxygen', 'carries ⟦"⟧oxygen"')],
    pointer: '',
    says: 'a quote inside a text is written \\"',
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
    says: 'A merge conflict stands here',
  },
  {
    shows: 'the properties of an exam are not its own',
    rule: 'schema',
    edits: [edit('neet', '"label"', '⟦"lable"⟧')],
    pointer: '/lable',
    says: 'There is no property "lable" here',
    suggestion: 'label',
  },
  {
    shows: 'a subject is in upper case',
    rule: 'schema',
    edits: [edit('neet', '"chemistry"', '⟦"Chemistry"⟧')],
    pointer: '/subjects/1',
    says: '"Chemistry" is not of the right form.',
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
  {
    shows: 'a diagram is named as it is not',
    rule: 'diagram-exists',
    edits: [
      edit(
        'physics',
        '"neet-2024-05-05-s1-physics-02-circuit.svg"',
        '⟦"neet-2024-05-05-s1-physics-02-cirucit.svg"⟧',
      ),
    ],
    pointer: '/questions/1/diagrams/0/file',
    says: "The shift's folder has no diagrams/neet-2024-05-05-s1-physics-02-cirucit.svg.",
    suggestion: 'neet-2024-05-05-s1-physics-02-circuit.svg',
  },
  {
    shows: 'a diagram was not handed in',
    rule: 'diagram-exists',
    make: (dir) => rm(join(dir, files.line)),
    edits: [
      edit(
        'mathematics',
        '"jeemain-2025-01-22-s1-mathematics-02.png"',
        '⟦"jeemain-2025-01-22-s1-mathematics-02.png"⟧',
      ),
    ],
    pointer: '/questions/1/diagrams/0/file',
    says: "The shift's folder has no diagrams/jeemain-2025-01-22-s1-mathematics-02.png.",
  },
  {
    shows: "a diagram does not bear its question's id",
    rule: 'diagram-name',
    make: (dir) => rename(join(dir, files.line), join(dir, dirname(files.line), 'line.png')),
    edits: [
      edit('mathematics', '"jeemain-2025-01-22-s1-mathematics-02.png"', '⟦"line.png"⟧'),
      edit(
        'mathematics',
        '"jeemain-2025-01-22-s1-mathematics-02"',
        '⟪"jeemain-2025-01-22-s1-mathematics-02"⟫',
      ),
    ],
    pointer: '/questions/1/diagrams/0/file',
    says: 'does not contain the id of its question, jeemain-2025-01-22-s1-mathematics-02.',
    related: 1,
  },
  {
    shows: 'a diagram is of another kind than its name says',
    rule: 'diagram-image',
    make: (dir) => writeFile(join(dir, files.line), jpeg(16, 12)),
    edits: [
      edit(
        'mathematics',
        '"jeemain-2025-01-22-s1-mathematics-02.png"',
        '⟦"jeemain-2025-01-22-s1-mathematics-02.png"⟧',
      ),
    ],
    pointer: '/questions/1/diagrams/0/file',
    says: 'The file is of the kind JPEG, so its name ends in .jpg or .jpeg.',
    related: 1,
  },
  {
    shows: 'a diagram was cut short',
    rule: 'diagram-image',
    make: (dir) => truncate(join(dir, files.line), 50),
    edits: [
      edit(
        'mathematics',
        '"jeemain-2025-01-22-s1-mathematics-02.png"',
        '⟦"jeemain-2025-01-22-s1-mathematics-02.png"⟧',
      ),
    ],
    pointer: '/questions/1/diagrams/0/file',
    says: 'it is empty, cut short, or not PNG',
    related: 1,
  },
  {
    shows: 'a drawing is no XML',
    rule: 'diagram-image',
    edits: [
      edit(
        'physics',
        '"neet-2024-05-05-s1-physics-02-circuit.svg"',
        '⟦"neet-2024-05-05-s1-physics-02-circuit.svg"⟧',
      ),
      edit('circuit', '  </defs>', '  </def⟪>⟫'),
    ],
    pointer: '/questions/1/diagrams/0/file',
    says: 'The SVG is no well-formed XML',
    related: 1,
  },
  {
    shows: 'a diagram is larger than it may be',
    rule: 'diagram-size',
    make: (dir) => writeFile(join(dir, files.line), png(9000, 2)),
    edits: [
      edit(
        'mathematics',
        '"jeemain-2025-01-22-s1-mathematics-02.png"',
        '⟦"jeemain-2025-01-22-s1-mathematics-02.png"⟧',
      ),
    ],
    pointer: '/questions/1/diagrams/0/file',
    says: 'The image is too large: 9000 by 2 pixels',
    related: 1,
  },
  {
    shows: 'those who cannot see a diagram are told that it is one',
    rule: 'diagram-alt',
    severity: 'warning',
    edits: [
      edit(
        'mathematics',
        '"A line through the origin with slope one, and the point P at (0, 3.5)."',
        '⟦"Diagram of question 2"⟧',
      ),
    ],
    pointer: '/questions/1/diagrams/0/alt',
    says: 'This does not say what the diagram shows',
  },
  {
    shows: 'a drawing runs a program',
    rule: 'svg-safety',
    edits: [edit('circuit', '</svg>', '  ⟦<script⟧>alert(1)</script>\n</svg>')],
    pointer: '',
    says: '<script> runs a program.',
  },
  {
    shows: 'a drawing waits for a click',
    rule: 'svg-safety',
    edits: [edit('circuit', '<circle ', '<circle ⟦onclick="alert(1)"⟧ ')],
    pointer: '',
    says: 'onclick runs a program',
  },
  {
    shows: 'a drawing fetches an image from elsewhere',
    rule: 'svg-safety',
    edits: [edit('circuit', '</svg>', '  <image ⟦href="https://example.org/lamp.png"⟧/>\n</svg>')],
    pointer: '',
    says: 'https://example.org/lamp.png is outside of the file.',
  },
  {
    shows: 'a drawing is filled from elsewhere',
    rule: 'svg-safety',
    edits: [edit('circuit', 'fill="url(#glow)"', '⟦fill="url(glow.svg#glow)"⟧')],
    pointer: '',
    says: 'url(glow.svg#glow) is outside of the file.',
  },
  {
    shows: 'no question names a diagram',
    rule: 'unused-diagram',
    severity: 'warning',
    make: (dir) => writeFile(join(dir, dirname(files.line), 'old.png'), png(2, 2)),
    file: `${dirname(files.line)}/old.png`,
    pointer: '',
    says: 'No question of this shift names this diagram.',
  },
  {
    shows: 'a file stands where none is published',
    rule: 'stray-file',
    make: (dir) => writeFile(join(dir, 'neet/2024/notes.txt'), 'To do'),
    file: 'neet/2024/notes.txt',
    pointer: '',
    says: 'This is not published.',
  },
  {
    shows: 'a paper is a link',
    rule: 'stray-file',
    make: (dir) => symlink('biology.json', join(dir, dirname(files.biology), 'chemistry.json')),
    file: 'neet/2024/2024-05-05-s1/chemistry.json',
    pointer: '',
    says: 'This is a link, and links are not followed.',
  },
  {
    shows: 'a diagram is a link, which is no second mistake of the question that names it',
    rule: 'stray-file',
    make: async (dir) => {
      await rename(join(dir, files.line), join(dir, '.line.png'));
      await symlink(join(dir, '.line.png'), join(dir, files.line));
    },
    file: files.line,
    pointer: '',
    says: 'This is a link, and links are not followed.',
  },
  {
    shows: 'a folder is named like a paper',
    rule: 'stray-file',
    make: async (dir) => void (await mkdir(join(dir, dirname(files.biology), 'chemistry.json'))),
    file: 'neet/2024/2024-05-05-s1/chemistry.json',
    pointer: '',
    says: 'This is a folder, and a file belongs here.',
  },
  {
    shows: "an exam's code is in upper case",
    rule: 'exam-code',
    make: async (dir) => {
      await mkdir(join(dir, 'CUET/2024/2024-05-15-s1'), { recursive: true });
      await writeFile(join(dir, 'CUET/exam.json'), '{ "label": "CUET", "subjects": ["physics"] }');
      await writeFile(join(dir, 'CUET/2024/2024-05-15-s1/physics.json'), paper('CUET'));
    },
    edits: [{ file: 'CUET/exam.json', right: '', wrong: '⟦{ "label": "CUET", "subjects": ["physics"] }⟧' }],
    pointer: '',
    says: '"CUET" is no exam code',
  },
  {
    shows: 'an exam has a name of the service',
    rule: 'exam-code',
    make: async (dir) => {
      await mkdir(join(dir, 'docs/2024/2024-05-15-s1'), { recursive: true });
      await writeFile(join(dir, 'docs/2024/2024-05-15-s1/physics.json'), paper('docs'));
    },
    edits: [{ file: 'docs/exam.json', right: '', wrong: '⟦{ "label": "Docs", "subjects": ["physics"] }⟧' }],
    pointer: '',
    says: '"docs" is a name that the service uses itself.',
  },
  {
    shows: 'an exam has no exam.json',
    rule: 'exam-file',
    make: (dir) => rm(join(dir, files.jeemain)),
    edits: [
      edit('mathematics', '{\n  "$schema"', '⟦{\n  "$schema"'),
      edit('mathematics', '"dropped": true\n    }\n  ]\n}', '"dropped": true\n    }\n  ]\n}⟧'),
    ],
    pointer: '',
    says: 'The exam of this paper has no jeemain/exam.json',
  },
  {
    shows: 'an exam has no papers',
    rule: 'not-empty',
    edits: [{ file: 'gate/exam.json', right: '', wrong: '⟦{ "label": "GATE", "subjects": ["physics"] }⟧' }],
    pointer: '',
    says: 'The exam has no papers: write gate/<year>/<shift>/<subject>.json.',
  },
  {
    shows: 'a shift is of a day that does not exist, whatever its ids say',
    rule: 'shift-name',
    make: (dir) => rename(join(dir, 'neet/2025/2025-05-04-s1'), join(dir, 'neet/2025/2025-05-34-s1')),
    edits: [
      edit('exceptions', 'neet/2025/2025-05-04-s1/biology.json', 'neet/2025/2025-05-34-s1/biology.json'),
      edit('laterBiology', '{\n  "$schema"', '⟦{\n  "$schema"'),
      edit('laterBiology', '"medium"\n    }\n  ]\n}', '"medium"\n    }\n  ]\n}⟧'),
    ],
    file: 'neet/2025/2025-05-34-s1/biology.json',
    pointer: '',
    says: '"2025-05-34-s1" names a date that does not exist.',
  },
  {
    shows: 'a paper is named like no subject, whatever its ids say',
    rule: 'subject-allowed',
    make: (dir) => rename(join(dir, files.mathematics), join(dir, dirname(files.mathematics), 'maths.json')),
    edits: [
      edit('jeemain', '["physics", "chemistry", "mathematics"]', '⟪["physics", "chemistry", "mathematics"]⟫'),
      edit('mathematics', '{\n  "$schema"', '⟦{\n  "$schema"'),
      edit('mathematics', '"dropped": true\n    }\n  ]\n}', '"dropped": true\n    }\n  ]\n}⟧'),
    ],
    file: 'jeemain/2025/2025-01-22-s1/maths.json',
    pointer: '',
    says: '"maths" is no subject of JEE Main, which has physics, chemistry, mathematics.',
    related: 1,
  },
  {
    shows: 'an exception no longer applies',
    rule: 'exception',
    edits: [
      edit('laterBiology', 'Which of these carries oxygen in human blood?', 'What carries oxygen in blood?'),
      edit('exceptions', '    {\n      "rule"', '    ⟦{\n      "rule"'),
      edit('exceptions', 'in both years."\n    }', 'in both years."\n    }⟧'),
    ],
    pointer: '/exceptions/0',
    says: 'This exception no longer applies',
  },
  {
    shows: 'an exception is made of a rule that must hold',
    rule: 'exception',
    edits: [
      edit(
        'exceptions',
        '"exceptions": [\n',
        '"exceptions": [\n    { "rule": ⟦"schema"⟧, "file": "neet/exam.json", "pointer": "", "reason": "It has always been so." },\n',
      ),
    ],
    pointer: '/exceptions/0/rule',
    says: 'No exception is made of "schema"',
  },
  {
    shows: 'an exception has no reason',
    rule: 'schema',
    edits: [edit('exceptions', '"The exam body asked it in both years."', '⟦"Both."⟧')],
    pointer: '/exceptions/0/reason',
    says: 'The text is shorter than 10 characters.',
  },
];

/** A paper of one question that no other paper asks. */
function paper(exam: string): string {
  return JSON.stringify({
    lastUpdated: '2024-06-01T10:00:00Z',
    questions: [
      {
        id: `${exam}-2024-05-15-s1-physics-01`,
        type: 'numerical',
        question: 'How many metres are a kilometre?',
        options: [],
        answer: '1000',
        topic: 'Units',
        difficulty: 'easy',
      },
    ],
  });
}
