import type { Prediction } from './model.ts';

/** The parts of a request. Each character is a byte (latin1). */
export interface RequestParts {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly fields: readonly Field[];
  /** On the wire, including chunk sizes. */
  readonly body: string;
}

export type Field = readonly [name: string, value: string];

/** The bytes of a request. */
export function renderRequest({ method, target, version, fields, body }: RequestParts): string {
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} ${version}\r\n${lines.join('')}\r\n${body}`;
}

/** The trimmed values of a field, by its name in lower case. */
export function valuesOf({ fields }: RequestParts, name: string): string[] {
  return fields.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value.replace(/^[ \t]+|[ \t]+$/g, ''));
}

/** Whether a request has Expect or Upgrade, after which a server may close the connection. */
export function mayCloseConnection({ fields }: RequestParts): boolean {
  return fields.some(([name]) => /^(expect|upgrade)$/i.test(name));
}

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
