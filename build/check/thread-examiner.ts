import type { ExamPlace, ShiftFolder } from '../content/find.ts';
import type { Threads } from '../threads/threads.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Examiner } from './examiner.ts';
import type { ExamResult, PaperPrint, ShiftResult } from './work.ts';
import type { FormulaFaultsTask } from './worker.ts';

/** Examines content in as many threads as there are cores. */
export class ThreadExaminer implements Examiner {
  readonly #threads: Threads;

  /** @param threads with the exports of `worker.ts` */
  constructor(threads: Threads) {
    this.#threads = threads;
  }

  exams(places: readonly ExamPlace[]): Promise<readonly ExamResult[]> {
    return this.#threads.run('exams', places);
  }

  shifts(folders: readonly ShiftFolder[]): Promise<readonly ShiftResult[]> {
    return this.#threads.runInPieces('shifts', 'Shifts:', folders, (piece) => piece);
  }

  async prints(folders: readonly ShiftFolder[]): Promise<readonly PaperPrint[]> {
    const found: PaperPrint[][] = await this.#threads.runInPieces(
      'prints',
      'Shifts:',
      folders,
      (piece) => piece,
    );
    return found.flat();
  }

  async formulas(texts: readonly string[]): Promise<readonly boolean[]> {
    const found: boolean[][] = await this.#threads.runInPieces(
      'formulas',
      'Formulas:',
      texts,
      (piece) => piece,
    );
    return found.flat();
  }

  async formulaFaults(folders: readonly ShiftFolder[], failing: Uint32Array): Promise<readonly Diagnostic[]> {
    const found: Diagnostic[][] = await this.#threads.runInPieces(
      'formulaFaults',
      'Shifts with faulty formulas:',
      folders,
      (piece): FormulaFaultsTask => ({ folders: piece, failing }),
    );
    return found.flat();
  }
}
