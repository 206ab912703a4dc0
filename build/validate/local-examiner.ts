import type { Bank, DiagramFile, Exam, Paper } from '../read/bank.ts';
import type { ExamPlace, ShiftFolder } from '../read/find.ts';
import type { Diagnostic } from '../report/diagnostic.ts';
import type { ExaminedShift } from './examine.ts';
import type { Examiner } from './examiner.ts';
import { type ExamResult, type PaperPrint, type ShiftResult, Work, type WorkSetting } from './work.ts';

/** Examines content in this thread. */
export class LocalExaminer implements Examiner {
  readonly bank = {
    exams: [] as Exam[],
    papers: [] as Paper[],
    diagrams: [] as DiagramFile[],
  } satisfies Bank;
  readonly #work: Work;
  readonly #isKeeping: boolean;

  /** @param keeping has it read every file, and keep what it read in `bank` */
  constructor(setting: WorkSetting, keeping?: 'keeping') {
    this.#work = new Work(setting);
    this.#isKeeping = keeping !== undefined;
  }

  async exams(places: readonly ExamPlace[]): Promise<readonly ExamResult[]> {
    const examined = this.#work.exams(places);
    this.bank.exams.push(...examined.map(({ exam }) => exam));
    return examined;
  }

  async shifts(folders: readonly ShiftFolder[]): Promise<readonly ShiftResult[]> {
    return [this.#work.shifts(folders, this.#isKeeping ? (shift) => this.#keep(shift) : undefined)];
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

  async close(): Promise<void> {}

  #keep({ papers, diagrams }: ExaminedShift): void {
    this.bank.papers.push(...papers);
    this.bank.diagrams.push(...diagrams);
  }
}
