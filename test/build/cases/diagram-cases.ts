import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { Diagram, Question } from '../../../build/content/written.ts';
import { paperOf, sampleQuestions, shiftPath } from '../bank-folder.ts';
import { gif, jpeg, png, svg } from '../image-bytes.ts';
/** Texts of questions with and without a picture, and parts of an SVG. */
import texts from './diagrams.json' with { type: 'json' };
import {
  accepts,
  acceptsTexts,
  bankOf,
  type Cases,
  drawnBank,
  type Found,
  rejects,
  rejectsText,
} from './rule-case.ts';

const { mcq } = sampleQuestions;
const small = png(2, 2);
const inShift = (file: string) => `${shiftPath}/diagrams/${file}`;
const first = '/questions/0/diagrams/0/file';
const second = '/questions/0/diagrams/1/file';
const ruler = { file: 'q1.png', alt: 'A ruler of 30 cm.' };

const missing = (file: string, pointer = first): Found => ({
  message: `The file diagrams/${file} does not exist in the folder of the shift.`,
  pointer,
});

/** A question with a diagram of an option, and a passage with a diagram. */
const inOptionAndPassage = (ofOption: string, ofPassage: string) => ({
  ...paperOf({
    ...{ ...mcq, passage: 'p1' },
    options: [
      { key: 'A', value: 'metre' },
      { key: 'B', diagram: { ...ruler, file: ofOption } },
    ],
  }),
  passages: [{ id: 'p1', text: 'A train leaves.', diagrams: [{ ...ruler, file: ofPassage }] }],
});
const ofOption = '/questions/0/options/1/diagram/file';
const ofPassage = '/passages/0/diagrams/0/file';

const noId = (owner: string) => `The name of this diagram does not contain the id of its ${owner}.`;
const inOtherCase =
  'has the same name in other case. Not every file system can have both: rename one.';
const idAt = (pointer: string) => [{ message: 'The id is here.', pointer }];

const theFile = [{ message: 'This is the file.', file: inShift('q1.png') }];
const noImage =
  'The file is not a readable image: it is empty, truncated, or not a PNG, JPEG, WebP, GIF, AVIF or SVG.';
const withoutPixels = (image: Buffer, start: string, end: string) =>
  Buffer.concat([image.subarray(0, image.indexOf(start, 0, 'latin1')), Buffer.from(end, 'latin1')]);
const isJpeg = 'The format of the file is JPEG, so its name must end in .jpg or .jpeg.';

function described(diagram: Diagram) {
  return drawnBank([], { 'q1.png': small }, { diagrams: [diagram] });
}

const descriptions =
  'A ruler; x; परिपथ; 5 सेमी त्रिज्या के वृत्त का चित्र; 图中为一个电路; Circle of radius 5'.split('; ');
const noDescriptions = 'Diagram; q1.png; A figure.; Image of q1; -; Fig. 2; चित्र 1; 图1'.split(
  '; ',
);

const saysNothing =
  'This does not describe what the diagram shows. Describe what students need to see.';
const asked = (text: string) =>
  `The question mentions a picture ("${text}") but has no diagram. Add it to "diagrams".`;

/** Parts of an SVG with one problem, whose place is marked. */
const hazards = [
  ...texts.hazards,
  [
    `${'<g>'.repeat(99)}⟦<g⟧/>${'</g>'.repeat(99)}`,
    '<g> is inside more than 100 others. Ungroup the drawing.',
  ],
  [
    `<text>⟦e${'&#x301;'.repeat(11)}⟧</text>`,
    'A text has a letter with more than 10 accents. Remove them.',
  ],
];
const embedded = `<image href="data:image/png;base64,${png(1, 1).toString('base64')}"/>`;

const xlink = 'xmlns:xlink="http://www.w3.org/1999/xlink"';

function drawing(piece: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" ${xlink} width="3" height="2">\n${piece}\n</svg>\n`;
}

