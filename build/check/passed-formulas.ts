import { bytesOfWords, Memory } from '../cache.ts';
import { compiledProgram } from '../program.js';
import { FingerprintTable } from './fingerprint-table.ts';

/** The formulas that KaTeX set in earlier runs, as a table of their fingerprints. */
export class PassedFormulas {
  readonly table: FingerprintTable;
  readonly #memory: Memory;
  readonly #known: number;

  private constructor(memory: Memory, table: FingerprintTable) {
    this.table = table;
    this.#memory = memory;
    this.#known = table.size;
  }

  static async open(dataDir: string): Promise<PassedFormulas> {
    const memory = new Memory(dataDir, 'formulas', (await compiledProgram()).version);
    return new PassedFormulas(memory, new FingerprintTable(await memory.readWords()));
  }

  /** Keeps what was added to the table. */
  async save(): Promise<void> {
    if (this.table.size > this.#known) await this.#memory.write(() => [bytesOfWords(this.table.words)]);
  }
}
