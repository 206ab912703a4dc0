import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { WrittenShift } from '../compile/compile-shift.ts';
import { maxJsonBytes, readBytes } from '../content/file.ts';
import { type ExamPlace, type ShiftFolder, shiftPath } from '../content/find.ts';
import { digestOfShift, readShift, type ShiftFiles } from '../content/shift-files.ts';
import type { Paper } from '../content/types.ts';
import { examFault, shiftFault } from '../rules/names.ts';
import type { Diagnostic } from './diagnostic.ts';
import { Examination, type ExaminedExam, type ExaminedShift, type FormulaCheck } from './examine.ts';
import { FingerprintTable } from './fingerprint-table.ts';
import { PassedFilesIndex, type Print } from './passed-files.ts';
import { type Fingerprint, fingerprint, shapePrint, stemFingerprint } from './text-hash.ts';

/** What every thread is handed at its start. */
export interface WorkSetting {
  readonly contentDir: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The words of a table of formulas that KaTeX is known to set. */
  readonly passedFormulas: Uint32Array;
  /** The words of the files in which nothing is known to be wrong. */
  readonly passedFiles: Uint32Array;
}

/** What is kept of shifts after they were examined. */
export interface ShiftResult {
  readonly diagnostics: readonly Diagnostic[];
  readonly papers: readonly PaperPrint[];
  /** Those in which nothing was found to be wrong, formulas aside. */
  readonly clean: readonly CleanFiles[];
  /** Formulas that were met for the first time. */
  readonly formulas: readonly NewFormula[];
  /** What the shifts answer, where a compiler was handed in. */
  readonly answers: readonly (WrittenShift | KnownShift)[];
  readonly slowest: TimedShift;
}

/** A shift that took long. */
export interface TimedShift {
  /** `<exam>/<year>/<shift>` */
  readonly path: string;
  readonly milliseconds: number;
}

/** A shift whose answers an earlier build has written. */
export interface KnownShift {
  /** SHA-256 over the files of the shift, in hex. */
  readonly known: string;
}

/** Makes answers of shifts that passed. */
export interface ShiftCompiler {
  /** Whether an earlier build has written the answers of files with this digest. */
  knows(digest: Buffer): boolean;
  compile(folder: ShiftFolder, digest: Buffer, files: ShiftFiles, shift: ExaminedShift): WrittenShift;
}

/** Files without fault: those of a shift, or the one of an exam. */
export interface CleanFiles {
  /** The path of the shift's folder, or of the exam file. */
  readonly unit: string;
  /** SHA-256 over the files' bytes. */
  readonly digest: Uint8Array;
  readonly papers: readonly Print[];
}

/** An exam file as it was read. */
export interface ExamResult extends ExaminedExam {
  /** Where nothing was found to be wrong. */
  readonly clean: CleanFiles | undefined;
}

export interface PaperPrint {
  /** Inside the content folder. */
  readonly path: string;
  /** How many it has; 0 when it is not of its schema's form. */
  readonly questions: number;
  /** Of each sound question its index and the two words each of its id's and its stem's fingerprint. */
  readonly prints: Uint32Array;
}

/** Words of a question in `prints`. */
export const printWords = 5;

/** A formula with its dollars, and the fingerprint of its shape. */
export interface NewFormula extends Fingerprint {
  readonly text: string;
}

/** The work of one thread. */
export class Work {
  readonly #examination: Examination;
  readonly #contentDir: string;
  readonly #passedFormulas: FingerprintTable;
  readonly #passedFiles: PassedFilesIndex;
  readonly #compiler: ShiftCompiler | undefined;
  /** Formulas that this thread has told of. */
  readonly #told = new FingerprintTable();

  /** @param compiler makes answers of the shifts in which no error was found */
  constructor({ contentDir, now, passedFormulas, passedFiles }: WorkSetting, compiler?: ShiftCompiler) {
    this.#contentDir = contentDir;
    this.#compiler = compiler;
    this.#examination = new Examination(contentDir, new Date(now));
    this.#passedFormulas = new FingerprintTable(passedFormulas);
    this.#passedFiles = new PassedFilesIndex(passedFiles);
  }