/** Drawings with one problem, whose place is marked. */
const unsafe: readonly (readonly [text: string, message: string])[] = [
  ...hazards.map(([piece = '', message = '']) => [drawing(piece), message] as const),
  [
    `<?xml version="1.0"?>\n⟦<?xml-stylesheet⟧ href="a.css"?>\n${svg(3, 2)}\n`,
    '<?xml-stylesheet is an instruction to programs. Delete it, up to its closing >.',
  ],
  [
    `⟦<!DOCTYPE⟧ svg [\n  <!ATTLIST svg onload CDATA "x">\n]>\n${svg(3, 2)}\n`,
    '<!DOCTYPE is not allowed. Delete it, up to its closing >. The drawing does not change.',
  ],
  [
    `<?xml version="1.0" encoding="⟦ISO-2022-JP⟧"?>\n${svg(3, 2)}\n`,
    'ISO-2022-JP is not UTF-8. Save the file as UTF-8.',
  ],
  [
    '⟦<svg⟧ width="3" height="2"><g/></svg>',
    '<svg> has no xmlns="http://www.w3.org/2000/svg". Add that to <svg>.',
  ],
  [
    drawing('<g id="a"><use href="#a"/></g>').replace('<svg', '⟦<svg⟧'),
    '<svg> draws more than 50000 elements, repetitions included. Simplify the drawing, or export it as PNG.',
  ],
];

const unused = {
  message: 'No question of this shift uses this diagram. Add it to a question, or remove the file.',
};

