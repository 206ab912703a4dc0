import type { ExamPlace, ShiftFolder } from '../content/find.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { ExamResult, PaperPrint, ShiftResult } from './work.ts';

/** Examines content, in this thread or in several. Results come in the order of what was handed in. */
export interface Examiner {
  exams(places: readonly ExamPlace[]): Promise<readonly ExamResult[]>;
  shifts(folders: readonly ShiftFolder[]): Promise<readonly ShiftResult[]>;
  /** Reads of each paper nothing but its ids and stems. */
  prints(folders: readonly ShiftFolder[]): Promise<readonly PaperPrint[]>;
  /** @returns of each formula, with its dollars, whether KaTeX sets it */
  formulas(texts: readonly string[]): Promise<readonly boolean[]>;
  /** @param failing the words of a table of the formulas that KaTeX does not set */
  formulaFaults(folders: readonly ShiftFolder[], failing: Uint32Array): Promise<readonly Diagnostic[]>;
}
