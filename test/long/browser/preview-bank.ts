import { readFileSync } from 'node:fs';
import type { Question } from '../../../build/content/written.ts';
import {
  type BankFolder,
  makeBank,
  paperOf,
  paperPath,
  sampleQuestions,
  shiftPath,
} from '../../build/bank-folder.ts';
import { png } from '../../build/image-bytes.ts';

/** The path of the page of the long paper. */
export const paperPage = '/neet/2024/2024-05-05-s1/physics';

/** More questions than fit into a window. */
const questionCount = 30;

const { mcq, msq, numerical } = sampleQuestions;

const wideFormula =
  '$$\\underbrace{a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q+r+s+t}_{\\text{more than a phone is wide}}$$';

/** Questions with every feature, then many similar ones. */
export const questions: readonly Question[] = [
  {
    ...mcq,
    question: 'What is $\\sqrt{x^2}$?\nLet $x < 0$, and 5 \\$ > 4 \\$.',
    options: [
      { key: 'A', value: '$-x$' },
      { key: 'B', value: '$x$' },
      { key: 'C', value: '$\\frac{1}{x}$' },
    ],
    accepted: ['A', 'C'],
    diagrams: [{ file: 'q1.png', alt: 'A parabola that opens upwards.' }],
  },
  { ...msq, id: 'q2', dropped: true },
  {
    ...numerical,
    id: 'q3',
    question: `How much is\n${wideFormula}\nthen?`,
    accepted: ['2.25', '2.26'],
  },
  ...Array.from({ length: questionCount - 3 }, (_, index) => ({
    ...mcq,
    id: `q${index + 4}`,
    question: `How long is it for $n = ${index + 4}$?`,
  })),
];

/** The path of the page of the paper with everything that papers print. */
export const printedPage = '/neet/2024/2024-05-05-s1/chemistry';

/** Reads a file about Section B of a paper with a passage, tables, lists, labels, option diagrams, marks and solutions. */
function read(name: string) {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
}

/** A bank with a long, valid paper, and in the same shift a paper with everything that papers print, and its translation. */
export function makePreviewBank(of = questions): Promise<BankFolder> {
  return makeBank({
    [paperPath]: paperOf(...of),
    [`${shiftPath}/chemistry.json`]: read('printed-paper.json'),
    [`${shiftPath}/chemistry.hi.json`]: read('printed-paper.hi.json'),
    ...Object.fromEntries(
      Object.entries(read('printed-diagrams.json')).map(([file, text]) => [
        `${shiftPath}/diagrams/${file}`,
        text,
      ]),
    ),
    [`${shiftPath}/diagrams/q1.png`]: png(320, 200),
  });
}
