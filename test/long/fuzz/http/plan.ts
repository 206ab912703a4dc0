import type { Prediction } from './model.ts';

/** One request, or bytes that resemble requests. */
export interface Item {
  /** Bytes (latin1). */
  readonly text: string;
  /** Undefined if any valid response is accepted. */
  readonly prediction?: Prediction;
}

/** Bytes that are sent together. The next send waits for their responses. */
export interface Send {
  readonly items: readonly Item[];
  /** Ascending offsets at which the bytes are split into packets. */
  readonly splits: readonly number[];
}

/** Everything that is sent on one connection. */
export interface Plan {
  readonly sends: readonly Send[];
  /**
   * The end of the connection. `finish`: the client closes its side after the last response; `closes`: the server closes
   * the connection at once; `half-close`: the client closes its side and waits for responses; `cut`: the client closes both
   * sides; `reset`: the client resets the connection; `open`: the client does nothing, and the server closes the connection
   * in time.
   */
  readonly ending: 'finish' | 'closes' | 'half-close' | 'cut' | 'reset' | 'open';
  /** Bytes that the client reads before `cut` and `reset`, at least. */
  readonly read?: number;
  /** Bytes that the client sends one by one before it does nothing. */
  readonly slow?: string;
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
