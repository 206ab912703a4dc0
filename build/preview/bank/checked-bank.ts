import { checkContent } from '../../check/check-content.ts';
import { PassedFormulas } from '../../check/passed-formulas.ts';
import { scopeOf } from '../../check/scope.ts';
import { Work } from '../../check/work.ts';
import type { Exam } from '../../content/bank.ts';
import { type FoundContent, findContent, type ShiftFolder } from '../../content/find.ts';
import type { Report } from '../../report/diagnostic.ts';
import { type ExaminedShift, KeptShifts } from './kept-shifts.ts';

export interface BankSetting {
  readonly contentDir: string;
  /** Keeps which formulas KaTeX has set. */
  readonly dataDir: string;
  readonly clock: () => Date;
}

/** The content as it was last found, and what the rules say of it. */
export class CheckedBank {
  readonly contentDir: string;
  readonly #clock: () => Date;
  readonly #formulas: PassedFormulas;
  readonly #kept: KeptShifts;
  readonly #closing = new AbortController();
  #content: FoundContent;
  #exams: readonly Exam[] = [];
  #report: Report | undefined;

  private constructor({ contentDir, clock }: BankSetting, content: FoundContent, formulas: PassedFormulas) {
    this.contentDir = contentDir;
    this.#clock = clock;
    this.#formulas = formulas;
    this.#kept = new KeptShifts(contentDir, formulas.table);
    this.#content = content;
  }

  /**
   * Finds the content; `check` checks it.
   *
   * @throws NoContent when there is no content folder
   */
  static async open(setting: BankSetting): Promise<CheckedBank> {
    const [content, formulas] = await Promise.all([
      findContent(setting.contentDir),
      PassedFormulas.open(setting.dataDir),
    ]);
    return new CheckedBank(setting, content, formulas);
  }

  get content(): FoundContent {
    return this.#content;
  }

  /** As they were found by the last check; none before the first. */
  get exams(): readonly Exam[] {
    return this.#exams;
  }

  /** What the last check of all content found; undefined while the first goes on. */
  get report(): Report | undefined {
    return this.#report;
  }

  /** The questions of each paper of a shift by the paper's path; undefined when the shift was not examined yet. */
  questions(shift: ShiftFolder): ReadonlyMap<string, number> | undefined {
    const examined = this.#kept.get(shift);
    return examined && new Map(examined.papers.map(({ path, questions }) => [path, questions]));
  }

  /**
   * Holds the content against every rule as it stands now. Shifts whose files did not change are not read again.
   *
   * @throws NoContent when there is no content folder any more
   */
  async check(): Promise<void> {
    this.#content = await findContent(this.contentDir);
    this.#report = await this.#check(this.#content);
  }

  /** What a shift shows without the others: all but what only a comparison with other shifts shows. */
  checkShift(shift: ShiftFolder): Promise<Report> {
    return this.#check({ ...this.#content, shifts: [shift] });
  }

  /** Keeps which formulas KaTeX has set, for the next time and for other commands. */
  async save(): Promise<void> {
    await this.#formulas.save();
  }

  /** Ends a check that goes on: it rejects. What it has examined is kept. */
  close(): void {
    this.#closing.abort();
  }

  async #check(content: FoundContent): Promise<Report> {
    const now = this.#clock().getTime();
    const work = this.#work(now);
    const exams = work.exams(content.exams);
    const shifts: ExaminedShift[] = [];
    for (const folder of content.shifts) {
      this.#closing.signal.throwIfAborted();
      shifts.push(await this.#kept.examine(folder, work, now));
    }
    this.#exams = exams.map(({ exam }) => exam);
    const papers = shifts.flatMap((shift) => shift.papers);
    const diagnostics = [...exams, ...shifts].flatMap((examined) => examined.diagnostics);
    const examined = { exams: this.#exams, papers, others: [], diagnostics };
    return checkContent(this.contentDir, content, scopeOf(content), examined);
  }

  /** A new one for each check: the moment is another, and a formula that it has told of it does not tell again. */
  #work(now: number): Work {
    return new Work({
      contentDir: this.contentDir,
      now,
      passedFormulas: this.#formulas.table.words,
      // No shift is passed over because an earlier run did: what is wrong with it is looked for here.
      passedFiles: new Uint32Array(),
    });
  }
}
