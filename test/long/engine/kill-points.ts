/** Random points at which tests kill a process. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';

/** Preloaded into a process, kills it at a file system call. */
export const killAtCall = fileURLToPath(new URL('kill-at-call.mjs', import.meta.url));

/** A killed process would write an incomplete coverage report. */
export const withoutCoverage = { NODE_V8_COVERAGE: '' };

/** The calls of a process that was not killed. */
export function callsIn(stderr: string): number {
  return Number(/(\d+) calls\n$/.exec(stderr)?.[1] ?? assert.fail(stderr));
}

/** The range from 0 to the end of a process, which varies; each observed end corrects it. */
export class Range {
  #end: number;

  constructor(end: number) {
    this.#end = end;
  }

  random(): number {
    return Math.random() * this.#end;
  }

  /** @param end where the process ended; undefined if it was killed before */
  update(end: number | undefined): void {
    this.#end = end ?? this.#end * 1.05;
  }
}
