import { rename, rm, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { jpeg, png } from '../image-bytes.ts';
import { type BrokenBank, edit, files } from './broken-bank.ts';

/** Mistakes of diagrams, and of how questions name them. */
export const brokenDiagrams: readonly BrokenBank[] = [
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
    says: 'The format of the file is JPEG, so its name must end in .jpg or .jpeg.',
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
    says: 'The SVG is not well-formed XML',
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
    says: 'https://example.org/lamp.png is outside the file.',
  },
  {
    shows: 'a drawing is filled from elsewhere',
    rule: 'svg-safety',
    edits: [edit('circuit', 'fill="url(#glow)"', '⟦fill="url(glow.svg#glow)"⟧')],
    pointer: '',
    says: 'url(glow.svg#glow) is outside the file.',
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
];
