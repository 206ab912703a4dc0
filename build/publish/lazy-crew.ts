import type { Examiner } from '../check/examiner.ts';
import type { PassedFormulas } from '../check/passed-formulas.ts';
import type { WrittenShift } from '../compile/compile-shift.ts';
import type { ShiftFolder } from '../content/find.ts';
import type { Progress } from '../threads/threads.ts';
import { manyPapers, openFormulas, papersOf, type ValidationSetting, workSetting } from '../validate.ts';
import type { BuildSetting } from './build-work.ts';
import { type Crew, LocalCrew, ThreadCrew } from './crew.ts';
import type { Codings, Compressor, PlainAnswer } from './encode.ts';

/** A crew that is called when there is work, in as many threads as the first work of it is worth. */
export class LazyCrew implements Compressor {
  readonly #setting: ValidationSetting;
  readonly #draft: string;
  readonly #passedFiles: Uint32Array;
  readonly #knownDigests: Uint32Array;
  readonly #onProgress: Progress;
  #crew: Crew | undefined;

  /**
   * @param draft the folder of the draft
   * @param passedFiles the words of the files in which nothing is known to be wrong
   * @param knownDigests the words of the digests of files whose answers are known
   */
  constructor(
    setting: ValidationSetting,
    draft: string,
    passedFiles: Uint32Array,
    knownDigests: Uint32Array,
    onProgress: Progress,
  ) {
    this.#setting = setting;
    this.#draft = draft;
    this.#passedFiles = passedFiles;
    this.#knownDigests = knownDigests;
    this.#onProgress = onProgress;
  }

  async examiner(folders: readonly ShiftFolder[], formulas: Promise<PassedFormulas>): Promise<Examiner> {
    return (await this.#call(papersOf(folders), formulas)).examiner;
  }

  /** What shifts answer in which everything found is excepted. */
  async excepted(folders: readonly ShiftFolder[]): Promise<readonly WrittenShift[]> {
    return (await this.#call(papersOf(folders))).excepted(folders);
  }

  /** The last work of a build: the crew goes with it, and frees its memory before the release is put together. */
  async compress(answers: readonly PlainAnswer[]): Promise<readonly Codings[]> {
    try {
      return await (await this.#call(answers.length)).compress(answers);
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    const crew = this.#crew;
    this.#crew = undefined;
    await crew?.close();
  }

  async #call(papers: number, formulas = openFormulas(this.#setting.dataDir)): Promise<Crew> {
    if (this.#crew) return this.#crew;
    const setting = this.#buildSetting(formulas);
    this.#crew =
      papers < manyPapers ? new LocalCrew(await setting) : await ThreadCrew.start(setting, this.#onProgress);
    return this.#crew;
  }

  async #buildSetting(formulas: Promise<PassedFormulas>): Promise<BuildSetting> {
    return {
      ...(await workSetting(this.#setting, formulas, this.#passedFiles)),
      draft: this.#draft,
      knownDigests: this.#knownDigests,
    };
  }
}