export const diagramCases: Cases = {
  'diagram-exists': [
    accepts('a diagram in the folder of the shift', drawnBank(['q1.png'], { 'q1.png': small })),
    rejects(
      'each missing diagram',
      drawnBank(['q1-a.png', 'q2.png'], {}),
      missing('q1-a.png'),
      missing('q2.png', second),
    ),
    rejects(
      'missing diagrams of an option and a passage',
      bankOf(inOptionAndPassage('q1.png', 'p1.png')),
      missing('q1.png', ofOption),
      missing('p1.png', ofPassage),
    ),
    rejects(
      'a misspelt name once, with a suggestion',
      drawnBank(['q1-rular.png'], { 'q1-ruler.png': small }),
      {
        ...{ ...missing('q1-rular.png'), suggestion: 'q1-ruler.png' },
      },
    ),
  ],
  'diagram-name': [
    accepts('the id anywhere in the name', drawnBank(['fig-q1-a.png'], { 'fig-q1-a.png': small })),
    rejects(
      'a name without the id of the question',
      drawnBank(['q1.png'], { 'q1.png': small }, { id: 'q2' }),
      {
        ...{ message: noId('question, q2'), pointer: first, related: idAt('/questions/0/id') },
      },
    ),
    rejects(
      'names that differ only in case',
      drawnBank(['q1-a.png', 'q1-A.png'], { 'q1-a.png': small, 'q1-A.png': png(2, 3) }),
      { message: `diagrams/q1-A.png ${inOtherCase}`, pointer: first },
      { message: `diagrams/q1-a.png ${inOtherCase}`, pointer: second },
    ),
    rejects(
      'names without the ids of a question and a passage',
      bankOf(inOptionAndPassage('p1.png', 'q1.png'), {
        [inShift('q1.png')]: small,
        [inShift('p1.png')]: small,
      }),
      { message: noId('question, q1'), pointer: ofOption, related: idAt('/questions/0/id') },
      { message: noId('passage, p1'), pointer: ofPassage, related: idAt('/passages/0/id') },
    ),
  ],
  'diagram-image': [
    accepts('an image', drawnBank(['q1.png'], { 'q1.png': small })),
    ...(
      [
        ['a text', 'To be drawn'],
        ['a truncated image', png(20, 20).subarray(0, 40)],
        ['a JPEG without pixels', withoutPixels(jpeg(8, 8), '\xff\xda', '\xff\xd9')],
        ['a GIF without pixels', withoutPixels(gif(8, 8), ',', ';')],
      ] as const
    ).map(([what, bytes]) =>
      rejects(what, drawnBank(['q1.png'], { 'q1.png': bytes }), {
        ...{ message: noImage, pointer: first, related: theFile },
      }),
    ),
    rejects('a JPEG named .png', drawnBank(['q1.png'], { 'q1.png': jpeg(8, 8) }), {
      ...{ message: isJpeg, pointer: first, suggestion: 'q1.jpg', related: theFile },
    }),
    rejects(
      'a JPEG named .png beside one named .jpg, which is not renamed',
      drawnBank(['q1.png', 'q1.jpg'], { 'q1.png': jpeg(8, 8), 'q1.jpg': jpeg(8, 8) }),
      { message: isJpeg, pointer: first, suggestion: 'q1.jpg', related: theFile },
    ),
    rejects(
      'an SVG whose XML is not well-formed',
      drawnBank(['q1.svg'], {
        'q1.svg': '<svg xmlns="http://www.w3.org/2000/svg">\n  <g></svg⟪>⟫',
      }),
      {
        message: 'The SVG is not well-formed XML: Unexpected close tag.',
        pointer: first,
        related: [{ message: 'The XML error is here.', file: inShift('q1.svg') }],
      },
    ),
  ],
  'diagram-size': [
    accepts('8192 pixels on a side', drawnBank(['q1.png'], { 'q1.png': png(8192, 1) })),
    rejects('an image of 8193 pixels', drawnBank(['q1.png'], { 'q1.png': png(1, 8193) }), {
      message: 'The image is too large: 1 by 8193 pixels. The limit is 8192 on each side.',
      ...{ pointer: first, related: theFile },
    }),
    {
      ...rejects('an image of 3 MB', drawnBank(['q1.png'], { 'q1.png': small }), {
        ...{
          message: 'The file is too large: 3 MB. The limit is 2 MB.',
          pointer: first,
          related: theFile,
        },
      }),
      make: (dir) => truncate(join(dir, inShift('q1.png')), 3 * 1024 * 1024),
    },
  ],
  'diagram-alt': [
    ...descriptions.map((alt) => accepts(`"${alt}"`, described({ file: 'q1.png', alt }))),
    ...noDescriptions.map((alt) =>
      rejects(`"${alt}"`, described({ file: 'q1.png', alt }), {
        ...{ message: saysNothing, pointer: '/questions/0/diagrams/0/alt' },
      }),
    ),
    rejects('a diagram without a description', described({ file: 'q1.png' }), {
      message:
        'The diagram has no description. Add an "alt" that describes what students need to see.',
      pointer: '/questions/0/diagrams/0',
    }),
  ],
  'mentioned-diagram': [
    ...acceptsTexts(...texts.withoutPicture),
    ...texts.mentions.map((text) => rejectsText(text, asked(/⟦(.*)⟧/.exec(text)?.[1] ?? ''))),
    ...[
      {},
      { diagrams: [], options: [...mcq.options, { key: 'C', value: '1', diagram: ruler }] },
    ].map((more: Partial<Question>) =>
      accepts(
        `a question with ${more.options ? 'a diagram of an option' : 'a diagram'}`,
        drawnBank(
          ['q1.png'],
          { 'q1.png': small },
          { question: 'What is shown in the figure?', ...more },
        ),
      ),
    ),
    accepts(
      'a question of a passage',
      bankOf({
        ...paperOf({ ...mcq, passage: 'p1', question: 'What is shown in the figure?' }),
        passages: [{ id: 'p1', text: 'A train leaves at noon.' }],
      }),
    ),
  ],
  'svg-safety': [
    ...[...texts.harmless, embedded].map((piece) =>
      accepts(piece.slice(0, 60), drawnBank(['q1.svg'], { 'q1.svg': drawing(piece) })),
    ),
    ...unsafe.map(([text, message]) =>
      rejects(
        text.split('\n').slice(1, -2).join(' ') || text.slice(0, 60),
        drawnBank(['q1.svg'], { 'q1.svg': text }),
        {
          message,
          file: inShift('q1.svg'),
        },
      ),
    ),
  ],
  'unused-diagram': [
    accepts(
      'a diagram that a question of the shift names',
      drawnBank(['q1.png'], { 'q1.png': small }),
    ),
    accepts(
      'diagrams that an option and a passage name',
      bankOf(inOptionAndPassage('q1.png', 'p1.png'), {
        [inShift('q1.png')]: small,
        [inShift('p1.png')]: small,
      }),
    ),
    rejects(
      'unused files, also if they are not images',
      bankOf(paperOf(mcq), { [inShift('q1.png')]: small, [inShift('sketch.txt')]: 'To be drawn' }),
      { ...unused, file: inShift('q1.png') },
      { ...unused, file: inShift('sketch.txt') },
    ),
  ],
};
