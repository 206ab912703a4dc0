import type { Recalls } from '../check/examine-content.ts';
import type { Recollection } from '../check/recollection.ts';
import type { CleanFiles, PaperPrint } from '../check/work.ts';
import type { WrittenShift } from '../compile/compile-shift.ts';
import type { ExamPlace, ShiftFolder } from '../content/find.ts';
import type { Exam } from '../content/types.ts';
import type { LastRelease } from './last-release.ts';
import type { WrittenShifts } from './written-shifts.ts';

/** What earlier builds have checked and written, as far as the last release still holds it. */
export class RecalledAnswers implements Recalls {
  /** Those of the shifts whose files have not changed since. */
  readonly unchanged: WrittenShift[] = [];
  readonly #recollection: Recollection;
  readonly #written: WrittenShifts;
  readonly #last: LastRelease | undefined;

  constructor(recollection: Recollection, written: WrittenShifts, last: LastRelease | undefined) {
    this.#recollection = recollection;
    this.#written = written;
    this.#last = last;
  }

  exam(place: ExamPlace): Exam | undefined {
    return this.#recollection.exam(place);
  }

  shift(folder: ShiftFolder): readonly PaperPrint[] | undefined {
    const prints = this.#recollection.shift(folder);
    const digest = this.#recollection.digestOf(folder)?.toString('hex');
    const written = prints && digest && this.find(digest);
    if (!written) return undefined;
    this.unchanged.push(written);
    return prints;
  }

  /** @param digest over the files of a shift, in hex */
  find(digest: string): WrittenShift | undefined {
    const written = this.#written.get(digest);
    const isHeld = written?.answers.every(({ path, sha256 }) =>
      this.#last?.stored('protected', path, sha256),
    );
    return isHeld ? written : undefined;
  }

  save(clean: readonly CleanFiles[]): Promise<void> {
    return this.#recollection.save(clean);
  }
}
