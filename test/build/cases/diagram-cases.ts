import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { Question } from '../../../build/content/types.ts';
import {
  examPath,
  type Files,
  paperOf,
  paperPath,
  sampleExam,
  sampleQuestions,
  shiftPath,
} from '../bank-folder.ts';
import { jpeg, png, svg } from '../image-bytes.ts';
import { parseMarkedText } from './marked-text.ts';
import { type Found, type RuleCase, startOfFile } from './rule-case.ts';
import { invalidText, validTexts } from './text-case.ts';

const { mcq } = sampleQuestions;

function drawnBy(...files: readonly string[]): Question {
  return { ...mcq, diagrams: files.map((file) => ({ file, alt: 'A ruler of 30 cm.' })) };
}

/** A bank with one paper of this question, and these diagrams in its shift. */
function bankOf(question: Question, diagrams: Readonly<Record<string, Files[string]>> = {}): Files {
  const placed = Object.entries(diagrams).map(([file, bytes]) => [`${shiftPath}/diagrams/${file}`, bytes]);
  return { [examPath]: sampleExam, [paperPath]: paperOf(question), ...Object.fromEntries(placed) };
}

const first = { file: paperPath, pointer: '/questions/0/diagrams/0/file', at: '23:19-23:27' };
const theFile = (file = 'q1.png') => [
  { message: 'This is the file.', file: `${shiftPath}/diagrams/${file}`, at: startOfFile },
];
const theId = (id: string) => [
  { message: 'The id is here.', file: paperPath, at: `5:13-5:${15 + id.length}` },
];
const missing = (file: string) => `The file diagrams/${file} does not exist in the folder of the shift.`;

const existenceCases: readonly RuleCase[] = [
  {
    rule: 'diagram-exists',
    title: 'accepts a diagram in the folder of the shift',
    files: bankOf(drawnBy('q1.png'), { 'q1.png': png(2, 2) }),
    found: [],
  },
  {
    rule: 'diagram-exists',
    title: 'rejects a diagram that is in another shift',
    files: {
      ...bankOf(drawnBy('q1.png')),
      'neet/2024/2024-05-05-s2/physics.json': paperOf({
        ...drawnBy('q1.png'),
        id: 'q',
        question: 'Which is a unit of time?',
      }),
      'neet/2024/2024-05-05-s2/diagrams/q1.png': png(2, 2),
    },
    found: [{ ...first, message: missing('q1.png') }],
  },
  {
    rule: 'diagram-exists',
    title: 'reports each missing diagram',
    files: bankOf(drawnBy('q1-a.png', 'q2.png')),
    found: [
      { ...first, message: missing('q1-a.png'), at: '23:19-23:29' },
      { ...first, message: missing('q2.png'), pointer: '/questions/0/diagrams/1/file', at: '27:19-27:27' },
    ],
  },
  {
    rule: 'diagram-exists',
    title: 'reports a misspelt name once, with a suggestion',
    files: bankOf(drawnBy('q1-rular.png'), { 'q1-ruler.png': png(2, 2) }),
    found: [{ ...first, message: missing('q1-rular.png'), at: '23:19-23:33', suggestion: 'q1-ruler.png' }],
  },
  {
    rule: 'diagram-exists',
    title: 'rejects a name in another case, with a suggestion',
    files: bankOf(drawnBy('q1-ruler.png'), { 'q1-Ruler.png': png(2, 2) }),
    found: [{ ...first, message: missing('q1-ruler.png'), at: '23:19-23:33', suggestion: 'q1-Ruler.png' }],
  },
];

const nameCases: readonly RuleCase[] = [
  {
    rule: 'diagram-name',
    title: 'accepts the id anywhere in the name',
    files: bankOf(drawnBy('fig-q1-a.png'), { 'fig-q1-a.png': png(2, 2) }),
    found: [],
  },
  {
    rule: 'diagram-name',
    title: 'rejects a name without the id of the question',
    files: bankOf({ ...drawnBy('q1.png'), id: 'q2' }, { 'q1.png': png(2, 2) }),
    found: [
      {
        ...first,
        message: 'The name of this diagram does not contain the id of its question, q2.',
        related: theId('q2'),
      },
    ],
  },
];

const noImage =
  'The file is not a readable image: it is empty, truncated, or not a PNG, JPEG, WebP, GIF, AVIF or SVG.';

