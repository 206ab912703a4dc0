/** What the pages show as examples: a real paper in requests, and invented questions, because real ones require a key. */
import { createHash } from 'node:crypto';
import { questionFile } from '../compile/compile-shift.ts';
import type { CompiledExam } from '../compile/exams.ts';
import type { Question } from '../content/types.ts';
import type { QuestionFile } from '../release/resources.ts';
import { sampleOrigin } from './text.ts';

/** A paper of the bank, for example requests. */
export interface ExamplePaper {
  /** The origin of the service in code samples. */
  readonly origin: string;
  readonly exam: string;
  readonly year: number;
  /** The full name. */
  readonly shift: string;
  readonly subject: string;
  /** The path of its year, as in `/neet/2024`. */
  readonly yearPath: string;
  /** The path of its shift, as in `/neet/2024/s1`. */
  readonly shiftPath: string;
  /** The path of its question file, as in `/neet/2024/s1/physics.json`. */
  readonly path: string;
}

/**
 * Returns a paper of the last exam, as the gateway's example at startup does.
 *
 * @param origin the public URL of the bank, if it is configured
 * @throws Error when the bank is empty, which the bank's rules reject
 */
export function examplePaper(exams: readonly CompiledExam[], origin: string = sampleOrigin): ExamplePaper {
  for (const paper of papersOf(exams)) return { origin, ...paper };
  throw new Error('The bank is empty.');
}

/** Returns the first paper with a diagram, or the first paper if there is none. */
export function exampleWithDiagram(exams: readonly CompiledExam[], origin?: string): ExamplePaper {
  for (const paper of papersOf(exams)) if (paper.hasDiagram) return { origin: origin ?? sampleOrigin, ...paper };
  return examplePaper(exams, origin);
}

function* papersOf(exams: readonly CompiledExam[]) {
  for (const { years } of [...exams].reverse()) {
    for (const {
      resource: { exam, year },
      shifts,
    } of years) {
      for (const [index, { shift, papers }] of shifts.entries()) {
        for (const { subject, hasDiagram } of papers) {
          const yearPath = `/${exam}/${year}`;
          const shiftPath = `${yearPath}/s${index + 1}`;
          const path = `${shiftPath}/${subject}.json`;
          yield { exam, year, shift, subject, yearPath, shiftPath, path, hasDiagram };
        }
      }
    }
  }
}

/** The file name of the diagram in the invented questions. */
export const inventedDiagram = 'invented-01-square.svg';

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="120"><path d="M10 10h100v100H10z"/></svg>';

const questions: readonly Question[] = [
  {
    id: 'invented-01',
    type: 'mcq',
    question: 'Invented for this page: a square has sides of $3\\,\\mathrm{m}$. What is its area?',
    options: [
      { key: 'A', value: '$6\\,\\mathrm{m^2}$' },
      { key: 'B', value: '$9\\,\\mathrm{m^2}$' },
    ],
    answer: 'B',
    topic: 'Invented topic',
    difficulty: 'easy',
    diagrams: [{ file: inventedDiagram, alt: 'A square.' }],
  },
  {
    id: 'invented-02',
    type: 'msq',
    question: 'Invented for this page: which numbers are even?',
    options: [
      { key: 'A', value: '$2$' },
      { key: 'B', value: '$3$' },
      { key: 'C', value: '$4$' },
    ],
    answer: 'A,C',
    topic: 'Invented topic',
    difficulty: 'easy',
  },
  {
    id: 'invented-03',
    type: 'numerical',
    question: 'Invented for this page: what is $7 - 9.5$?',
    options: [],
    answer: '-2.5',
    topic: 'Invented topic',
    difficulty: 'medium',
  },
];

/** Compiles the invented questions as the question file of a paper. */
export function inventedQuestionFile({ exam, year, shift, subject }: ExamplePaper): QuestionFile {
  const image = {
    mediaType: 'image/svg+xml',
    width: 120,
    height: 120,
    sha256: createHash('sha256').update(svg).digest('hex'),
    problems: [],
  };
  return questionFile(
    { exam, year: String(year), shift, subject },
    { lastUpdated: '2024-06-01T10:00:00Z', questions },
    new Map([[inventedDiagram, { path: '', file: inventedDiagram, image }]]),
  );
}
