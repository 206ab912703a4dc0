import type { Files } from '../../../build/bank-folder.ts';
import { paperOf, paperPath, sampleExam, sampleQuestions } from '../../../build/bank-folder.ts';

/** Content that checks or build once did wrong with. */
export interface KeptContent {
  readonly shows: string;
  readonly files: Files;
  readonly isAccepted: boolean;
}

const { mcq } = sampleQuestions;
const exam = { 'neet/exam.json': sampleExam };

/** What was found by fuzzing. */
export const keptContents: readonly KeptContent[] = [
  {
    shows: 'a tag of one letter with an attribute between two words: taken for a comparison of numbers',
    files: {
      ...exam,
      [paperPath]: paperOf({ ...mcq, question: 'Which one<a href="x">is a unit of length?' }),
    },
    isAccepted: false,
  },
  {
    shows: 'an exam with a name of the service: the build took it for a fault of its own',
    files: { 'docs/exam.json': sampleExam, [paperPath.replace('neet', 'docs')]: paperOf(mcq) },
    isAccepted: false,
  },
  {
    shows: 'a shift with another name: the build took it for a fault of its own',
    files: { ...exam, [paperPath.replace('2024-05-05-s1', 's1')]: paperOf(mcq) },
    isAccepted: false,
  },
  {
    shows: 'a year of other digits: the build took it for a fault of its own',
    files: { ...exam, [paperPath.replace('/2024/', '/\u0662\u0660\u0662\u0664/')]: paperOf(mcq) },
    isAccepted: false,
  },
  {
    shows: 'a drawing after two byte order marks, which is no XML: taken for one',
    files: {
      ...exam,
      [paperPath]: paperOf({ ...mcq, diagrams: [{ file: 'q1-marks.svg', alt: 'Nothing.' }] }),
      [paperPath.replace(/[^/]*$/, 'diagrams/q1-marks.svg')]:
        '\ufeff\ufeff<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
    },
    isAccepted: false,
  },
];
