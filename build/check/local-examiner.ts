import type { ExamPlace, ShiftFolder } from '../content/find.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Examiner } from './examiner.ts';
import type { ExamResult, PaperPrint, ShiftResult, Work } from './work.ts';

/** Examines content in this thread. */
export class LocalExaminer implements Examiner {
  readonly #work: Work;

  constructor(work: Work) {
    this.#work = work;
  }

  async exams(places: readonly ExamPlace[]): Promise<readonly ExamResult[]> {
    return this.#work.exams(places);
  }

  async shifts(folders: readonly ShiftFolder[]): Promise<readonly ShiftResult[]> {
    return [this.#work.shifts(folders)];
  }

  async prints(folders: readonly ShiftFolder[]): Promise<readonly PaperPrint[]> {
    return this.#work.prints(folders);
  }

  formulas(texts: readonly string[]): Promise<readonly boolean[]> {
    return this.#work.formulas(texts);
  }

  formulaFaults(folders: readonly ShiftFolder[], failing: Uint32Array): Promise<readonly Diagnostic[]> {
    return this.#work.formulaFaults(folders, failing);
  }
}