const imageCases: readonly RuleCase[] = [
  {
    rule: 'diagram-image',
    title: 'accepts an image',
    files: bankOf(drawnBy('q1.png'), { 'q1.png': png(2, 2) }),
    found: [],
  },
  ...(
    [
      ['rejects a text', 'To be drawn'],
      ['rejects an empty file', ''],
      ['rejects a truncated image', png(20, 20).subarray(0, 40)],
    ] as const
  ).map(
    ([title, bytes]): RuleCase => ({
      rule: 'diagram-image',
      title,
      files: bankOf(drawnBy('q1.png'), { 'q1.png': bytes }),
      found: [{ ...first, message: noImage, related: theFile() }],
    }),
  ),
  {
    rule: 'diagram-image',
    title: 'rejects a JPEG named .png',
    files: bankOf(drawnBy('q1.png'), { 'q1.png': jpeg(8, 8) }),
    found: [
      {
        ...first,
        message: 'The format of the file is JPEG, so its name must end in .jpg or .jpeg.',
        suggestion: 'q1.jpg',
        related: theFile(),
      },
    ],
  },
  {
    rule: 'diagram-image',
    title: 'reports where the XML of an SVG is not well-formed',
    files: bankOf(drawnBy('q1.svg'), { 'q1.svg': '<svg xmlns="http://www.w3.org/2000/svg">\n  <g></svg>' }),
    found: [
      {
        ...first,
        message: 'The SVG is not well-formed XML: Unexpected close tag.',
        related: [
          { message: 'The XML error is here.', file: `${shiftPath}/diagrams/q1.svg`, at: '2:11-2:12' },
        ],
      },
    ],
  },
];

const sizeCases: readonly RuleCase[] = [
  {
    rule: 'diagram-size',
    title: 'accepts 8192 pixels on a side',
    files: bankOf(drawnBy('q1.png'), { 'q1.png': png(8192, 1) }),
    found: [],
  },
  ...(
    [
      [8193, 1],
      [1, 8193],
    ] as const
  ).map(
    ([width, height]): RuleCase => ({
      rule: 'diagram-size',
      title: `rejects an image of ${width} by ${height} pixels`,
      files: bankOf(drawnBy('q1.png'), { 'q1.png': png(width, height) }),
      found: [
        {
          ...first,
          message: `The image is too large: ${width} by ${height} pixels. The limit is 8192 on each side.`,
          related: theFile(),
        },
      ],
    }),
  ),
  {
    rule: 'diagram-size',
    title: 'rejects an image of 3 MB',
    files: bankOf(drawnBy('q1.png'), { 'q1.png': png(2, 2) }),
    make: (dir) => truncate(join(dir, shiftPath, 'diagrams/q1.png'), 3 * 1024 * 1024),
    found: [
      {
        ...first,
        message: 'The file is too large: 3 MB. The limit is 2 MB.',
        related: theFile(),
      },
    ],
  },
];

const saysNothing = 'This does not describe what the diagram shows. Describe what students need to see.';

const altCases: readonly RuleCase[] = [
  ...[
    'A ruler',
    'Graph of speed',
    'x',
    'परिपथ',
    '5 सेमी त्रिज्या के वृत्त का चित्र',
    '图中为一个电路',
    'Circle of radius 5',
  ].map(
    (alt): RuleCase => ({
      rule: 'diagram-alt',
      title: `accepts "${alt}"`,
      files: bankOf({ ...mcq, diagrams: [{ file: 'q1.png', alt }] }, { 'q1.png': png(2, 2) }),
      found: [],
    }),
  ),
  ...[
    'Diagram',
    'image',
    'q1.png',
    'A figure.',
    'Image of q1',
    'Diagram for question 1',
    '-',
    'Figure 1',
    'Fig. 2',
    'चित्र 1',
    'प्रश्न 12 का चित्र',
    '图1',
    'Figura 3.',
    'Obr. 2',
    'படம் (3)',
  ].map(
    (alt): RuleCase => ({
      rule: 'diagram-alt',
      title: `rejects "${alt}"`,
      files: bankOf({ ...mcq, diagrams: [{ file: 'q1.png', alt }] }, { 'q1.png': png(2, 2) }),
      found: [
        {
          message: saysNothing,
          file: paperPath,
          pointer: '/questions/0/diagrams/0/alt',
          at: `24:18-24:${20 + alt.length}`,
        },
      ],
    }),
  ),
];

const asked = (text: string) =>
  `The question mentions a picture ("${text}") but has no diagram. Add it to "diagrams".`;

