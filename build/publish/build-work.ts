import { Work, type WorkSetting } from '../check/work.ts';
import type { WrittenShift } from '../compile/compile-shift.ts';
import type { ShiftFolder } from '../content/find.ts';
import { AnswerWriter } from './answer-writer.ts';
import { KnownDigests } from './written-shifts.ts';

/** What every thread of a build is handed at its start. */
export interface BuildSetting extends WorkSetting {
  /** The folder of the draft. */
  readonly draft: string;
  /** The words of the digests of files whose answers are known. */
  readonly knownDigests: Uint32Array;
}

/** The work of one thread of a build: that of a validation, and the answers of what passed. */
export class BuildWork extends Work {
  readonly draft: string;
  readonly #writer: AnswerWriter;

  constructor(setting: BuildSetting) {
    const writer = new AnswerWriter(setting.draft, new KnownDigests(setting.knownDigests));
    super(setting, writer);
    this.draft = setting.draft;
    this.#writer = writer;
  }

  /** What shifts answer, whatever was found in them: all of it is excepted. */
  excepted(folders: readonly ShiftFolder[]): WrittenShift[] {
    return this.answers(folders, this.#writer);
  }
}
