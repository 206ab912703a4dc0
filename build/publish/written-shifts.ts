import { Memory } from '../cache.ts';
import { FingerprintTable } from '../check/fingerprint-table.ts';
import type { WrittenShift } from '../compile/compile-shift.ts';
import { compiledProgram } from '../program.js';

/**
 * What earlier builds made of shifts, by the content of their files. It is one line of JSON a shift, which is read
 * when it is asked for.
 */
export class WrittenShifts {
  readonly #memory: Memory;
  readonly #stored: Buffer | undefined;
  /** By digest, where its line begins and ends. */
  readonly #lines = new Map<string, readonly [start: number, end: number]>();

  private constructor(memory: Memory, stored: Buffer | undefined) {
    this.#memory = memory;
    this.#stored = stored;
    for (let start = 0; stored && start < stored.length; ) {
      const end = stored.indexOf('\n', start);
      this.#lines.set(stored.toString('latin1', start, start + digestLength), [start + digestLength, end]);
      start = end + 1;
    }
  }

  static async open(dataDir: string): Promise<WrittenShifts> {
    const memory = new Memory(dataDir, 'answers', (await compiledProgram()).version);
    return new WrittenShifts(memory, await memory.read());
  }

  /** @param digest in hex */
  get(digest: string): WrittenShift | undefined {
    const [start, end] = this.#lines.get(digest) ?? [];
    if (!this.#stored || start === undefined) return undefined;
    return { digest, ...JSON.parse(this.#stored.toString('utf8', start, end)) };
  }

  /** For threads. */
  get known(): KnownDigests {
    return KnownDigests.of([...this.#lines.keys()]);
  }

  /** Keeps these, and forgets all others. */
  save(shifts: readonly WrittenShift[]): Promise<void> {
    return this.#memory.write(() => linesOf(shifts));
  }
}

function* linesOf(shifts: readonly WrittenShift[]): Generator<Uint8Array> {
  for (const { digest, compiled, answers } of shifts)
    yield Buffer.from(`${digest}${JSON.stringify({ compiled, answers })}\n`);
}

/** Hex digits of a SHA-256. */
const digestLength = 64;

/** Digests of files whose answers are known, in words that threads can share. */
export class KnownDigests {
  readonly words: Uint32Array;
  readonly #table: FingerprintTable;

  constructor(words: Uint32Array) {
    this.words = words;
    this.#table = new FingerprintTable(words);
  }

  static of(digests: readonly string[]): KnownDigests {
    const table = FingerprintTable.withRoomFor(digests.length);
    for (const digest of digests) table.add(printOf(Buffer.from(digest, 'hex')), 0);
    const shared = new Uint32Array(new SharedArrayBuffer(table.words.byteLength));
    shared.set(table.words);
    return new KnownDigests(shared);
  }

  has(digest: Buffer): boolean {
    return this.#table.get(printOf(digest)) >= 0;
  }
}

/** The first 64 bits of a SHA-256 are told apart as surely as any. */
function printOf(digest: Buffer) {
  return { high: digest.readUInt32LE(0), low: digest.readUInt32LE(4) };
}
