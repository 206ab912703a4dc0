import type { Examiner } from '../check/examiner.ts';
import { LocalExaminer } from '../check/local-examiner.ts';
import { ThreadExaminer } from '../check/thread-examiner.ts';
import type { WrittenShift } from '../compile/compile-shift.ts';
import type { ShiftFolder } from '../content/find.ts';
import { type Progress, Threads } from '../threads/threads.ts';
import { type BuildSetting, BuildWork } from './build-work.ts';
import { type Codings, type Compressor, LocalCompressor, type PlainAnswer } from './encode.ts';

/** All that a build does with files, in this thread or in several. */
export interface Crew extends Compressor {
  readonly examiner: Examiner;
  /** What shifts answer in which everything found is excepted. */
  excepted(folders: readonly ShiftFolder[]): Promise<readonly WrittenShift[]>;
  close(): Promise<void>;
}

/** Works in this thread, and compresses on Node's own pool. */
export class LocalCrew extends LocalCompressor implements Crew {
  readonly examiner: Examiner;
  readonly #work: BuildWork;

  constructor(setting: BuildSetting) {
    super(setting.draft);
    this.#work = new BuildWork(setting);
    this.examiner = new LocalExaminer(this.#work);
  }

  async excepted(folders: readonly ShiftFolder[]): Promise<readonly WrittenShift[]> {
    return this.#work.excepted(folders);
  }

  async close(): Promise<void> {}
}

/** Works in as many threads as there are cores. */
export class ThreadCrew implements Crew {
  readonly examiner: Examiner;
  readonly #threads: Threads;

  private constructor(threads: Threads) {
    this.#threads = threads;
    this.examiner = new ThreadExaminer(threads);
  }

  static async start(setting: Promise<BuildSetting>, onProgress: Progress): Promise<ThreadCrew> {
    return new ThreadCrew(await Threads.start('build-worker', setting, onProgress));
  }

  async compress(answers: readonly PlainAnswer[]): Promise<readonly Codings[]> {
    const codings: Codings[][] = await this.#threads.runInPieces(
      'compress',
      'Compressed:',
      answers,
      (piece) => piece,
    );
    return codings.flat();
  }

  async excepted(folders: readonly ShiftFolder[]): Promise<readonly WrittenShift[]> {
    const found: WrittenShift[][] = await this.#threads.runInPieces(
      'excepted',
      'Shifts with exceptions:',
      folders,
      (piece) => piece,
    );
    return found.flat();
  }

  close(): Promise<void> {
    return this.#threads.close();
  }
}
