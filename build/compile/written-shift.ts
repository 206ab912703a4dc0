import type { CompiledShift } from './compiled-shift.ts';

/** A shift of which the answers stand in a release, or in the draft of one. */
export interface WrittenShift {
  /** SHA-256 over the files of the content that they were made of, in hex. */
  readonly digest: string;
  readonly compiled: CompiledShift;
  readonly answers: readonly WrittenAnswer[];
}

/** An answer that needs a key, as it is without a content coding. */
export interface WrittenAnswer {
  /** URL path without slashes at its ends. */
  readonly path: string;
  readonly mediaType: string;
  /** Bytes. */
  readonly size: number;
  /** Hex SHA-256 of the bytes. */
  readonly sha256: string;
}