/** Questions that mention a picture: the words between ⟦ and ⟧. */
const mentions: readonly string[] = [
  'A block rests on a plane as ⟦shown in the figure⟧. Find its weight.',
  'In ⟦the circuit shown⟧ below, find the current.',
  '⟦In the figure,⟧ AB is a chord.',
  '⟦In Fig. 3⟧, find the angle.',
  '⟦The graph shows⟧ speed against time.',
  'Find the resistance ⟦in the given circuit⟧.',
  'The ⟦diagram below⟧ has two lenses.',
  '⟦In the adjoining figure⟧, find x.',
  'A ray falls on a prism, as ⟦given in the following diagram⟧.',
  '⟦चित्र में दिखाए⟧ अनुसार एक गुटका रखा है।',
  '⟦दिए गए चित्र⟧ में धारा ज्ञात कीजिए।',
  '⟦如图⟧所示，物块静止。',
  'একটি বস্তু ⟦চিত্রে দেখানো⟧ হয়েছে।',
];

/** Questions with the same words, which mention none. */
const withoutPicture: readonly string[] = [
  'How many significant figures are in 0.0050?',
  'Figure out the value of $x$.',
  'Which figurative phrase is a metaphor?',
  'Which figure of speech is used in the line?',
  'Find the area of the figure bounded by $y = x^2$ and $y = 4$.',
  'Which of the following figures has four equal sides?',
  'The sales figures are given in the following order: 3, 4, 5.',
  'The profit is represented by the graph $y = x^2$. Where is it zero?',
  'The graph of $y = x^2$ is shifted. Which point is on the graph below the axis?',
  'What does a phase diagram of water show?',
  'Draw the free body diagram of a block.',
  'In figure skating, a skater pulls in her arms.',
  'How many resistors are in a series circuit of $10$ ohm?',
  'एक चित्रकार ने एक विचित्र मानचित्र बनाया।',
  '函数的图象过点，求其值。',
];

const mentionCases: readonly RuleCase[] = [
  ...validTexts('mentioned-diagram', ...withoutPicture),
  ...mentions.map((text) => invalidText('mentioned-diagram', text, asked(/⟦(.*)⟧/.exec(text)?.[1] ?? ''))),
  {
    rule: 'mentioned-diagram',
    title: 'accepts a question with a diagram',
    files: bankOf(
      { ...drawnBy('q1.png'), question: 'What is shown in the figure?' },
      { 'q1.png': png(2, 2) },
    ),
    found: [],
  },
];

const outside = (address: string) => `${address} is outside the file. Embed it in the file, or remove it.`;

/** Parts of an SVG with one problem, whose place is marked. */
const hazards: readonly [piece: string, message: string][] = [
  ['⟦<script⟧>alert(1)</script>', '<script> is not allowed in a drawing. Remove it.'],
  [
    '<g xmlns:é="http://www.w3.org/2000/svg">⟦<é:script⟧/></g>',
    '<é:script> is not allowed in a drawing. Remove it.',
  ],
  ['<rect ⟦onclick="alert(1)"⟧/>', 'onclick is an event handler. Remove it.'],
  ["<rect width='1'\n  ⟦onload = 'go()'⟧ height='1'/>", 'onload is an event handler. Remove it.'],
  ['<use ⟦href="javascript:alert(1)"⟧/>', 'javascript:alert(1) is not allowed in a drawing. Remove it.'],
  [
    '<use ⟦xlink:href="&#106;avascript:alert(1)"⟧/>',
    'javascript:alert(1) is not allowed in a drawing. Remove it.',
  ],
  [
    '⟦<foreignObject⟧><p>Hello</p></foreignObject>',
    '<foreignObject> is HTML, not SVG. Use SVG text: in draw.io, switch off "Formatted Text" and "Word Wrap" before the export.',
  ],
  ['⟦<a⟧ href="https://example.org/"><path/></a>', '<a> is a link. Remove it, but not what is inside it.'],
  ['⟦<set⟧ attributeName="href"/>', '<set> animates the drawing. Export a static image.'],
  ['<image ⟦href="https://example.org/a.png"⟧/>', outside('https://example.org/a.png')],
  ['<use ⟦xlink:href="other.svg#x"⟧/>', outside('other.svg#x')],
  ['<use ⟦href=""⟧/>', outside('href=""')],
  ['<image ⟦href="data:image/svg+xml,x"⟧/>', outside('data:image/svg+xml,x')],
  ['<rect ⟦fill="url(https://example.org/a.svg#x)"⟧/>', outside('url(https://example.org/a.svg#x)')],
  ['<rect ⟦style="fill: u\\72l(a.svg#x)"⟧/>', outside('fill: u\\72l(a.svg#x)')],
  ['<style>rect { ⟦fill: url("a.png")⟧ }</style>', outside('fill: url("a.png")')],
  ['<style>⟦@import "a.css";⟧</style>', outside('@import "a.css";')],
  [
    '<style>⟦@media print⟧ { rect { fill: red } }</style>',
    '@media print is not an allowed style. Remove it.',
  ],
  ['<rect ⟦style="--a: 1"⟧/>', '--a: 1 is not an allowed style. Remove it.'],
  [
    '<rect ⟦width="var(--a)"⟧/>',
    'var(--a) has a function or a character that is not allowed here. Remove it.',
  ],
  ['<g ⟦xml:base="https://example.org/"⟧/>', 'xml:base is not an allowed attribute. Remove it.'],
  ['⟦<video⟧/>', '<video> is not an allowed element. Remove it, or export the drawing as PNG.'],
  [
    '<g xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" ⟦inkscape:label="a"⟧ inkscape:x="b"/>',
    'inkscape:label is data of a drawing program. Export plain SVG: from Inkscape with "Save a Copy" and the type "Plain SVG", from draw.io without "Include a copy of my diagram".',
  ],
  ['<text>⟦<![CDATA[⟧x]]></text>', '<![CDATA[ is allowed in <style> only. Write the text without it.'],
  [
    `${'<g>'.repeat(99)}⟦<g⟧/>${'</g>'.repeat(99)}`,
    '<g> is inside more than 100 others. Ungroup the drawing.',
  ],
];

