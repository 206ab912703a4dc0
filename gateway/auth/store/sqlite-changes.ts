import { closeSync, openSync, readSync } from 'node:fs';
import type { Changes } from './store.ts';

/**
 * Where a SQLite file counts the transactions that were written to it (SQLite's "Database File Format", 1.3.8). Outside
 * of WAL mode each one changes it before it counts as committed, and while it holds off all readers.
 */
const counterAt = 24;
const counterBytes = 4;

/**
 * Tells by the file's own counter whether it has changed, with one read of four bytes: asking SQLite takes its locks.
 */
export class SqliteChanges implements Changes {
  readonly #file: string;
  readonly #bytes = Buffer.alloc(counterBytes);
  #descriptor: number | undefined;
  #version = 0;
  #counter = Number.NaN;
  #held = false;

  constructor(file: string) {
    this.#file = file;
  }

  version(again: boolean): number {
    if (again && !this.#held) this.#learn(this.#read());
    return this.#version;
  }

  /** Takes note of a change by the connection itself. */
  note(): void {
    this.#version += 1;
  }

  /** From here on another connection of this process has the lock for writing, and no one else changes anything. */
  hold(): void {
    this.#learn(this.#read());
    this.#held = true;
  }

  /** The other connection has written, or rolled back. Its own transaction changes nothing that is asked for here. */
  release(): void {
    this.#held = false;
    const counter = this.#read();
    if (counter === (this.#counter + 1) % 2 ** 32) this.#counter = counter;
  }

  /** Not before every connection is closed: to close any descriptor of a file takes all locks of the process off it. */
  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #learn(counter: number): void {
    if (counter !== this.#counter) this.#version += 1;
    this.#counter = counter;
  }

  #read(): number {
    this.#descriptor ??= openSync(this.#file, 'r');
    readSync(this.#descriptor, this.#bytes, 0, counterBytes, counterAt);
    return this.#bytes.readUInt32BE(0);
  }
}