  exams(places: readonly ExamPlace[]): ExamResult[] {
    return places.map((place) => {
      const bytes = readBytes(join(this.#contentDir, place.path), maxJsonBytes);
      const examined = this.#examination.exam(place, bytes);
      const isClean = !('fault' in bytes) && examined.diagnostics.length === 0;
      const digest = isClean && createHash('sha256').update(bytes).digest();
      return { ...examined, clean: digest ? { unit: place.path, digest, papers: [] } : undefined };
    });
  }

  /** @param onExamined is handed what a caller in the same thread may keep */
  shifts(folders: readonly ShiftFolder[], onExamined?: (shift: ExaminedShift) => void): ShiftResult {
    const formulas: NewFormula[] = [];
    const diagnostics: Diagnostic[] = [];
    const papers: PaperPrint[] = [];
    const clean: CleanFiles[] = [];
    const answers: (WrittenShift | KnownShift)[] = [];
    let slowest = { path: '', milliseconds: -1 };
    const print = { high: 0, low: 0 };
    const onFormula = (text: string, start: number, end: number) => {
      shapePrint(text, start, end, print);
      if (this.#passedFormulas.get(print) >= 0 || this.#told.add(print, 0) >= 0) return;
      formulas.push({ ...print, text: text.slice(start, end) });
    };
    for (const folder of folders) {
      const start = performance.now();
      const files = readShift(this.#contentDir, folder);
      const digest = digestOfShift(folder, files);
      const isCompiled = digest !== undefined && this.#compiler?.knows(digest);
      const mayPass = digest && !onExamined && (isCompiled || !this.#compiler);
      const known = mayPass ? this.#passedFiles.get(digest)?.papers : undefined;
      const shift = known ? undefined : this.#examination.shift(folder, files, onFormula);
      if (shift) onExamined?.(shift);
      const prints = known ?? shift?.papers.map(printOf) ?? [];
      papers.push(...prints.map((print, index) => ({ path: folder.papers[index]?.path ?? '', ...print })));
      if (shift && shift.diagnostics.length > 0) diagnostics.push(...shift.diagnostics);
      else if (digest) clean.push({ unit: shiftPath(folder), digest, papers: prints });
      if (isCompiled) answers.push({ known: digest.toString('hex') });
      else if (digest && shift && this.#compiler && isNamed(folder) && shift.diagnostics.every(isWarning))
        answers.push(this.#compiler.compile(folder, digest, files, shift));
      const milliseconds = performance.now() - start;
      if (milliseconds > slowest.milliseconds) slowest = { path: shiftPath(folder), milliseconds };
    }
    return { diagnostics, papers, clean, formulas, answers, slowest };
  }

  /** What shifts answer in which errors were found that are excepted. */
  answers(folders: readonly ShiftFolder[], compiler: ShiftCompiler): WrittenShift[] {
    return folders.map((folder) => {
      const files = readShift(this.#contentDir, folder);
      const digest = digestOfShift(folder, files);
      if (!digest) throw new Error(`The checks let a file of ${shiftPath(folder)} pass that cannot be read.`);
      const shift = this.#examination.shift(folder, files, () => undefined);
      return compiler.compile(folder, digest, files, shift);
    });
  }

  prints(folders: readonly ShiftFolder[]): PaperPrint[] {
    return folders.flatMap(({ papers }) =>
      papers.map((place) => ({ path: place.path, ...printOf(this.#examination.paper(place)) })),
    );
  }

  /** Of each formula whether KaTeX sets it. */
  async formulas(texts: readonly string[]): Promise<boolean[]> {
    const formulaFault = await loadKatex();
    return texts.map((text) => formulaFault(text) === undefined);
  }

  /** @param failing the words of a table of the formulas that KaTeX does not set */
  async formulaFaults(folders: readonly ShiftFolder[], failing: Uint32Array): Promise<Diagnostic[]> {
    const formulaFault = await loadKatex();
    const table = new FingerprintTable(failing);
    return folders.flatMap((folder) => this.#examination.formulaFaults(folder, table, formulaFault));
  }
}

/** KaTeX is loaded when there is a formula that it has not been asked about. */
async function loadKatex(): Promise<FormulaCheck> {
  return (await import('../rules/katex.ts')).formulaFault;
}

/** Whether a release can name the shift: the rules on names look at the bank when all of its shifts were examined. */
function isNamed(folder: ShiftFolder): boolean {
  return examFault(folder.exam) === undefined && shiftFault(folder) === undefined;
}

function isWarning({ severity }: Diagnostic): boolean {
  return severity === 'warning';
}

function printOf({ content, questions }: Paper): Print {
  const prints = new Uint32Array(questions.length * printWords);
  const print = { high: 0, low: 0 };
  let at = 0;
  for (const { question, index } of questions) {
    prints[at] = index;
    fingerprint(question.id, 0, question.id.length, print);
    prints[at + 1] = print.high;
    prints[at + 2] = print.low;
    stemFingerprint(question.question, print);
    prints[at + 3] = print.high;
    prints[at + 4] = print.low;
    at += printWords;
  }
  return { questions: content?.questions.length ?? 0, prints };
}
