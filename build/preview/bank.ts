import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkBank } from '../check/check-bank.ts';
import type { Report } from '../check/diagnostic.ts';
import { type ProcessedShift, processExam, processShift } from '../check/process-shift.ts';
import { ResultCache } from '../check/result-cache.ts';
import { scopeOf } from '../check/scope.ts';
import { maxJsonBytes, readBytes, readShift } from '../content/file.ts';
import { type FoundContent, findContent, pathsOfShift, type ShiftFolder, shiftPath } from '../content/find.ts';
import { stampOfFiles } from '../content/stamps.ts';
import type { Exam } from '../content/types.ts';
import { UserError } from '../release/user-error.ts';

export interface BankSetting {
  readonly contentDir: string;
  /** Has the cache, of which the preview uses the formulas that KaTeX accepts. */
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
  content: FoundContent;
  /** As of the last check; none before the first. */
  exams: readonly Exam[] = [];
  /** The report of the last check of all content; undefined during the first check. */
  report: Report | undefined;
  readonly #clock: () => Date;
  readonly #cache: ResultCache;
  /** By the path of the shift's folder. */
  readonly #shifts = new Map<string, CheckedShift>();
  readonly #closing = new AbortController();

  private constructor({ contentDir, clock }: BankSetting, content: FoundContent, cache: ResultCache) {
    this.contentDir = contentDir;
    this.content = content;
    this.#clock = clock;
    this.#cache = cache;
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
    this.content = await findContent(this.contentDir);
    this.report = await this.#check(this.content);
  }

  /** Validates one shift, without comparing it with others. */
  checkShift(shift: ShiftFolder): Promise<Report> {
    return this.#check({ ...this.content, shifts: [shift] });
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
    this.exams = exams.map(({ exam }) => exam);
    return checkBank(this.contentDir, content, scopeOf(content), {
      exams: this.exams,
      facts: shifts.flatMap(({ facts }) => facts),
      otherFacts: [],
      diagnostics: [...exams, ...shifts].flatMap(({ diagnostics }) => diagnostics),
    });
  }

  async #checkedShift(folder: ShiftFolder, now: Date): Promise<CheckedShift> {
    const stamp = stampOfFiles(this.contentDir, pathsOfShift(folder), now.getTime());
    const last = this.#shifts.get(shiftPath(folder));
    if (stamp !== undefined && last?.stamp === stamp) return last;
    const { validFormulas } = this.#cache;
    const files = readShift(this.contentDir, folder);
    const { facts, diagnostics } = await processShift(folder, files, { now, validFormulas, compile: false });
    const checked = { facts, diagnostics, stamp };
    this.#shifts.set(shiftPath(folder), checked);
    // Requests are served between two shifts.
    await nextTurn();
    return checked;
  }
}

/** Milliseconds between two updates during the first check. */
const progressInterval = 1000;

/** Returns the changed files, as paths inside the content folder. */
export type ChangedFiles = () => Promise<readonly string[]>;

/** A bank that is checked again after each change. It emits `version` whenever the pages may differ. */
export class LiveBank extends EventEmitter<{ version: [string] }> {
  readonly bank: CheckedBank;
  /** The files that are shown; undefined: all. */
  changed: ReadonlySet<string> | undefined;
  readonly #changedFiles: ChangedFiles | undefined;
  /** Distinguishes the versions of this process from those of an earlier one. */
  readonly #start = Date.now().toString(36);
  #steps = 0;
  #checkError: string | undefined;
  #watchError: string | undefined;
  /** The check that is running. */
  running: Promise<void> | undefined;
  #isRequested = false;

  /** @param changedFiles if only these are shown; called again for each check */
  constructor(bank: CheckedBank, changedFiles?: ChangedFiles) {
    super();
    this.setMaxListeners(0);
    this.bank = bank;
    this.#changedFiles = changedFiles;
  }

  get version(): string {
    return `${this.#start}-${this.#steps}`;
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

  /** @throws whatever `changedFiles` throws */
  async findChanged(): Promise<void> {
    if (this.#changedFiles) this.changed = new Set(await this.#changedFiles());
  }

  /** Checks the content. A call during a check causes one more check after it. */
  refresh(): Promise<void> {
    this.#isRequested = true;
    this.running ??= this.#run().finally(() => {
      this.running = undefined;
    });
    return this.running;
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
      await Promise.all([this.bank.check(), this.findChanged()]);
      return undefined;
    } catch (error) {
      const { message } = error as Error;
      return error instanceof UserError ? message : `The content could not be validated: ${message}`;
    } finally {
      clearInterval(progress);
    }
  }

  #step(): void {
    this.#steps += 1;
    this.emit('version', this.version);
  }
}