const harmless = [
  '<style>rect { fill: url(#g) } /* https://example.org */</style>',
  '<use href="#a"/><use xlink:href="#a"/><rect fill="url(#g)" style="fill:url( \'#g\' )"/>',
  '<image href="data:image/png;base64,AAAA"/>',
  '<text>onload = script, href, url(x), @import</text>',
  '<title>Ohm&#8217;s law</title>',
  '<metadata xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" rdf:resource="http://example.org/"/>',
];

function document(piece: string): string {
  const xlink = 'xmlns:xlink="http://www.w3.org/1999/xlink"';
  return `<svg xmlns="http://www.w3.org/2000/svg" ${xlink} width="3" height="2">\n${piece}\n</svg>\n`;
}

function hazard(text: string, message: string): RuleCase {
  const { text: bytes, start, end } = parseMarkedText(text) ?? { text, start: 0, end: 0 };
  const position = (offset: number) => {
    const lines = bytes.slice(0, offset).split('\n');
    return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
  };
  const found: Found = {
    message,
    file: `${shiftPath}/diagrams/q1.svg`,
    pointer: '',
    at: `${position(start)}-${position(end)}`,
  };
  return {
    rule: 'svg-safety',
    title: `rejects ${text.split('\n').slice(1, -2).join(' ') || text.slice(0, 60)}`,
    files: bankOf(drawnBy('q1.svg'), { 'q1.svg': bytes }),
    found: [found],
  };
}

const safetyCases: readonly RuleCase[] = [
  ...harmless.map(
    (piece): RuleCase => ({
      rule: 'svg-safety',
      title: `accepts ${piece.slice(0, 60)}`,
      files: bankOf(drawnBy('q1.svg'), { 'q1.svg': document(piece) }),
      found: [],
    }),
  ),
  ...hazards.map(([piece, message]) => hazard(document(piece), message)),
  hazard(
    `<?xml version="1.0"?>\n⟦<?xml-stylesheet⟧ href="a.css"?>\n${svg(3, 2)}\n`,
    '<?xml-stylesheet is an instruction to programs. Delete it, up to its closing >.',
  ),
  hazard(
    `⟦<!DOCTYPE⟧ svg [\n  <!ATTLIST svg onload CDATA "x">\n]>\n${svg(3, 2)}\n`,
    '<!DOCTYPE is not allowed. Delete it, up to its closing >. The drawing does not change.',
  ),
  hazard(
    `<?xml version="1.0" encoding="⟦ISO-2022-JP⟧"?>\n${svg(3, 2)}\n`,
    'ISO-2022-JP is not UTF-8. Save the file as UTF-8.',
  ),
  hazard(
    '⟦<svg⟧ width="3" height="2"><g/></svg>',
    '<svg> has no xmlns="http://www.w3.org/2000/svg". Add that to <svg>.',
  ),
  hazard(
    document('<g id="a"><use href="#a"/></g>').replace('<svg', '⟦<svg⟧'),
    '<svg> draws more than 50000 elements, repeated ones included. Simplify the drawing, or export it as PNG.',
  ),
];

/** Cases of the rules on diagrams. */
export const diagramCases: readonly RuleCase[] = [
  ...existenceCases,
  ...nameCases,
  ...imageCases,
  ...sizeCases,
  ...altCases,
  ...mentionCases,
  ...safetyCases,
];
