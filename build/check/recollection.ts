import { join } from 'node:path';
import { readJsonFile } from '../content/file.ts';
import { type ExamPlace, type FoundContent, type ShiftFolder, shiftPath } from '../content/find.ts';
import { signatureOf } from '../content/stamps.ts';
import type { Exam, ExamFile } from '../content/types.ts';
import { compiledProgram } from '../program.js';
import type { Recalls } from './examine-content.ts';
import { type PassedFiles, PassedFilesMemory } from './passed-files.ts';
import type { CleanFiles, PaperPrint } from './work.ts';

/** What earlier runs found without fault, held against the files as they are now. */
export class Recollection implements Recalls {
  readonly #contentDir: string;
  readonly #memory: PassedFilesMemory;
  /** By the path of an exam file or of a shift's folder, before any of the files was read. */
  readonly #signatures: ReadonlyMap<string, Buffer | undefined>;
  readonly #recalled = new Map<string, PassedFiles>();

  private constructor(
    contentDir: string,
    memory: PassedFilesMemory,
    signatures: ReadonlyMap<string, Buffer | undefined>,
  ) {
    this.#contentDir = contentDir;
    this.#memory = memory;
    this.#signatures = signatures;
  }

  static async open(
    contentDir: string,
    dataDir: string,
    { exams, shifts }: FoundContent,
    now: Date,
  ): Promise<Recollection> {
    const memory = await PassedFilesMemory.open(dataDir, (await compiledProgram()).version);
    const units: [string, readonly string[]][] = [
      ...exams.map(({ path }): [string, string[]] => [path, [path]]),
      ...shifts.map((folder): [string, string[]] => [shiftPath(folder), pathsOf(folder)]),
    ];
    const signatures = units.map(
      ([unit, paths]) => [unit, signatureOf(contentDir, paths, now.getTime())] as const,
    );
    return new Recollection(contentDir, memory, new Map(signatures));
  }

  /** For threads, which find by content what is not found by what the file system says. */
  get words(): Uint32Array {
    return this.#memory.index.words;
  }

  /** An exam whose file has not changed since it passed. */
  exam({ path, code }: ExamPlace): Exam | undefined {
    if (!this.#recall(path)) return undefined;
    const file = readJsonFile(join(this.#contentDir, path), path, 'exam');
    return file.state === 'parsed' ? { path, code, content: file.value as ExamFile } : undefined;
  }

  /** The prints of a shift whose files have not changed since it passed. */
  shift(folder: ShiftFolder): readonly PaperPrint[] | undefined {
    const passed = this.#recall(shiftPath(folder));
    return passed?.papers.map((print, index) => ({ path: folder.papers[index]?.path ?? '', ...print }));
  }

  /** SHA-256 over the files of a shift that was recalled. */
  digestOf(folder: ShiftFolder): Buffer | undefined {
    return this.#recalled.get(shiftPath(folder))?.digest;
  }

  async save(clean: readonly CleanFiles[]): Promise<void> {
    const passed = new Map(this.#recalled);
    for (const { unit, digest, papers } of clean)
      passed.set(unit, { signature: this.#signatures.get(unit), digest: Buffer.from(digest), papers });
    const inOrder = [...passed].sort(([one], [other]) => (one < other ? -1 : 1));
    await this.#memory.save(inOrder.map(([, files]) => files));
  }

  #recall(unit: string): PassedFiles | undefined {
    const signature = this.#signatures.get(unit);
    const passed = signature && this.#memory.index.get(signature);
    if (passed) this.#recalled.set(unit, passed);
    return passed;
  }
}

function pathsOf({ papers, diagrams }: ShiftFolder): string[] {
  return [...papers, ...diagrams].map(({ path }) => path);
}
