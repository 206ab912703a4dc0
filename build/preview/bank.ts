import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkBank } from '../check/check-bank.ts';
import type { Report } from '../check/diagnostic.ts';
import { type ProcessedShift, processExam, processShift } from '../check/process-shift.ts';
import { ResultCache } from '../check/result-cache.ts';
import { scopeOf } from '../check/scope.ts';
import { maxJsonBytes, readBytes, readShift } from '../content/file.ts';
import { type FoundContent, findContent, type ShiftFolder, shiftPath } from '../content/find.ts';
import { stampOfFiles } from '../content/stamps.ts';
import type { Exam } from '../content/types.ts';

export interface BankSetting {
  readonly contentDir: string;
  /** Holds the cache, of which the preview uses the formulas that KaTeX accepts. */
  readonly dataDir: string;
  readonly clock: () => Date;
}

/** A shift as it was last processed. */
interface CheckedShift extends Pick<ProcessedShift, 'facts' | 'diagnostics'> {
  /** Of its files before they were read; undefined if they had been written just before. */
  readonly stamp: string | undefined;
}

/** The content as it was last found, and the report on it. Shifts whose files have not changed are not read again. */
export class CheckedBank {
  readonly contentDir: string;
  readonly #clock: () => Date;
  readonly #cache: ResultCache;
  /** By the path of the shift's folder. */
  readonly #shifts = new Map<string, CheckedShift>();
  readonly #closing = new AbortController();
  #content: FoundContent;
  #exams: readonly Exam[] = [];
  #report: Report | undefined;

  private constructor({ contentDir, clock }: BankSetting, content: FoundContent, cache: ResultCache) {
    this.contentDir = contentDir;
    this.#clock = clock;
    this.#cache = cache;
    this.#content = content;
  }

  /**
   * Finds the content; `check` checks it.
   *
   * @throws NoContent if there is no content folder
   */
  static async open(setting: BankSetting): Promise<CheckedBank> {
    const content = await findContent(setting.contentDir);
    return new CheckedBank(setting, content, await ResultCache.open(setting.dataDir));
  }

  get content(): FoundContent {
    return this.#content;
  }

  /** As of the last check; none before the first. */
  get exams(): readonly Exam[] {
    return this.#exams;
  }

  /** The report of the last check of all content; undefined during the first check. */
  get report(): Report | undefined {
    return this.#report;
  }

  /** The number of questions of each paper of a shift, by path; undefined if the shift was not processed yet. */
  questions(shift: ShiftFolder): ReadonlyMap<string, number> | undefined {
    const checked = this.#shifts.get(shiftPath(shift));
    return checked && new Map(checked.facts.map(({ path, questions }) => [path, questions]));
  }

  /**
   * Validates the content as it is now.
   *
   * @throws NoContent if the content folder no longer exists
   */
  async check(): Promise<void> {
    this.#content = await findContent(this.contentDir);
    this.#report = await this.#check(this.#content);
  }

  /** Validates one shift, without comparing it with others. */
  checkShift(shift: ShiftFolder): Promise<Report> {
    return this.#check({ ...this.#content, shifts: [shift] });
  }

  /** Stores which formulas KaTeX accepts, for later runs of all commands. */
  async save(): Promise<void> {
    await this.#cache.save(true);
  }

  /** Makes a running check reject. Shifts that it has processed are not processed again. */
  close(): void {
    this.#closing.abort();
  }

  async #check(content: FoundContent): Promise<Report> {
    const now = this.#clock();
    const exams = content.exams.map((place) =>
      processExam(place, readBytes(join(this.contentDir, place.path), maxJsonBytes)),
    );
    const shifts: CheckedShift[] = [];
    for (const folder of content.shifts) {
      this.#closing.signal.throwIfAborted();
      shifts.push(await this.#checkedShift(folder, now));
    }
    this.#exams = exams.map(({ exam }) => exam);
    const processed = {
      exams: this.#exams,
      facts: shifts.flatMap(({ facts }) => facts),
      otherFacts: [],
      diagnostics: [...exams, ...shifts].flatMap(({ diagnostics }) => diagnostics),
    };
    return checkBank(this.contentDir, content, scopeOf(content), processed);
  }

