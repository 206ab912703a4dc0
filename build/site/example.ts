/** The examples of the pages: a real paper in requests, and invented questions, because real ones require a key. */
import { hash } from 'node:crypto';
import { questionFile } from '../compile/compile-shift.ts';
import type { CompiledExam } from '../compile/exams.ts';
import type { Question } from '../content/written.ts';
import type { QuestionFile } from '../release/resources.ts';
import questions from './invented-questions.json' with { type: 'json' };
import { sampleOrigin } from './text.ts';

/** A paper of the bank, for example requests. */
export interface ExamplePaper {
  /** The origin of the service. */
  readonly origin: string;
  readonly exam: string;
  readonly year: number;
  readonly shift: string;
  readonly subject: string;
  /** `/neet/2024` */
  readonly yearPath: string;
  /** With the short name of the shift: `/neet/2024/s1`. */
  readonly shiftPath: string;
  readonly path: string;
}

interface BankPaper extends ExamplePaper {
  /** `EXAM/YEAR/SHIFT/SUBJECT` */
  readonly name: string;
  readonly hasDiagram: boolean;
}

/**
 * Returns a paper of the last exam, as the gateway's example at startup does.
 *
 * @param origin the public URL of the bank, if it is configured
 * @param path of another paper, `EXAM/YEAR/SHIFT/SUBJECT`
 * @throws Error when the bank is empty, which the bank's rules reject
 */
export function examplePaper(
  exams: readonly CompiledExam[],
  origin?: string,
  path?: string,
): ExamplePaper {
  let first: ExamplePaper | undefined;
  for (const paper of papersOf(exams, origin)) {
    if (path === undefined || paper.name === path) return paper;
    first ??= paper;
  }
  if (!first) throw new Error('The bank is empty.');
  return first;
}

/** Returns the first paper with a diagram, or the first paper if there is none. */
export function exampleWithDiagram(exams: readonly CompiledExam[], origin?: string): ExamplePaper {
  for (const paper of papersOf(exams, origin)) if (paper.hasDiagram) return paper;
  return examplePaper(exams, origin);
}

/** All papers, those of the last exam first. @param origin of the service in code samples */
export function* papersOf(
  exams: readonly CompiledExam[],
  origin = sampleOrigin,
): Generator<BankPaper> {
  for (const { resource, shifts } of exams.toReversed().flatMap(({ years }) => years)) {
    const { exam, year } = resource;
    const yearPath = `/${exam}/${year}`;
    for (const [index, { shift, papers }] of shifts.entries()) {
      // The name of a shift is its full one, in paths it is short: `/neet/2024/s1/physics.json`.
      const shiftPath = `${yearPath}/s${index + 1}`;
      for (const { subject, hasDiagram } of papers) {
        const path = `${shiftPath}/${subject}.json`;
        const name = `${exam}/${year}/${shift}/${subject}`;
        yield { name, origin, exam, year, shift, subject, yearPath, shiftPath, path, hasDiagram };
      }
    }
  }
}

/** The file name of the diagram in the invented questions. */
export const inventedDiagram = 'invented-01-square.svg';

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="120"><path d="M10 10h100v100H10z"/></svg>';

/** Compiles the invented questions as the question file of a paper. */
export function inventedQuestionFile({ exam, year, shift, subject }: ExamplePaper): QuestionFile {
  const image = {
    mediaType: 'image/svg+xml' as const,
    width: 120,
    height: 120,
    sha256: hash('sha256', svg),
    problems: [],
  };
  return questionFile(
    { exam, year: String(year), shift, subject },
    { lastUpdated: '2024-06-01T10:00:00Z', questions: questions as readonly Question[] },
    new Map([[inventedDiagram, { path: '', file: inventedDiagram, image }]]),
  );
}
