import { setImmediate as othersTurn } from 'node:timers/promises';
import type { ShiftResult, Work } from '../../check/work.ts';
import { type ShiftFolder, shiftPath } from '../../content/find.ts';
import { signatureOf } from '../../content/signature.ts';
import { FingerprintTable } from '../../rules/fingerprint-table.ts';

/** What was found out about the files of a shift. */
export type ExaminedShift = Pick<ShiftResult, 'papers' | 'diagnostics'>;

interface KeptShift extends ExaminedShift {
  /** Of its files before they were read; undefined when they may have changed unnoticed. */
  readonly signature: Buffer | undefined;
}

/** What was found out about shifts, for as long as their files stay as they are. */
export class KeptShifts {
  readonly #contentDir: string;
  /** Formulas that KaTeX sets; grows. */
  readonly #passed: FingerprintTable;
  /** Formulas that it does not set. */
  readonly #failing = new FingerprintTable();
  readonly #kept = new Map<string, KeptShift>();

  constructor(contentDir: string, passed: FingerprintTable) {
    this.#contentDir = contentDir;
    this.#passed = passed;
  }

  /** What was found out last; undefined before. */
  get(folder: ShiftFolder): ExaminedShift | undefined {
    return this.#kept.get(shiftPath(folder));
  }

  /**
   * Examines a shift, unless its files are those that were examined. Behind each, requests have their turn.
   *
   * @param now milliseconds since 1970
   */
  async examine(folder: ShiftFolder, work: Work, now: number): Promise<ExaminedShift> {
    const paths = [...folder.papers, ...folder.diagrams].map(({ path }) => path);
    const signature = signatureOf(this.#contentDir, paths, now);
    const kept = this.#kept.get(shiftPath(folder));
    if (signature && kept?.signature?.equals(signature)) return kept;
    const examined = await this.#examine(folder, work);
    this.#kept.set(shiftPath(folder), { ...examined, signature });
    await othersTurn();
    return examined;
  }

  /** With what KaTeX says of its formulas. */
  async #examine(folder: ShiftFolder, work: Work): Promise<ExaminedShift> {
    const { papers, diagnostics, formulas } = work.shifts([folder]);
    const isSet = await work.formulas(formulas.map(({ text }) => text));
    for (const [index, formula] of formulas.entries())
      (isSet[index] ? this.#passed : this.#failing).add(formula, 0);
    // Also those that were met in another shift: the work tells of each but once.
    const faults = this.#failing.size > 0 ? await work.formulaFaults([folder], this.#failing.words) : [];
    return { papers, diagnostics: [...diagnostics, ...faults] };
  }
}