  /** After each shift that has to be processed, requests have their turn. */
  async #checkedShift(folder: ShiftFolder, now: Date): Promise<CheckedShift> {
    const paths = [...folder.papers, ...folder.diagrams].map(({ path }) => path);
    const stamp = stampOfFiles(this.contentDir, paths, now.getTime());
    const last = this.#shifts.get(shiftPath(folder));
    if (stamp !== undefined && last?.stamp === stamp) return last;
    const { validFormulas } = this.#cache;
    const files = readShift(this.contentDir, folder);
    const { facts, diagnostics } = await processShift(folder, files, { now, validFormulas, compile: false });
    const checked = { facts, diagnostics, stamp };
    this.#shifts.set(shiftPath(folder), checked);
    await nextTurn();
    return checked;
  }
}

/** Milliseconds between two updates during the first check. */
const progressInterval = 1000;

/** Errors whose message is for the user. */
const userErrors = new Set(['NoContent', 'DiffError']);

/** Returns the changed files, as paths inside the content folder. */
export type ChangedFiles = () => Promise<readonly string[]>;

/** A bank that is checked again after each change, and notifies its user of each new version. */
export class LiveBank {
  readonly bank: CheckedBank;
  readonly #changedFiles: ChangedFiles | undefined;
  readonly #notify: (version: string) => void;
  /** Distinguishes the versions of this process from those of an earlier one. */
  readonly #start = Date.now().toString(36);
  #steps = 0;
  #changed: ReadonlySet<string> | undefined;
  #checkError: string | undefined;
  #watchError: string | undefined;
  #running: Promise<void> | undefined;
  #isRequested = false;

  private constructor(
    bank: CheckedBank,
    changedFiles: ChangedFiles | undefined,
    notify: (version: string) => void,
  ) {
    this.bank = bank;
    this.#changedFiles = changedFiles;
    this.#notify = notify;
  }

  /**
   * @param changedFiles if only these are shown; called again for each check
   * @param notify takes each new version
   * @throws whatever `changedFiles` throws
   */
  static async open(
    bank: CheckedBank,
    changedFiles: ChangedFiles | undefined,
    notify: (version: string) => void,
  ): Promise<LiveBank> {
    const live = new LiveBank(bank, changedFiles, notify);
    await live.#findChanged();
    return live;
  }

  /** Differs whenever the pages may differ. */
  get version(): string {
    return `${this.#start}-${this.#steps}`;
  }

  /** The files that are shown; undefined: all. */
  get changed(): ReadonlySet<string> | undefined {
    return this.#changed;
  }

  /** A sentence on why the pages are not up to date, if they are not. */
  get warning(): string | undefined {
    return this.#watchError ?? this.#checkError;
  }

  /** Shows on every page that changes are no longer seen. @param reason a sentence */
  fail(reason: string): void {
    this.#watchError = reason;
    this.#step();
  }

  /** Checks the content. A call during a check causes one more check after it. */
  refresh(): Promise<void> {
    this.#isRequested = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Resolves when no check is running. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isRequested) {
      this.#isRequested = false;
      this.#checkError = await this.#check();
      this.#step();
    }
  }

  /** @returns a sentence on what went wrong, if anything did */
  async #check(): Promise<string | undefined> {
    const progress = this.bank.report ? undefined : setInterval(() => this.#step(), progressInterval);
    try {
      await Promise.all([this.bank.check(), this.#findChanged()]);
      return undefined;
    } catch (error) {
      const { name, message } = error as Error;
      return userErrors.has(name) ? message : `The content could not be checked: ${message}`;
    } finally {
      clearInterval(progress);
    }
  }

  async #findChanged(): Promise<void> {
    if (this.#changedFiles) this.#changed = new Set(await this.#changedFiles());
  }

  #step(): void {
    this.#steps += 1;
    this.#notify(this.version);
  }
}
