import type { Prediction } from './model.ts';

/** One request, or bytes that are to look like some. */
export interface Item {
  /** Bytes (latin1). */
  readonly text: string;
  /** Undefined: whatever is answered has only to be right in itself. */
  readonly prediction?: Prediction;
}

/** Bytes that are sent at once, and answered before more is sent. */
export interface Send {
  readonly items: readonly Item[];
  /** Offsets at which the bytes are parted into packets, ascending. */
  readonly splits: readonly number[];
}

/** All that is sent by one connection. */
export interface Plan {
  readonly sends: readonly Send[];
  /**
   * How it ends: `finish`: the client sends no more when it has its answers; `closes`: the server closes by itself;
   * `half-close`: the client sends no more, and waits; `cut`: the client is gone.
   */
  readonly ending: 'finish' | 'closes' | 'half-close' | 'cut';
}

/** The bytes of a send, in packets. */
export function packetsOf({ items, splits }: Send): string[] {
  const text = textOf(items);
  const ends = [...splits, text.length];
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end)).filter((packet) => packet !== '');
}

export function textOf(items: readonly Item[]): string {
  return items.map(({ text }) => text).join('');
}

export function requestsIn({ sends }: Plan): number {
  return sends.reduce((sum, { items }) => sum + items.length, 0);
}
