import { rename, rm, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { jpeg, png } from '../image-bytes.ts';
import { type BrokenBank, edit, files } from './broken-bank.ts';

/** Mistakes in diagrams and in the names that questions give them. */
export const brokenDiagrams: readonly BrokenBank[] = [
  {
    title: 'a misspelt file name of a diagram',
    rule: 'diagram-exists',
    edits: [
      edit(
        'physics',
        '"neet-2024-05-05-s1-physics-02-circuit.svg"',
        '⟦"neet-2024-05-05-s1-physics-02-cirucit.svg"⟧',
      ),
    ],
    pointer: '/questions/1/diagrams/0/file',
    message:
      'The file diagrams/neet-2024-05-05-s1-physics-02-cirucit.svg does not exist in the folder of the shift.',
    suggestion: 'neet-2024-05-05-s1-physics-02-circuit.svg',
  },
  {
    title: 'a missing diagram',
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
    message:
      'The file diagrams/jeemain-2025-01-22-s1-mathematics-02.png does not exist in the folder of the shift.',
  },
  {
    title: 'a file name without the id of the question',
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
    message: 'does not contain the id of its question, jeemain-2025-01-22-s1-mathematics-02.',
    related: 1,
  },
  {
    title: 'a JPEG named .png',
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
    message: 'The format of the file is JPEG, so its name must end in .jpg or .jpeg.',
    suggestion: 'jeemain-2025-01-22-s1-mathematics-02.jpg',
    related: 1,
  },
  {
    title: 'a truncated PNG',
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
    message: 'it is empty, truncated, or not a PNG',
    related: 1,
  },
  {
    title: 'an SVG that is not well-formed',
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
    message: 'The SVG is not well-formed XML',
    related: 1,
  },
  {
    title: 'an image that is too large',
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
    message: 'The image is too large: 9000 by 2 pixels',
    related: 1,
  },
  {
    title: 'alternative text that says only that it is a diagram',
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
    message: 'This does not describe what the diagram shows',
  },
  {
    title: 'an SVG with a script',
    rule: 'svg-safety',
    edits: [edit('circuit', '</svg>', '  ⟦<script⟧>alert(1)</script>\n</svg>')],
    pointer: '',
    message: '<script> is not allowed in a drawing.',
  },
  {
    title: 'an SVG with an event handler',
    rule: 'svg-safety',
    edits: [edit('circuit', '<circle ', '<circle ⟦onclick="alert(1)"⟧ ')],
    pointer: '',
    message: 'onclick is an event handler',
  },
  {
    title: 'an SVG with an external image',
    rule: 'svg-safety',
    edits: [edit('circuit', '</svg>', '  <image ⟦href="https://example.org/lamp.png"⟧/>\n</svg>')],
    pointer: '',
    message: 'https://example.org/lamp.png is outside the file.',
  },
  {
    title: 'an SVG with an external fill',
    rule: 'svg-safety',
    edits: [edit('circuit', 'fill="url(#glow)"', '⟦fill="url(glow.svg#glow)"⟧')],
    pointer: '',
    message: 'url(glow.svg#glow) is outside the file.',
  },
  {
    title: 'a diagram that no question names',
    rule: 'unused-diagram',
    severity: 'warning',
    make: (dir) => writeFile(join(dir, dirname(files.line), 'old.png'), png(2, 2)),
    file: `${dirname(files.line)}/old.png`,
    pointer: '',
    message: 'No question of this shift uses this diagram. Add it to a question, or remove the file.',
  },
  {
    title: 'alternative text that is only a number of a figure',
    rule: 'diagram-alt',
    severity: 'warning',
    edits: [
      edit(
        'physics',
        '"A battery of 12 volts, and in series with it a resistor of 4 ohms and a lamp of 2 ohms."',
        '⟦"चित्र 2"⟧',
      ),
    ],
    pointer: '/questions/1/diagrams/0/alt',
    message: 'This does not describe what the diagram shows.',
  },
  {
    title: 'a figure that is mentioned and not listed',
    rule: 'mentioned-diagram',
    severity: 'warning',
    edits: [edit('biology', 'Which part of a plant cell', 'Which part of the cell ⟦shown in the figure⟧')],
    pointer: '/questions/1/question',
    message: 'The question mentions a picture ("shown in the figure") but has no diagram.',
  },
  {
    title: 'a figure that is mentioned in Hindi and not listed',
    rule: 'mentioned-diagram',
    severity: 'warning',
    edits: [edit('biology', 'Which part of a plant cell holds chlorophyll?', '⟦दिए गए चित्र⟧ में A क्या है?')],
    pointer: '/questions/1/question',
    message: 'The question mentions a picture ("दिए गए चित्र") but has no diagram.',
  },
  {
    title: 'a figure with a number that is mentioned and not listed',
    rule: 'mentioned-diagram',
    severity: 'warning',
    edits: [edit('biology', 'Which part of a plant cell', '⟦In Fig. 3⟧, which part of a plant cell')],
    pointer: '/questions/1/question',
    message: 'The question mentions a picture ("In Fig. 3") but has no diagram.',
  },
  {
    title: 'a figure that is mentioned in Chinese and not listed',
    rule: 'mentioned-diagram',
    severity: 'warning',
    edits: [edit('biology', 'Which part of a plant cell holds chlorophyll?', '⟦如图⟧所示，A是什么？')],
    pointer: '/questions/1/question',
    message: 'The question mentions a picture ("如图") but has no diagram.',
  },
];
