import type { Files } from '../../../build/bank-folder.ts';
import { paperOf, paperPath, sampleExam, sampleQuestions } from '../../../build/bank-folder.ts';

/** Content that validation or the build once handled wrongly. */
export interface ContentCase {
  readonly name: string;
  readonly files: Files;
  readonly isAccepted: boolean;
}

const { mcq } = sampleQuestions;
const exam = { 'neet/exam.json': sampleExam };

/** Past findings of the fuzzer. */
export const contentCases: readonly ContentCase[] = [
  {
    name: 'a one-letter tag with an attribute between two words (was read as a comparison)',
    files: { ...exam, [paperPath]: paperOf({ ...mcq, question: 'Which one<a href="x">is a unit of length?' }) },
    isAccepted: false,
  },
  {
    name: 'an exam with a reserved name (was reported as an internal error)',
    files: { 'docs/exam.json': sampleExam, [paperPath.replace('neet', 'docs')]: paperOf(mcq) },
    isAccepted: false,
  },
  {
    name: 'a shift with an invalid name (was reported as an internal error)',
    files: { ...exam, [paperPath.replace('2024-05-05-s1', 's1')]: paperOf(mcq) },
    isAccepted: false,
  },
  {
    name: 'a paper whose name is no subject (was reported as an internal error)',
    files: { ...exam, [paperPath.replace('physics', '#')]: paperOf(mcq) },
    isAccepted: false,
  },
  {
    name: 'a year in non-ASCII digits (was reported as an internal error)',
    files: { ...exam, [paperPath.replace('/2024/', '/\u0662\u0660\u0662\u0664/')]: paperOf(mcq) },
    isAccepted: false,
  },
  {
    name: 'an SVG after two byte order marks, which is not XML (was accepted)',
    files: {
      ...exam,
      [paperPath]: paperOf({ ...mcq, diagrams: [{ file: 'q1-marks.svg', alt: 'Nothing.' }] }),
      [paperPath.replace(/[^/]*$/, 'diagrams/q1-marks.svg')]:
        '\ufeff\ufeff<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
    },
    isAccepted: false,
  },
  {
    name: 'a section with a lost character (was accepted)',
    files: { ...exam, [paperPath]: paperOf({ ...mcq, section: 'Section \ufffd' }) },
    isAccepted: false,
  },
  {
    name: 'a subject with and without a display name (was accepted)',
    files: {
      'neet/exam.json': { label: 'NEET', subjects: ['physics', { code: 'physics', label: 'Physics' }] },
      [paperPath]: paperOf(mcq),
    },
    isAccepted: false,
  },
];
