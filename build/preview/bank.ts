import { EventEmitter } from 'node:events';
import { checkBank } from '../check/check-bank.ts';
import type { Diagnostic, Report } from '../check/diagnostic.ts';
import { type PaperFacts, type ProcessedShift, processShift } from '../check/process-shift.ts';
import {
  type FoundContent,
  findContent,
  type ShiftFiles,
  type ShiftFolder,
} from '../content/file.ts';
import { FileStamps } from '../content/stamps.ts';
import type { Exam } from '../content/types.ts';
import { type Bank, defaultBank } from '../release/config.ts';
import { UserError } from '../release/user-error.ts';
import { type Cache, openCache } from '../run/cache.ts';
import { checkContent } from '../run/check-content.ts';
import { openPool } from '../run/pool.ts';

export interface BankSetting {
  readonly contentDir: string;
  /** Holds the cache. */
  readonly dataDir: string;
  readonly clock: () => Date;
  /** The configuration of the bank. */
  readonly config?: Bank;
  /** The git ref that the shown files are relative to, if not all are shown. */
  readonly ref?: string | undefined;
  /** Returns the files that changed since then, as paths inside the content folder; called for each check. */
  readonly changedFiles?: (() => Promise<readonly string[]>) | undefined;
}

/**
 * The content as it was last found, and the report on it. It is checked again after each change; shifts whose files have
 * not changed are not read again. Emits `version` whenever the pages may differ.
 */
export class LiveBank extends EventEmitter<{ version: [string] }> {
  readonly contentDir: string;
  readonly config: Bank;
  readonly ref: string | undefined;
  content: FoundContent;
  /** As of the last check; none before the first. */
  exams: readonly Exam[] = [];
  /** The report of the last check of all content; undefined if the first one is running or failed. */
  report: Report | undefined;
  /** What was found in each paper, by path. */
  facts: ReadonlyMap<string, PaperFacts> = new Map();
  /** The files that are shown; undefined: all. */
  changed: ReadonlySet<string> | undefined;
  /** The check that is running. */
  running: Promise<void> | undefined;
  readonly #setting: BankSetting;
  readonly #cache: Cache;
  /** The stamps of the last check; none before the first. */
  #stamps: FileStamps | undefined;
  readonly #closing = new AbortController();
  /** Distinguishes the versions of this process from those of an earlier one. */
  readonly #start = Date.now().toString(36);
  #steps = 0;
  #checkError: string | undefined;
  #watchError: string | undefined;
  #isRequested = false;

  private constructor(setting: BankSetting, content: FoundContent, cache: Cache) {
    super();
    this.setMaxListeners(0);
    this.contentDir = setting.contentDir;
    this.config = setting.config ?? defaultBank;
    this.ref = setting.ref;
    this.content = content;
    this.#setting = setting;
    this.#cache = cache;
  }

  /**
   * Finds the content; `refresh` checks it.
   *
   * @throws UserError if there is no content folder; whatever `changedFiles` throws
   */
  static async open(setting: BankSetting): Promise<LiveBank> {
    const content = await findContent(setting.contentDir);
    const bank = new LiveBank(setting, content, await openCache(setting.dataDir));
    await bank.#findChanged();
    return bank;
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

  /** Checks the content. A call during a check causes one more check after it. An error becomes the warning. */
  refresh(): Promise<void> {
    this.#isRequested = true;
    this.running ??= this.#run().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /** Validates the content as it is now. @throws UserError if the content folder no longer exists */
  async check(): Promise<void> {
    this.#stamps = new FileStamps(this.contentDir, this.#setting.clock().getTime());
    this.content = await findContent(this.contentDir, this.#stamps);
    const { contentDir, content, config: bank } = this;
    const { validFormulas } = this.#cache;
    const setting = { contentDir, now: this.now(), validFormulas };
    const pool = openPool(setting, undefined, this.#closing.signal);
    try {
      const { exams, facts, report } = await checkContent({
        ...{ contentDir, content, stamps: this.#stamps, cache: this.#cache, pool, bank },
      });
      this.exams = exams;
      this.facts = new Map(facts.map((one) => [one.path, one]));
      this.report = report;
    } finally {
      await pool.close();
    }
  }

  /**
   * Validates one shift with files that are not saved, also against what the bank lists: topics and exceptions.
   *
   * @returns its problems, and what was found in these files alone
   */
  async checkDraft(
    shift: ShiftFolder,
    files: ShiftFiles,
  ): Promise<{
    readonly diagnostics: readonly Diagnostic[];
    readonly processed: ProcessedShift;
  }> {
    const { contentDir, exams } = this;
    const { validFormulas } = this.#cache;
    const now = this.#setting.clock();
    const processed = await processShift(shift, files, { now, validFormulas, compile: false });
    const content = { ...this.content, shifts: [shift] };
    const found = { ...processed, exams };
    const { diagnostics } = await checkBank(contentDir, content, found, this.config);
    return { diagnostics, processed };
  }

  /** Finds the content again, after a file was created: a check of a large bank takes longer. */
  async find(): Promise<void> {
    this.content = await findContent(this.contentDir);
  }

  /** The time, as the bank was opened with it. */
  now(): Date {
    return this.#setting.clock();
  }

  /** Stores the results for later runs of all commands. */
  async save(): Promise<void> {
    await this.#cache.save(this.content);
  }

  /** Ends a running check, and stores the results. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.running;
    await this.save();
  }

  async #run(): Promise<void> {
    while (this.#isRequested) {
      this.#isRequested = false;
      this.#checkError = await Promise.all([this.check(), this.#findChanged()]).then(
        () => undefined,
        (error: Error) =>
          error instanceof UserError
            ? error.message
            : `The content could not be validated: ${error.message}`,
      );
      this.#step();
    }
  }

  async #findChanged(): Promise<void> {
    const { changedFiles } = this.#setting;
    if (changedFiles) this.changed = new Set(await changedFiles());
  }

  #step(): void {
    this.#steps += 1;
    this.emit('version', this.version);
  }
}
