import { setImmediate as othersTurn } from 'node:timers/promises';
import { checkContent } from '../check/check-content.ts';
import type { Report } from '../check/diagnostic.ts';
import { PassedFormulas } from '../check/passed-formulas.ts';
import { scopeOf } from '../check/scope.ts';
import { type ShiftResult, Work } from '../check/work.ts';
import { type FoundContent, findContent, type ShiftFolder, shiftPath } from '../content/find.ts';
import { signatureOf } from '../content/stamps.ts';
import type { Exam } from '../content/types.ts';
import { FingerprintTable } from '../rules/fingerprint-table.ts';

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

/** Milliseconds between two tellings of how far the first check has come. */
const tellingInterval = 1000;

/** Errors whose message is a sentence for people. */
const plainErrors = new Set(['NoContent', 'NoComparison']);

/** Tells which files changed, as paths inside the content folder. */
export type ChangedFiles = () => Promise<readonly string[]>;

/** A bank that is checked again whenever it is asked to, and tells when there is something new. */
export class LiveBank {
  readonly bank: CheckedBank;
  readonly #changedFiles: ChangedFiles | undefined;
  readonly #tell: () => void;
  /** Another one for each start, so that a page of an earlier one is out of date. */
  readonly #start = Date.now().toString(36);
  #round = 0;
  #changed: ReadonlySet<string> | undefined;
  #trouble: string | undefined;
  #failure: string | undefined;
  #running: Promise<void> | undefined;
  #isAsked = false;

  private constructor(bank: CheckedBank, changedFiles: ChangedFiles | undefined, tell: () => void) {
    this.bank = bank;
    this.#changedFiles = changedFiles;
    this.#tell = tell;
  }

  /**
   * @param changedFiles where only these are shown; asked again with every check
   * @param tell is called when there is something new
   * @throws whatever `changedFiles` throws
   */
  static async open(
    bank: CheckedBank,
    changedFiles: ChangedFiles | undefined,
    tell: () => void,
  ): Promise<LiveBank> {
    const live = new LiveBank(bank, changedFiles, tell);
    await live.#findChanged();
    return live;
  }

  /** Another one as soon as there is something new. */
  get version(): string {
    return `${this.#start}-${this.#round}`;
  }

  /** The files that are shown; undefined: all. */
  get changed(): ReadonlySet<string> | undefined {
    return this.#changed;
  }

  /** Why what is shown is not up to date, in a sentence. */
  get trouble(): string | undefined {
    return this.#failure ?? this.#trouble;
  }

  /** Says on every page from now on why what is saved is not seen. @param trouble a sentence */
  fail(trouble: string): void {
    this.#failure = trouble;
    this.#step();
  }

  /** Checks the content; when it is asked for while a check goes on, once more after that. */
  refresh(): Promise<void> {
    this.#isAsked = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** When no check goes on any more. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isAsked) {
      this.#isAsked = false;
      this.#trouble = await this.#check();
      this.#step();
    }
  }

  /** @returns what went wrong, in a sentence */
  async #check(): Promise<string | undefined> {
    const telling = this.bank.report ? undefined : setInterval(() => this.#step(), tellingInterval);
    try {
      await Promise.all([this.bank.check(), this.#findChanged()]);
      return undefined;
    } catch (error) {
      const { name, message } = error as Error;
      return plainErrors.has(name) ? message : `The content could not be checked: ${message}`;
    } finally {
      clearInterval(telling);
    }
  }

  async #findChanged(): Promise<void> {
    if (this.#changedFiles) this.#changed = new Set(await this.#changedFiles());
  }

  #step(): void {
    this.#round += 1;
    this.#tell();
  }
}
