import type { CheckedBank } from './checked-bank.ts';

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
