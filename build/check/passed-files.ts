import { bytesOfWords, Memory } from '../cache.ts';
import type { PaperPrint } from './work.ts';

/** A hash is SHA-256, in words. */
const hashWords = 8;

/** What is remembered of files in which nothing was wrong: those of a shift, or the one of an exam. */
export interface PassedFiles {
  /** Over what the file system says of the files; undefined when they are too young to go by that. */
  readonly signature: Buffer | undefined;
  /** Over the files' bytes. */
  readonly digest: Buffer;
  /** Of the shift's papers, in their order. */
  readonly papers: readonly Print[];
}

export type Print = Omit<PaperPrint, 'path'>;

/**
 * The files in which an earlier run found nothing wrong, by what the file system says of them and by their
 * content.
 *
 * They are rows of words: signature and digest, the number of papers, and for each paper the number of its
 * questions, the number of its prints' words, and those.
 */
export class PassedFilesIndex {
  /** Shared, so that every thread reads the same memory. */
  readonly words: Uint32Array;
  readonly #rows = new Map<string, number>();

  constructor(words: Uint32Array) {
    this.words = words;
    const bytes = Buffer.from(words.buffer, words.byteOffset, words.byteLength);
    for (let row = 0; row < words.length; ) {
      for (const hash of [row, row + hashWords])
        this.#rows.set(bytes.toString('latin1', hash * 4, (hash + hashWords) * 4), row);
      let at = row + 2 * hashWords;
      const end = words[at] ?? 0;
      at += 1;
      for (let paper = 0; paper < end; paper += 1) at += 2 + (words[at + 1] ?? 0);
      row = at;
    }
  }

  /** @param hash a signature or a digest */
  get(hash: Buffer): PassedFiles | undefined {
    const row = this.#rows.get(hash.toString('latin1'));
    if (row === undefined) return undefined;
    let at = row + 2 * hashWords;
    const papers = Array.from({ length: this.words[at++] ?? 0 }, () => {
      const [questions = 0, length = 0] = [this.words[at], this.words[at + 1]];
      at += 2 + length;
      return { questions, prints: this.words.slice(at - length, at) };
    });
    return { signature: this.#hash(row), digest: this.#hash(row + hashWords), papers };
  }

  #hash(at: number): Buffer {
    return Buffer.from(this.words.slice(at, at + hashWords).buffer);
  }
}

/** Those files in the data folder. */
export class PassedFilesMemory {
  readonly index: PassedFilesIndex;
  readonly #memory: Memory;

  private constructor(memory: Memory, index: PassedFilesIndex) {
    this.#memory = memory;
    this.index = index;
  }

  /** @param version of everything that decides whether a file passes */
  static async open(dataDir: string, version: string): Promise<PassedFilesMemory> {
    const memory = new Memory(dataDir, 'passed', version);
    return new PassedFilesMemory(
      memory,
      new PassedFilesIndex((await memory.readWords()) ?? new Uint32Array()),
    );
  }

  /** Keeps these, and forgets all others. */
  save(passed: readonly PassedFiles[]): Promise<void> {
    return this.#memory.write(() => rowsOf(passed));
  }
}

function* rowsOf(passed: readonly PassedFiles[]): Generator<Uint8Array> {
  for (const { signature, digest, papers } of passed) {
    yield signature ?? new Uint8Array(hashWords * 4);
    yield digest;
    yield bytesOfWords(Uint32Array.of(papers.length));
    for (const { questions, prints } of papers) {
      yield bytesOfWords(Uint32Array.of(questions, prints.length));
      yield bytesOfWords(prints);
    }
  }
}
