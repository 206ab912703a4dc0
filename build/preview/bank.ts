import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkBank } from '../check/check-bank.ts';
import { type ContentTasks, contentTasks } from '../check/content-tasks.ts';
import type { Report } from '../check/diagnostic.ts';
import { type Processing, processContent } from '../check/process-content.ts';
import type { PaperFacts } from '../check/process-shift.ts';
import { ResultCache } from '../check/result-cache.ts';
import { scopeOf } from '../check/scope.ts';
import { type FoundContent, findContent, type ShiftFolder } from '../content/find.ts';
import { FileStamps } from '../content/stamps.ts';
import type { Exam } from '../content/types.ts';
import type { Task } from '../pool.ts';
import { UserError } from '../release/user-error.ts';

export interface BankSetting {
  readonly contentDir: string;
  /** Holds the cache. */
  readonly dataDir: string;
  readonly clock: () => Date;
}

/** The content as it was last found, and the report on it. Shifts whose files have not changed are not read again. */
export class CheckedBank {
  readonly contentDir: string;
  content: FoundContent;
  /** As of the last check; none before the first. */
  exams: readonly Exam[] = [];
  /** The report of the last check of all content; undefined during the first check. */
  report: Report | undefined;
  /** The number of questions of each paper that was processed, by path. */
  readonly questions = new Map<string, number>();
  readonly #clock: () => Date;
  readonly #cache: ResultCache;
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

  /**
   * Validates the content as it is now.
   *
   * @throws NoContent if the content folder no longer exists
   */
  async check(): Promise<void> {
    const stamps = new FileStamps(this.contentDir, this.#clock().getTime());
    this.content = await findContent(this.contentDir, stamps);
    this.#cache.begin({ content: this.content, stamps });
    this.report = await this.#check(this.content);
  }

  /** Validates one shift, without comparing it with others. */
  checkShift(shift: ShiftFolder): Promise<Report> {
    return this.#check({ ...this.content, shifts: [shift] });
  }

  /** Stores the results for later runs of all commands. */
  async save(): Promise<void> {
    await this.#cache.save(this.report === undefined);
  }

  /** Makes a running check reject. */
  close(): void {
    this.#closing.abort();
  }

  async #check(content: FoundContent): Promise<Report> {
    const scope = scopeOf(content);
    const processed = await processContent({ content, scope, cache: this.#cache, pool: this.#pool() });
    this.exams = processed.exams;
    this.#count(processed.facts);
    return checkBank(this.contentDir, content, scope, processed);
  }

  /** Processes one unit of content after the other. Requests are served between them. */
  #pool(): Processing['pool'] {
    let tasks: ContentTasks | undefined;
    return {
      open: async () => {
        const now = this.#clock().getTime();
        const cachedDigests = new Set(this.#cache.unused().map(({ digest }) => digest));
        const { validFormulas } = this.#cache;
        tasks = contentTasks({ contentDir: this.contentDir, now, cachedDigests, validFormulas });
      },
      map: async (name, _label, items) => {
        const task = tasks?.[name] as Task<unknown, unknown> | undefined;
        const results: unknown[] = [];
        for (const item of items) {
          this.#closing.signal.throwIfAborted();
          const [result] = (await task?.([item])) ?? [];
          results.push(result);
          if (name === 'shifts') this.#count((result as { readonly facts?: readonly PaperFacts[] }).facts ?? []);
          await nextTurn();
        }
        return results as never;
      },
    };
  }

  #count(facts: readonly PaperFacts[]): void {
    for (const { path, questions } of facts) this.questions.set(path, questions);
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
